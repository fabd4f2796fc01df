-- An account is frozen and unfrozen by writing the event: the application may not set the status itself, so there is no
-- freezing without a person, a reason and a time. The balance is locked first, as by everybody who reads the status.
CREATE OR REPLACE FUNCTION ledger_account_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    becomes varchar := CASE NEW.event WHEN 'frozen' THEN 'frozen' ELSE 'active' END;
BEGIN
    PERFORM FROM ledger_balance WHERE account_id = NEW.account_id FOR NO KEY UPDATE;
    UPDATE ledger_account SET status = becomes
     WHERE id = NEW.account_id AND kind = 'wallet' AND status <> becomes;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'ledger: account % is no wallet, or is % already', NEW.account_id, NEW.event
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_account_event';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_account_event AFTER INSERT ON ledger_accountevent
    FOR EACH ROW EXECUTE FUNCTION ledger_account_event();
CREATE TRIGGER ledger_accountevent_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_accountevent
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
