"""An operator declares a running game void: nobody pays, both holds are released, and the table goes on."""

from __future__ import annotations

import structlog
from django.db import transaction
from django.utils import timezone

from games import live
from games.finish import return_to_table, void
from games.models import Game
from players.models import Player

logger = structlog.get_logger(__name__)


@transaction.atomic
def void_game(actor: Player, game_id: int, reason: str) -> bool:
    """Void one running game for a reason that the log keeps; False when it is over already (nothing changes then)."""
    game = Game.objects.select_for_update(no_key=True).filter(pk=game_id, status=Game.Status.PLAYING).first()
    if game is None:
        return False
    now = timezone.now()
    void(game, "operator", now)
    game.version += 1
    game.save()
    return_to_table(game, now)
    live.publish_on_commit(f"game:{game.pk}", game.version)
    logger.warning("game voided by operator", game=game.pk, actor=actor.pk, reason=reason)
    return True
