from django.db import migrations

from ledger.guards import install


class Migration(migrations.Migration):
    """Triggers of closed periods."""

    dependencies = [("ledger", "0005_periods")]
    operations = install("period")
