"""A store: one tenant's memory, its rules, and what its people keep about looking at it."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import connection, models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

DAYS = [MinValueValidator(1), MaxValueValidator(36_500)]
SHARE = [MinValueValidator(0.0), MaxValueValidator(1.0)]


class VersionRule(models.TextChoices):
    """How a store treats the product versions that its notes hold for."""

    NONE = "none", _("versions play no part")
    OPTIONAL = "optional", _("a version may be given")
    REQUIRED = "required", _("facts, episodes and procedures must name a version")


class Store(models.Model):
    """One tenant's memory; nothing is read or written across stores.

    `revision` grows with every change that an index must see: each process compares it with its own before a recall.
    """

    slug = models.SlugField(_("short name"), unique=True, max_length=60)
    name = models.CharField(_("name"), max_length=120)
    description = models.CharField(_("description"), max_length=300, blank=True)
    embedder = models.CharField(_("embedder"), max_length=120, default="wordllama")
    width = models.PositiveIntegerField(_("width"), default=256)
    dedupe_threshold = models.FloatField(_("duplicate threshold"), default=0.9, validators=SHARE)
    minimum_score = models.FloatField(_("minimum score"), default=0.2, validators=SHARE)
    # None keeps notes of that kind until somebody forgets them.
    fact_days = models.PositiveIntegerField(
        _("days a fact is kept"), null=True, blank=True, default=365, validators=DAYS
    )
    preference_days = models.PositiveIntegerField(
        _("days a preference is kept"), null=True, blank=True, validators=DAYS
    )
    episode_days = models.PositiveIntegerField(
        _("days an episode is kept"), null=True, blank=True, default=90, validators=DAYS
    )
    procedure_days = models.PositiveIntegerField(_("days a procedure is kept"), null=True, blank=True, validators=DAYS)
    rejected_days = models.PositiveIntegerField(
        _("days a rejected note is kept"), null=True, blank=True, default=30, validators=DAYS
    )
    version_rule = models.CharField(
        _("version rule"), max_length=10, choices=VersionRule.choices, default=VersionRule.NONE
    )
    two_person_review = models.BooleanField(_("a note's author cannot decide it"), default=False)
    user_notes_need_review = models.BooleanField(_("what a user states about themselves needs review"), default=True)
    policy = models.JSONField(_("filter policy"), default=dict, blank=True)
    revision = models.PositiveBigIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.CheckConstraint(condition=~Q(slug="") & ~Q(name=""), name="store_has_names"),
            models.CheckConstraint(condition=Q(width__gte=1, width__lte=8192), name="store_width_in_range"),
            models.CheckConstraint(
                condition=Q(
                    dedupe_threshold__gte=0,
                    dedupe_threshold__lte=1,
                    minimum_score__gte=0,
                    minimum_score__lte=1,
                ),
                name="store_thresholds_are_shares",
            ),
            models.CheckConstraint(condition=Q(version_rule__in=VersionRule.values), name="store_version_rule_known"),
        ]

    def __str__(self) -> str:
        return self.slug

    def days_kept(self, kind: str) -> int | None:
        """Days that a note of `kind` is recalled and kept after it was last observed; None for ever."""
        days: int | None = getattr(self, f"{kind}_days")
        return days

    def next_revision(self) -> int:
        """Count one change that indexes must see; call it inside the transaction that makes the change."""
        with connection.cursor() as cursor:
            # One statement instead of an update and a look: this is on the way of every write.
            cursor.execute(
                "UPDATE memories_store SET revision = revision + 1 WHERE id = %s RETURNING revision", [self.pk]
            )
            self.revision = cursor.fetchone()[0]
        return self.revision


class SavedView(models.Model):
    """A filter on the notes list under a name, shared by everybody in the store."""

    store = models.ForeignKey(Store, on_delete=models.CASCADE, related_name="saved_views")
    name = models.CharField(_("name"), max_length=60)
    query = models.CharField(max_length=1_000)
    created_by = models.ForeignKey("auth.User", on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["store", "name"], name="saved_view_name_once_a_store"),
            models.CheckConstraint(condition=~Q(name=""), name="saved_view_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class PinnedQuery(models.Model):
    """A recall that must, or must never, show one note; all of them run as a regression test."""

    store = models.ForeignKey(Store, on_delete=models.CASCADE, related_name="pinned_queries")
    memory = models.ForeignKey("memories.Memory", on_delete=models.CASCADE, related_name="pinned_queries")
    query = models.CharField(_("query"), max_length=500)
    must_recall = models.BooleanField(_("must be recalled"), default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["store", "memory", "query"], name="pinned_query_once_a_note"),
            models.CheckConstraint(condition=~Q(query=""), name="pinned_query_not_empty"),
        ]

    def __str__(self) -> str:
        return self.query
