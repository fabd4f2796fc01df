-- Numbers without a gap, and the totals of accounts that have no balance row, kept in step with what is sealed.
CREATE OR REPLACE FUNCTION ledger_seal_written() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    low bigint;
    high bigint;
    rows bigint;
BEGIN
    SELECT min(number), max(number), count(*) INTO low, high, rows FROM written;
    IF rows > 0 AND (high - low + 1 <> rows OR low <> 1 + (
        SELECT coalesce(max(s.number), 0) FROM ledger_seal s WHERE s.number < low)) THEN
        RAISE EXCEPTION 'ledger: journal numbers leave no gap'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_seal_no_gap';
    END IF;
    INSERT INTO ledger_housetotal AS t (account_id, total, number)
    SELECT l.account_id, sum(l.amount), max(n.number)
      FROM written n JOIN ledger_line l ON l.entry_id = n.entry_id
     WHERE l.account_version IS NULL GROUP BY l.account_id ORDER BY l.account_id
    ON CONFLICT (account_id) DO UPDATE SET total = t.total + excluded.total, number = excluded.number;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_seal_written AFTER INSERT ON ledger_seal REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_seal_written();
