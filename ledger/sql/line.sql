-- The heart of the ledger. Everything an entry must be is checked over the one statement that writes its lines; then the
-- balances take the values their last lines say, if and only if those continue what the balances were.
CREATE OR REPLACE FUNCTION ledger_line_written() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    bad record;
    touched bigint;
    moved bigint;
BEGIN
    SELECT entry_id, sum(amount) AS total, min(currency) AS low, max(currency) AS high INTO bad
      FROM written GROUP BY entry_id HAVING sum(amount) <> 0 OR min(currency) <> max(currency) LIMIT 1;
    IF FOUND AND bad.low <> bad.high THEN
        RAISE EXCEPTION 'ledger: entry % mixes % and %', bad.entry_id, bad.low, bad.high
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_lines_one_currency';
    ELSIF FOUND THEN
        RAISE EXCEPTION 'ledger: lines of entry % sum to %, not to zero', bad.entry_id, bad.total
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_lines_sum_to_zero';
    END IF;

    SELECT n.entry_id, e.kind AS entry_kind, a.kind AS account_kind, c.has_balance, n.account_version,
           e.xid = pg_current_xact_id()::text::bigint AS same_transaction, e.at = n.at AS same_time,
           r.entry_kind IS NOT NULL AS allowed INTO bad
      FROM written n
      JOIN ledger_entry e ON e.id = n.entry_id
      JOIN ledger_account a ON a.id = n.account_id
      JOIN ledger_chart_account c ON c.kind = a.kind
      LEFT JOIN ledger_chart_rule r ON r.entry_kind = e.kind AND r.account_kind = a.kind
     WHERE r.entry_kind IS NULL
        OR e.xid <> pg_current_xact_id()::text::bigint
        OR e.at <> n.at
        OR c.has_balance <> (n.account_version IS NOT NULL)
     LIMIT 1;
    IF FOUND AND NOT bad.same_transaction THEN
        RAISE EXCEPTION 'ledger: entry % was written by an earlier transaction, nothing is added to it', bad.entry_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_lines_nothing_added_later';
    ELSIF FOUND AND NOT bad.allowed THEN
        RAISE EXCEPTION 'ledger: an entry of kind % may not touch an account of kind %', bad.entry_kind, bad.account_kind
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_lines_fit_entry_kind';
    ELSIF FOUND AND NOT bad.same_time THEN
        RAISE EXCEPTION 'ledger: lines of entry % carry another time than it', bad.entry_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_lines_time_of_entry';
    ELSIF FOUND THEN
        RAISE EXCEPTION 'ledger: lines of a % account % carry account_version and balance_after', bad.account_kind,
            CASE WHEN bad.has_balance THEN 'must' ELSE 'cannot' END
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_lines_version_where_balance';
    END IF;

    SELECT count(*) INTO touched
      FROM ledger_line WHERE entry_id = ANY (ARRAY(SELECT DISTINCT entry_id FROM written));
    IF touched <> (SELECT count(*) FROM written) THEN
        RAISE EXCEPTION 'ledger: an entry has lines already, nothing is added to it'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_lines_nothing_added_later';
    END IF;

    -- What a hold gives up to an entry is what the entry takes from the hold's account.
    SELECT entry_id, account_id, sum(captured) AS captured, sum(amount) AS amount INTO bad
      FROM (SELECT entry_id, account_id, captured, 0 AS amount FROM ledger_hold
             WHERE entry_id = ANY (ARRAY(SELECT DISTINCT entry_id FROM written)) AND captured > 0
            UNION ALL
            SELECT entry_id, account_id, 0, amount FROM written) both_sides
     GROUP BY entry_id, account_id HAVING sum(captured) > 0 AND sum(captured) <> -sum(amount) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger: entry % captures % of account % and posts %', bad.entry_id, bad.captured,
            bad.account_id, bad.amount
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_lines_match_captures';
    END IF;

    SELECT account_id INTO bad FROM (
        SELECT account_id, account_version - lag(account_version) OVER chain AS step,
               balance_after - lag(balance_after) OVER chain - amount AS gap
          FROM written WHERE account_version IS NOT NULL
        WINDOW chain AS (PARTITION BY account_id ORDER BY account_version)
    ) steps WHERE step <> 1 OR gap <> 0 LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger: lines of account % do not continue one another', bad.account_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_lines_continue_balance';
    END IF;

    WITH last AS (
        SELECT account_id, min(account_version) AS first_version, max(account_version) AS last_version,
               sum(amount) AS amount, (array_agg(balance_after ORDER BY account_version DESC))[1] AS balance_after
          FROM written WHERE account_version IS NOT NULL GROUP BY account_id
    ), changed AS (
        UPDATE ledger_balance b SET posted = last.balance_after, version = last.last_version
          FROM last
         WHERE b.account_id = last.account_id
           AND b.version = last.first_version - 1 AND b.posted = last.balance_after - last.amount
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM last), (SELECT count(*) FROM changed) INTO touched, moved;
    IF touched <> moved THEN
        RAISE EXCEPTION 'ledger: lines do not continue the balance of their account (version + 1, balance + amount)'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_lines_continue_balance';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_line_written AFTER INSERT ON ledger_line REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_line_written();
