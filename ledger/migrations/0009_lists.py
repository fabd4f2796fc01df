"""Indexes for the operators' lists: accounts by kind, frozen ones, entries of the rarer kinds."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0007_house_money")]

    operations = [
        migrations.AddIndex(
            model_name="account",
            index=models.Index(fields=["kind", "currency", "id"], name="ledger_account_kind"),
        ),
        migrations.AddIndex(
            model_name="account",
            index=models.Index(condition=models.Q(("status", "frozen")), fields=["id"], name="ledger_account_frozen"),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(
                condition=models.Q(("kind", "settlement"), _negated=True),
                fields=["kind", "id"],
                name="ledger_entry_kind",
            ),
        ),
    ]
