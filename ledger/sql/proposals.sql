-- A proposal is born open, decided once, and nothing else of it changes. (CHECKs of the table ask for the second person.)
CREATE OR REPLACE FUNCTION ledger_proposal_made() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.state <> 'open' OR btrim(NEW.reason) = '' THEN
        RAISE EXCEPTION 'ledger: a proposal is made open and with a reason, and decided later'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_proposal_made_open';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_proposal_made AFTER INSERT ON ledger_proposal
    FOR EACH ROW EXECUTE FUNCTION ledger_proposal_made();

CREATE OR REPLACE FUNCTION ledger_proposal_decided() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF OLD.state <> 'open' OR NEW.state = 'open' THEN
        RAISE EXCEPTION 'ledger: proposal % is % already', OLD.id, OLD.state
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_proposal_decided_once';
    ELSIF (OLD.id, OLD.kind, OLD.key, OLD.owner_id, OLD.currency, OLD.amount, OLD.reverses_id, OLD.reason,
           OLD.proposed_by, OLD.proposed_at)
          IS DISTINCT FROM (NEW.id, NEW.kind, NEW.key, NEW.owner_id, NEW.currency, NEW.amount, NEW.reverses_id,
                            NEW.reason, NEW.proposed_by, NEW.proposed_at) THEN
        RAISE EXCEPTION 'ledger: a proposal can only be decided, nothing else of it changes'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_proposal_only_decided';
    ELSIF NEW.state <> 'approved' AND btrim(NEW.decision_reason) = '' THEN
        RAISE EXCEPTION 'ledger: a proposal is turned down with a reason'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_proposal_decision_reason';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_proposal_decided AFTER UPDATE ON ledger_proposal
    FOR EACH ROW EXECUTE FUNCTION ledger_proposal_decided();

CREATE TRIGGER ledger_proposal_stays BEFORE DELETE OR TRUNCATE ON ledger_proposal
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();

-- No withdrawal, adjustment or reversal without an approved proposal that says the same: kind, wallet and amount, or the
-- entry reversed, whose effect on every account the reversal takes back to the unit (a player's wallet and what he owes
-- count as one). Nobody decides on his own money. Only the commit can tell: the decision follows the entry.
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
     WHERE l.entry_id = NEW.id AND a.owner_id = proposal.owner_id AND a.kind = 'wallet'
       AND a.currency = proposal.currency;
    IF proposal.reverses_id IS DISTINCT FROM NEW.reverses_id
       OR (NEW.kind = 'withdrawal' AND moved IS DISTINCT FROM -proposal.amount)
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
CREATE CONSTRAINT TRIGGER ledger_entry_decided AFTER INSERT ON ledger_entry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind IN ('withdrawal', 'adjustment', 'reversal'))
    EXECUTE FUNCTION ledger_entry_decided();
