-- The chart of accounts as the database knows it; ledger/chart.py is the source and copies itself here after migrate.
CREATE TABLE IF NOT EXISTS ledger_chart_account (
    kind        varchar(32) PRIMARY KEY,
    of_player   boolean NOT NULL,
    has_balance boolean NOT NULL
);
CREATE TABLE IF NOT EXISTS ledger_chart_rule (
    entry_kind   varchar(32) NOT NULL,
    account_kind varchar(32) NOT NULL REFERENCES ledger_chart_account,
    PRIMARY KEY (entry_kind, account_kind)
);
