"""What the ledger refuses, and why. Each has a stable `code`, `params` for programs, and a translated text for people.

A refused call has changed nothing.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from moneyed import Money

from ledger import money


class LedgerError(Exception):
    """Base of all refusals. str() is a sentence in the active language."""

    code: ClassVar[str] = "ledger_error"
    message: ClassVar[Any] = _("The ledger refused this.")

    def __init__(self, **params: Any) -> None:
        super().__init__(self.code, params)
        self.params = params

    def __str__(self) -> str:
        shown = {name: money.text(value) if isinstance(value, Money) else value for name, value in self.params.items()}
        return str(self.message) % shown


class BadAmount(LedgerError):
    """Params: amount (as given), reason (a translated sentence)."""

    code = "bad_amount"
    message = _("“%(amount)s” is not a good amount: %(reason)s")


class UnknownCurrency(LedgerError):
    """Params: currency, known (comma-separated codes)."""

    code = "unknown_currency"
    message = _("Currency “%(currency)s” is unknown. Known are: %(known)s.")


class InsufficientFunds(LedgerError):
    """Params: owner_id (None: the house), needed (Money), available (Money)."""

    code = "insufficient_funds"
    message = _("Not enough money: %(needed)s needed, %(available)s available.")


class NotCovered(LedgerError):
    """The house would take or set aside more than is its own. Params: needed, own, cash, owed (Money)."""

    code = "not_covered"
    message = _(
        "Only %(own)s is the house's own: cash of %(cash)s less %(owed)s owed to players and set aside; "
        "%(needed)s needed."
    )


class AccountFrozen(LedgerError):
    """Params: owner_id, currency."""

    code = "account_frozen"
    message = _(
        "The %(currency)s account is frozen: nothing can be staked from it; what is available can be withdrawn."
    )


class AccountOwes(AccountFrozen):
    """An entry was reversed, or a prize corrected, whose money was spent already. Params: owner_id, currency."""

    code = "account_owes"
    message = _(
        "There is a debt on the %(currency)s account: until it is paid back, there is no play and no withdrawal."
    )


class OwesLess(LedgerError):
    """More was to be paid back than is owed. Params: owner_id, owed (Money)."""

    code = "owes_less"
    message = _("Only %(owed)s is owed.")


class KeyConflict(LedgerError):
    """The idempotency key was used before with other content. Params: key, field (the first that differs)."""

    code = "key_conflict"
    message = _("Key “%(key)s” was used before with another %(field)s; nothing was done.")


class HoldNotFound(LedgerError):
    """Params: hold (its key)."""

    code = "hold_not_found"
    message = _("There is no hold “%(hold)s”.")


class AlreadyCaptured(LedgerError):
    """Params: hold (its key), by (the key that captured it)."""

    code = "already_captured"
    message = _("Hold “%(hold)s” was captured already, by “%(by)s”.")


class AlreadyReleased(LedgerError):
    """Params: hold (its key), by (the key that released it)."""

    code = "already_released"
    message = _("Hold “%(hold)s” was released already, by “%(by)s”.")


class CaptureTooMuch(LedgerError):
    """Params: hold (its key), asked (Money), amount (Money)."""

    code = "capture_too_much"
    message = _("Hold “%(hold)s” is of %(amount)s; %(asked)s cannot be captured from it.")


class BadSettlement(LedgerError):
    """Params: key, reason (a translated sentence)."""

    code = "bad_settlement"
    message = _("Settlement “%(key)s” makes no sense: %(reason)s")


class ReasonMissing(LedgerError):
    """An operator's action without a reason."""

    code = "reason_missing"
    message = _("Say the reason: it goes into the journal.")


class RefusedByDatabase(LedgerError):
    """A trigger or constraint refused what passed our own checks. Params: constraint, detail."""

    code = "refused_by_database"
    message = _("The database refused this (%(constraint)s): %(detail)s")


class NotReversible(LedgerError):
    """Params: entry (its id), reason (a translated sentence)."""

    code = "not_reversible"
    message = _("Entry %(entry)s cannot be reversed: %(reason)s")


class EnoughPlayChips(LedgerError):
    """Params: limit (Money)."""

    code = "enough_play_chips"
    message = _("You have enough play chips: they are filled up to %(limit)s.")


class ProposalNotFound(LedgerError):
    """Params: proposal (its id)."""

    code = "proposal_not_found"
    message = _("There is no request %(proposal)s.")


class ProposalDecided(LedgerError):
    """Params: proposal (its id), state."""

    code = "proposal_decided"
    message = _("Request %(proposal)s was decided already: %(state)s.")


class SecondPersonNeeded(LedgerError):
    """Params: proposal (its id)."""

    code = "second_person_needed"
    message = _("Somebody else must decide: neither the one who asked nor the one whose money it is.")


class OwnMoney(LedgerError):
    """An operator would enter money for himself, or set his own wallet free."""

    code = "own_money"
    message = _("This is your own wallet: ask a colleague to do it. Nothing was changed.")


class NotReadyToClose(LedgerError):
    """Params: month ("2026-10"), why."""

    code = "not_ready_to_close"
    message = _("%(month)s cannot be closed: %(why)s.")
