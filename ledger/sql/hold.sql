-- A hold is born open; its amount is added to what its account's balance holds (whose CHECK refuses what is not there).
CREATE OR REPLACE FUNCTION ledger_hold_placed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    accounts bigint;
    changed bigint;
BEGIN
    IF EXISTS (SELECT FROM placed WHERE resolution IS NOT NULL) THEN
        RAISE EXCEPTION 'ledger: a hold is placed open and resolved later'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_hold_placed_open';
    END IF;
    WITH sums AS (SELECT account_id, sum(amount) AS amount FROM placed GROUP BY account_id),
    done AS (
        UPDATE ledger_balance b SET held = b.held + sums.amount FROM sums WHERE b.account_id = sums.account_id RETURNING 1
    )
    SELECT (SELECT count(*) FROM sums), (SELECT count(*) FROM done) INTO accounts, changed;
    IF accounts <> changed THEN
        RAISE EXCEPTION 'ledger: only accounts with a balance can have holds'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_hold_needs_balance';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_hold_placed AFTER INSERT ON ledger_hold REFERENCING NEW TABLE AS placed
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_hold_placed();

-- A hold is resolved once, entirely, and nothing else of it changes. Its entry, if any, is of this transaction and has no
-- lines yet: they come next, and are compared with what was captured.
CREATE OR REPLACE FUNCTION ledger_hold_resolved() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE bad record;
BEGIN
    SELECT was.key, was.resolution INTO bad FROM was WHERE was.resolution IS NOT NULL LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger: hold % is % already', bad.key, bad.resolution
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_hold_resolved_once';
    END IF;
    IF EXISTS (
        SELECT id, key, account_id, currency, amount, reference, details, placed_at FROM was
        EXCEPT
        SELECT id, key, account_id, currency, amount, reference, details, placed_at FROM becomes
    ) OR EXISTS (SELECT FROM becomes WHERE resolution IS NULL) THEN
        RAISE EXCEPTION 'ledger: a hold can only be resolved, nothing else of it changes'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_hold_only_resolves';
    END IF;
    IF EXISTS (
        SELECT FROM becomes n JOIN ledger_entry e ON e.id = n.entry_id
         WHERE e.xid <> pg_current_xact_id()::text::bigint
    ) OR EXISTS (
        SELECT FROM ledger_line WHERE entry_id = ANY (ARRAY(SELECT DISTINCT entry_id FROM becomes WHERE entry_id IS NOT NULL))
    ) THEN
        RAISE EXCEPTION 'ledger: a hold is resolved before the lines of its entry, in one transaction with them'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_hold_before_lines';
    END IF;
    UPDATE ledger_balance b SET held = b.held - sums.amount
      FROM (SELECT account_id, sum(amount) AS amount FROM was GROUP BY account_id) sums
     WHERE b.account_id = sums.account_id;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_hold_resolved AFTER UPDATE ON ledger_hold REFERENCING OLD TABLE AS was NEW TABLE AS becomes
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_hold_resolved();
