from django.db import migrations

from ledger.guards import install


class Migration(migrations.Migration):
    """The chart's tables, foreign keys, triggers and lock functions."""

    dependencies = [("ledger", "0001_initial")]
    operations = install(
        "chart", "constraints", "immutable", "account", "entry", "hold", "line", "balance", "locks", "seal"
    )
