-- What was written stays: no UPDATE, DELETE or TRUNCATE, whoever asks, the owner included.
CREATE OR REPLACE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'ledger: % of % is refused: what is written stays as it is; post a correcting entry instead',
        TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_NAME;
END $$;

CREATE TRIGGER ledger_entry_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER ledger_line_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_line
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER ledger_hold_stays BEFORE DELETE OR TRUNCATE ON ledger_hold
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER ledger_balance_stays BEFORE DELETE OR TRUNCATE ON ledger_balance
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER ledger_account_stays BEFORE DELETE OR TRUNCATE ON ledger_account
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER ledger_seal_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_seal
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER ledger_rakerule_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_rakerule
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
