from django.db import migrations

from ledger.guards import install


class Migration(migrations.Migration):
    """Triggers of debts, freezing and proposals."""

    dependencies = [("ledger", "0003_two_people")]
    operations = install("debts", "freezing", "proposals")
