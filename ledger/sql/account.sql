-- An account belongs to a player or to the house as its kind says; with it comes its balance row, if the kind has one.
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
    INSERT INTO ledger_balance (account_id)
    SELECT n.id FROM opened n JOIN ledger_chart_account c ON c.kind = n.kind WHERE c.has_balance;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_account_opened AFTER INSERT ON ledger_account REFERENCING NEW TABLE AS opened
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_account_opened();

-- Only the status of an account may change: another owner would hand his money over.
CREATE OR REPLACE FUNCTION ledger_account_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM was LEFT JOIN becomes n USING (id)
         WHERE (was.owner_id, was.kind, was.currency, was.opened_at)
               IS DISTINCT FROM (n.owner_id, n.kind, n.currency, n.opened_at)
    ) THEN
        RAISE EXCEPTION 'ledger: owner, kind, currency and opening time of an account never change'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_account_changed';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_account_changed AFTER UPDATE ON ledger_account
    REFERENCING OLD TABLE AS was NEW TABLE AS becomes
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_account_changed();
