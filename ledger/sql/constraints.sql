-- Foreign keys, immediate (a bad row is refused where it is written, so one bad draft can be told from the rest of a
-- batch) and composite, so that a line or hold can only be in its account's one currency.
ALTER TABLE ledger_account ADD CONSTRAINT ledger_account_kind_fk FOREIGN KEY (kind) REFERENCES ledger_chart_account;
ALTER TABLE ledger_housetotal ADD CONSTRAINT ledger_housetotal_account_fk FOREIGN KEY (account_id) REFERENCES ledger_account;
ALTER TABLE ledger_entry ADD CONSTRAINT ledger_entry_reverses_fk FOREIGN KEY (reverses_id) REFERENCES ledger_entry;
ALTER TABLE ledger_line ADD CONSTRAINT ledger_line_entry_fk FOREIGN KEY (entry_id) REFERENCES ledger_entry;
ALTER TABLE ledger_line ADD CONSTRAINT ledger_line_account_fk
    FOREIGN KEY (account_id, currency) REFERENCES ledger_account (id, currency);
ALTER TABLE ledger_hold ADD CONSTRAINT ledger_hold_account_fk
    FOREIGN KEY (account_id, currency) REFERENCES ledger_account (id, currency);
ALTER TABLE ledger_hold ADD CONSTRAINT ledger_hold_entry_fk FOREIGN KEY (entry_id) REFERENCES ledger_entry;
ALTER TABLE ledger_seal ADD CONSTRAINT ledger_seal_entry_fk FOREIGN KEY (entry_id) REFERENCES ledger_entry;
