-- A month is closed after it has ended and everything in it is sealed, month after month without a gap, and for good.
CREATE OR REPLACE FUNCTION ledger_period_closed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.ends_at <= NEW.starts_at OR NEW.ends_at > clock_timestamp()
       OR NEW.ends_at > coalesce((SELECT sealed_until FROM ledger_sealhorizon), '-infinity') THEN
        RAISE EXCEPTION 'ledger: a period is closed when it has ended and all of it is sealed'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_period_sealed';
    ELSIF NEW.starts_at <> coalesce(
        (SELECT max(p.ends_at) FROM ledger_period p WHERE p.month <> NEW.month), NEW.starts_at) THEN
        RAISE EXCEPTION 'ledger: periods are closed one after the other, without a gap'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_period_no_gap';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_period_closed AFTER INSERT ON ledger_period
    FOR EACH ROW EXECUTE FUNCTION ledger_period_closed();
CREATE TRIGGER ledger_period_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_period
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
