"""What a tournament refuses, in words; each refusal has changed nothing."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.errors import GameError, NotFound

__all__ = [
    "AlreadyDecided",
    "BadMinutes",
    "BadStartTime",
    "CannotCorrect",
    "CannotStart",
    "Full",
    "FundTooSmall",
    "NotEnoughForEntry",
    "NotEntered",
    "NotFound",
    "NotNow",
    "PairingStopped",
    "ReasonNeeded",
    "TooFew",
    "TournamentRefusal",
]


class TournamentRefusal(GameError):
    """Base of this app's refusals."""


class NotNow(TournamentRefusal):
    """`status`: where the tournament stands, translated."""

    code = "tournament_not_now"
    message = _("This is not possible while the tournament is: %(status)s.")


class Full(TournamentRefusal):
    code = "tournament_full"
    message = _("All %(places)s places are taken.")


class TooFew(TournamentRefusal):
    code = "tournament_too_few"
    message = _("Only %(entrants)s have registered; at least %(needed)s are needed.")


class NotEnoughForEntry(TournamentRefusal):
    code = "insufficient_funds"
    message = _("Registration blocks %(needed)s; you have %(available)s available. Nothing was blocked.")


class FundTooSmall(TournamentRefusal):
    """Money is promised out of the promotion fund. `needed`, `available` (Money)."""

    code = "promotion_fund_too_small"
    message = _(
        "The site would promise up to %(needed)s, and the promotion fund has %(available)s. Have the fund filled, or "
        "lower the added money or the guarantee. Nothing was announced."
    )


class NotEntered(TournamentRefusal):
    code = "not_entered"
    message = _("You are not registered for this tournament.")


class ReasonNeeded(TournamentRefusal):
    code = "reason_missing"
    message = _("Say the reason: it goes into the log.")


class AlreadyDecided(TournamentRefusal):
    code = "already_decided"
    message = _("This series is decided already; correct its result instead.")


class BadMinutes(TournamentRefusal):
    """`most` (int)."""

    code = "bad_minutes"
    message = _("Give from 1 to %(most)d minutes more. The deadline is as it was.")


class CannotCorrect(TournamentRefusal):
    code = "cannot_correct"
    message = _("This result cannot be changed: %(reason)s")


class CannotStart(TournamentRefusal):
    code = "cannot_start"
    message = _("The tournament cannot start: %(reason)s")


class PairingStopped(TournamentRefusal):
    """No legal pairing: the director decides. `reason` is the core's sentence."""

    code = "pairing_stopped"
    message = _("The next round cannot be paired: %(reason)s")


class BadStartTime(TournamentRefusal):
    code = "bad_time"
    message = _("%(time)s does not exist in %(zone)s: the clocks are put forward then. Choose another time.")
