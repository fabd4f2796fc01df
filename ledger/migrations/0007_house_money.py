from django.db import migrations, models

from ledger.guards import install


class Migration(migrations.Migration):
    """The house's own money: capital is taken out by two people; the rights on capital and the promotion fund."""

    dependencies = [("ledger", "0006_period_guards")]
    operations = [
        migrations.AlterModelOptions(
            name="entry",
            options={
                "permissions": [
                    ("deposit", "May record deposits"),
                    ("withdraw", "May ask for withdrawals on a player's behalf"),
                    ("adjust", "May propose adjustments and reversals"),
                    ("capital", "May enter the house's own money and ask for it to be taken out"),
                    ("promote", "May fill the promotion fund and take back from it"),
                ],
                "verbose_name": "entry",
                "verbose_name_plural": "entries",
            },
        ),
        migrations.RemoveConstraint(model_name="proposal", name="ledger_proposal_fits_kind"),
        migrations.AlterField(
            model_name="proposal",
            name="kind",
            field=models.CharField(
                choices=[
                    ("withdrawal", "withdrawal"),
                    ("adjustment", "adjustment"),
                    ("reversal", "reversal"),
                    ("capital_out", "capital taken out"),
                ],
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="proposal",
            constraint=models.CheckConstraint(
                condition=models.Q(kind="withdrawal", owner_id__isnull=False, reverses__isnull=True, amount__gt=0)
                | (models.Q(kind="adjustment", owner_id__isnull=False, reverses__isnull=True) & ~models.Q(amount=0))
                | models.Q(kind="reversal", owner_id__isnull=True, reverses__isnull=False, amount__gt=0)
                | models.Q(kind="capital_out", owner_id__isnull=True, reverses__isnull=True, amount__gt=0),
                name="ledger_proposal_fits_kind",
            ),
        ),
        *install("house"),
    ]
