-- An entry carries the id of the transaction that wrote it and that transaction's own time: the sealer relies on both.
CREATE OR REPLACE FUNCTION ledger_entry_written() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM written WHERE xid <> pg_current_xact_id()::text::bigint
            OR at < transaction_timestamp() OR at > clock_timestamp()
    ) THEN
        RAISE EXCEPTION 'ledger: an entry must carry its own transaction id and time'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_entry_written';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_entry_written AFTER INSERT ON ledger_entry REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_entry_written();

-- Lines come after their entry, so only the commit can tell that they never came.
CREATE OR REPLACE FUNCTION ledger_entry_has_lines() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM ledger_line WHERE entry_id = NEW.id) THEN
        RAISE EXCEPTION 'ledger: entry % (%) has no lines', NEW.id, NEW.key
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_entry_has_lines';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_entry_has_lines AFTER INSERT ON ledger_entry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_entry_has_lines();
