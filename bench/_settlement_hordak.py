"""The same settlements through django-hordak 2: one transaction of five legs each, by its models, in batches.

hordak has no holds; they are accounts beside the wallets, as its users make them. A settlement then empties both
players' held accounts into wallets and rake. hordak keeps no balances and checks no cover: posting alone costs this. As
with ours, finished games are pending, a batch of them is claimed, and each is marked settled with its transaction.
"""

from __future__ import annotations

import json
import os
import random
import time
from typing import ClassVar

import dj_database_url
import django
from django.conf import settings

settings.configure(
    SECRET_KEY="bench",
    USE_TZ=True,
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "djmoney", "mptt", "hordak"],
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    CURRENCIES=("EUR",),
    DEFAULT_CURRENCY="EUR",
    HORDAK_INTERNAL_CURRENCY="EUR",
    DATABASES={"default": dj_database_url.parse(os.environ["DATABASE_URL"])},
)
django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection, models, transaction  # noqa: E402
from hordak.models import Account, AccountType, Leg, Transaction  # noqa: E402
from moneyed import Money  # noqa: E402

PLAYERS = 200
GAMES = 1_000
BATCH = 500
ROUNDS = 3


class Game(models.Model):
    winner = models.IntegerField()
    loser = models.IntegerField()
    settlement = models.CharField(max_length=10, default="pending", db_index=True)
    transaction = models.ForeignKey(Transaction, models.PROTECT, null=True)

    objects: ClassVar[models.Manager[Game]] = models.Manager()

    class Meta:
        app_label = "bench"


def main() -> None:
    call_command("migrate", verbosity=0)
    wallets, held = accounts("wallet"), accounts("held")
    rake = Account.objects.create(name="rake", type=AccountType.income, currencies=["EUR"])
    with connection.schema_editor() as schema:
        schema.create_model(Game)
    speeds = []
    for round_ in range(ROUNDS):
        dice = random.Random(round_)
        pairs = [dice.sample(range(PLAYERS), 2) for _ in range(GAMES)]
        Game.objects.bulk_create([Game(winner=winner, loser=loser) for winner, loser in pairs])
        started = time.perf_counter()
        while settle_batch(wallets, held, rake):
            pass
        speeds.append(GAMES / (time.perf_counter() - started))
    print(json.dumps({"settled_per_s": max(speeds)}))


@transaction.atomic
def settle_batch(wallets: list[Account], held: list[Account], rake: Account) -> int:
    """Claim, post and mark a batch; how many it were."""
    games = list(Game.objects.filter(settlement="pending").select_for_update(skip_locked=True)[:BATCH])
    for game in games:
        game.transaction = settle(wallets, held, rake, game.winner, game.loser)
        game.settlement = "settled"
    Game.objects.bulk_update(games, ["settlement", "transaction"])
    return len(games)


def accounts(name: str) -> list[Account]:
    kind = AccountType.liability
    return [Account.objects.create(name=f"{name} {n}", type=kind, currencies=["EUR"]) for n in range(PLAYERS)]


def settle(wallets: list[Account], held: list[Account], rake: Account, winner: int, loser: int) -> Transaction:
    """Both holds of 30 are emptied: 10 goes back to the loser, 49 to the winner, 1 is rake."""
    entry = Transaction.objects.create(description="settlement")
    Leg.objects.create(transaction=entry, account=held[loser], debit=Money(30, "EUR"))
    Leg.objects.create(transaction=entry, account=held[winner], debit=Money(30, "EUR"))
    Leg.objects.create(transaction=entry, account=wallets[loser], credit=Money(10, "EUR"))
    Leg.objects.create(transaction=entry, account=wallets[winner], credit=Money(49, "EUR"))
    Leg.objects.create(transaction=entry, account=rake, credit=Money(1, "EUR"))
    return entry


if __name__ == "__main__":
    main()
