"""What reconciliation found, and how far verification has come."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Finding(models.Model):
    """Something that is not as it must be. Nothing is repaired by it; it stays until an operator says what was done.

    Found again while it is open, its message becomes the newest, and `last_seen` and `times` move; found again later,
    it is a new one.
    """

    check_name = models.CharField(_("check"), max_length=60)
    subject = models.CharField(_("subject"), max_length=200)
    message = models.TextField(_("message"))
    first_seen = models.DateTimeField(_("first seen"))
    last_seen = models.DateTimeField(_("last seen"))
    times = models.IntegerField(_("times seen"), default=1)
    resolved_at = models.DateTimeField(_("resolved"), null=True, blank=True)
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("resolved by")
    )
    reason = models.CharField(_("reason"), max_length=500, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["check_name", "subject"],
                condition=models.Q(resolved_at__isnull=True),
                name="watch_finding_open_once",
            ),
            models.CheckConstraint(
                condition=models.Q(resolved_at__isnull=True, resolved_by__isnull=True, reason="")
                | models.Q(resolved_at__isnull=False, resolved_by__isnull=False) & ~models.Q(reason=""),
                name="watch_finding_resolved_with_reason",
            ),
        ]
        permissions = [("resolve_finding", _("May resolve findings"))]
        verbose_name = _("finding")
        verbose_name_plural = _("findings")

    def __str__(self) -> str:
        return f"{self.check_name}: {self.subject}"


class Verification(models.Model):
    """One verification of the ledger up to a head of its chain. The next incremental one goes on from a sound one."""

    at = models.DateTimeField(_("at"), auto_now_add=True)
    full = models.BooleanField(_("full"))
    number = models.BigIntegerField(_("up to journal number"))
    digest = models.CharField(max_length=64)
    violations = models.IntegerField(_("violations"))
    seconds = models.FloatField(_("seconds"))

    class Meta:
        verbose_name = _("verification")
        verbose_name_plural = _("verifications")

    def __str__(self) -> str:
        return f"№ {self.number}, {self.violations}"
