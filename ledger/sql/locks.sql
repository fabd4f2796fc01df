-- Locks, always in this order: period (shared) and keys, then balances by id, then holds by id. Functions, because the
-- application's role may not UPDATE balances, and PostgreSQL asks that right of whoever locks a row.
CREATE OR REPLACE FUNCTION ledger_lock_keys(keys text[]) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('ledger:period', 0));
    PERFORM pg_advisory_xact_lock(h)
       FROM (SELECT DISTINCT hashtextextended(key, 1) AS h FROM unnest(keys) AS key ORDER BY h) sorted;
END $$;

-- The second statement has a snapshot of its own, taken after the locks: it sees what others did while we waited.
CREATE OR REPLACE FUNCTION ledger_lock_balances(accounts bigint[])
RETURNS TABLE (account_id bigint, owner_id bigint, currency varchar, status varchar, posted numeric, held numeric, version bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM b.account_id FROM ledger_balance b WHERE b.account_id = ANY (accounts) ORDER BY b.account_id FOR NO KEY UPDATE;
    RETURN QUERY
    SELECT b.account_id, a.owner_id, a.currency, a.status, b.posted, b.held, b.version
      FROM ledger_balance b JOIN ledger_account a ON a.id = b.account_id WHERE b.account_id = ANY (accounts);
END $$;
