-- Taking the house's capital out is decided by two people too: as in proposals.sql, and the entry takes out of the capital
-- account what its proposal says.
CREATE OR REPLACE FUNCTION ledger_entry_decided() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    proposal record;
    moved numeric;
BEGIN
    SELECT * INTO proposal FROM ledger_proposal WHERE entry_id = NEW.id AND state = 'approved' AND kind = NEW.kind;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'ledger: entry % (%) is of a kind that two people decide on, and has no approved proposal', NEW.id,
            NEW.kind USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_entry_decided';
    END IF;
    SELECT sum(l.amount) INTO moved FROM ledger_line l JOIN ledger_account a ON a.id = l.account_id
     WHERE l.entry_id = NEW.id AND a.currency = proposal.currency
       AND CASE NEW.kind WHEN 'capital_out' THEN a.kind = 'capital'
                         ELSE a.kind = 'wallet' AND a.owner_id = proposal.owner_id END;
    IF proposal.reverses_id IS DISTINCT FROM NEW.reverses_id
       OR (NEW.kind IN ('withdrawal', 'capital_out') AND moved IS DISTINCT FROM -proposal.amount)
       OR (NEW.kind = 'adjustment' AND moved IS DISTINCT FROM proposal.amount)
       OR EXISTS (SELECT FROM ledger_line l JOIN ledger_account a ON a.id = l.account_id
                   WHERE l.entry_id = NEW.id AND a.owner_id = proposal.decided_by) THEN
        RAISE EXCEPTION 'ledger: entry % is not what proposal % says, or moves the money of the one who approved it',
            NEW.id, proposal.id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_entry_decided';
    END IF;
    IF NEW.kind = 'reversal' AND EXISTS (
        SELECT FROM ledger_line l JOIN ledger_account a ON a.id = l.account_id
         WHERE l.entry_id IN (NEW.id, NEW.reverses_id)
         GROUP BY a.owner_id, CASE a.kind WHEN 'receivable' THEN 'wallet' ELSE a.kind END, a.currency
        HAVING sum(l.amount) <> 0
    ) THEN
        RAISE EXCEPTION 'ledger: entry % does not take back exactly what entry % did', NEW.id, NEW.reverses_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_reversal_mirrors';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER ledger_entry_decided ON ledger_entry;
CREATE CONSTRAINT TRIGGER ledger_entry_decided AFTER INSERT ON ledger_entry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind IN ('withdrawal', 'adjustment', 'reversal', 'capital_out'))
    EXECUTE FUNCTION ledger_entry_decided();
