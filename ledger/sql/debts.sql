-- What a player owes: an account whose balance counts downwards from zero, kept by the CHECK of ledger_balance. While he
-- owes, his wallet of that currency says so, and whoever locks the wallet's balance reads it.
ALTER TABLE ledger_chart_account ADD COLUMN debit boolean NOT NULL DEFAULT false;

-- As in account.sql, and now the balance row knows on which side of zero it lives.
CREATE OR REPLACE FUNCTION ledger_account_opened() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE bad record;
BEGIN
    SELECT n.* INTO bad FROM opened n JOIN ledger_chart_account c ON c.kind = n.kind
     WHERE c.of_player <> (n.owner_id IS NOT NULL) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger: a % account % have an owner', bad.kind,
            CASE WHEN bad.owner_id IS NULL THEN 'must' ELSE 'cannot' END
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_account_owner_fits_kind';
    END IF;
    INSERT INTO ledger_balance (account_id, debit)
    SELECT n.id, c.debit FROM opened n JOIN ledger_chart_account c ON c.kind = n.kind WHERE c.has_balance;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION ledger_debt_moved() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE ledger_account wallet SET owes = NEW.posted < 0
      FROM ledger_account debt
     WHERE debt.id = NEW.account_id AND wallet.owner_id = debt.owner_id AND wallet.kind = 'wallet'
       AND wallet.currency = debt.currency AND wallet.owes <> (NEW.posted < 0);
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_debt_moved AFTER UPDATE ON ledger_balance
    FOR EACH ROW WHEN (NEW.debit) EXECUTE FUNCTION ledger_debt_moved();

-- As in locks.sql, and it answers besides whether the owner owes, and on which side of zero the balance lives.
DROP FUNCTION ledger_lock_balances(bigint[]);
CREATE FUNCTION ledger_lock_balances(accounts bigint[])
RETURNS TABLE (account_id bigint, owner_id bigint, currency varchar, status varchar, posted numeric, held numeric,
               version bigint, owes boolean, debit boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM b.account_id FROM ledger_balance b WHERE b.account_id = ANY (accounts) ORDER BY b.account_id FOR NO KEY UPDATE;
    RETURN QUERY
    SELECT b.account_id, a.owner_id, a.currency, a.status, b.posted, b.held, b.version, a.owes, b.debit
      FROM ledger_balance b JOIN ledger_account a ON a.id = b.account_id WHERE b.account_id = ANY (accounts);
END $$;
