"""Who may do what in which store, and how a person likes the console."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from memories.models.store import Store


class Role(models.IntegerChoices):
    """Each role may do all that the ones below it may.

    reader: look and recall; reviewer: propose, decide facts and episodes; maintainer: decide and write preferences and
    procedures, forget, export; owner: settings and members.
    """

    READER = 10, _("reader")
    REVIEWER = 20, _("reviewer")
    MAINTAINER = 30, _("maintainer")
    OWNER = 40, _("owner")


class Membership(models.Model):
    """A person's role in one store."""

    store = models.ForeignKey(Store, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.PositiveSmallIntegerField(_("role"), choices=Role.choices, default=Role.READER)

    class Meta:
        ordering = ["user__username"]
        constraints = [
            models.UniqueConstraint(fields=["store", "user"], name="membership_once_a_store"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.get_role_display()}"


class Profile(models.Model):
    """How one person likes the console."""

    class Theme(models.TextChoices):
        SYSTEM = "system", _("as the system")
        LIGHT = "light", _("light")
        DARK = "dark", _("dark")

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="profile")
    shortcuts = models.BooleanField(_("keyboard shortcuts"), default=True)
    theme = models.CharField(_("theme"), max_length=6, choices=Theme.choices, default=Theme.SYSTEM)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    language = models.CharField(_("language"), max_length=8, default="en")

    def __str__(self) -> str:
        return str(self.user)
