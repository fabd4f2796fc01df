-- A balance begins at nothing ...
CREATE OR REPLACE FUNCTION ledger_balance_made() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM made WHERE posted <> 0 OR held <> 0 OR version <> 0)
       OR EXISTS (SELECT FROM made n LEFT JOIN ledger_account a ON a.id = n.account_id
                    LEFT JOIN ledger_chart_account c ON c.kind = a.kind WHERE c.has_balance IS NOT true) THEN
        RAISE EXCEPTION 'ledger: a balance begins at nothing, for an account of a kind that has one'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_balance_made';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_balance_made AFTER INSERT ON ledger_balance REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_balance_made();

-- ... and is never set, it follows: whoever writes it, it must agree with its account's last line and open holds.
-- (EXCEPT leaves what changed: a hold changes nothing of lines, a line nothing of holds.)
CREATE OR REPLACE FUNCTION ledger_balance_moved() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE bad record;
BEGIN
    SELECT n.account_id, n.posted, n.version INTO bad
      FROM (SELECT account_id, posted, version FROM becomes EXCEPT SELECT account_id, posted, version FROM was) n
      LEFT JOIN LATERAL (SELECT l.account_version, l.balance_after FROM ledger_line l
                          WHERE l.account_id = n.account_id AND l.account_version IS NOT NULL
                          ORDER BY l.account_version DESC LIMIT 1) last ON true
     WHERE (n.version, n.posted) <> (coalesce(last.account_version, 0), coalesce(last.balance_after, 0))
     LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger: balance of account % (% at version %) is not that of its last line', bad.account_id,
            bad.posted, bad.version
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_balance_follows_lines';
    END IF;
    SELECT n.account_id, n.held INTO bad
      FROM (SELECT account_id, held FROM becomes EXCEPT SELECT account_id, held FROM was) n
     WHERE n.held <> (SELECT coalesce(sum(h.amount), 0) FROM ledger_hold h
                       WHERE h.account_id = n.account_id AND h.resolution IS NULL)
     LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger: account % holds %, which is not the sum of its open holds', bad.account_id, bad.held
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_balance_follows_holds';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_balance_moved AFTER UPDATE ON ledger_balance REFERENCING OLD TABLE AS was NEW TABLE AS becomes
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_balance_moved();
