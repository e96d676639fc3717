"""The record of what was done: audit entries, refusals, receipts. None of it holds a note's text."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from memories.models.run import Run
from memories.models.store import Store


class Action(models.TextChoices):
    """Every change of state there is."""

    PROPOSED = "proposed", _("proposed")
    SEEN_AGAIN = "seen_again", _("seen again")
    REFUSED = "refused", _("refused")
    APPROVED = "approved", _("approved")
    REJECTED = "rejected", _("rejected")
    EDITED = "edited", _("edited")
    UNDONE = "undone", _("undone")
    EMBEDDED = "embedded", _("embedded")
    RESCREENED = "rescreened", _("screened again")
    FORGOTTEN = "forgotten", _("forgotten")
    SWEPT = "swept", _("swept")
    EXPORTED = "exported", _("exported")
    REEMBEDDED = "reembedded", _("embedder changed")
    SETTINGS = "settings", _("settings changed")
    MEMBERS = "members", _("members changed")
    VIEWS = "views", _("saved views changed")
    PINNED = "pinned", _("pinned queries changed")


class AuditEvent(models.Model):
    """Who did what, when, to how many notes.

    `memory_number` is no foreign key: the entry outlives the note. `details` holds counts, rule ids and settings, never
    a text of a note. `operation` is shared by the entries of one bulk action.
    """

    store = models.ForeignKey(Store, on_delete=models.CASCADE, related_name="audit_events")
    at = models.DateTimeField()
    actor = models.CharField(max_length=160)
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)
    action = models.CharField(max_length=12, choices=Action.choices)
    memory_number = models.BigIntegerField(null=True, blank=True)
    count = models.PositiveIntegerField(default=1)
    operation = models.CharField(max_length=32, blank=True)
    details = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["store", "at", "id"], name="audit_by_time"),
            # With the count, so that a day's sum reads no row.
            models.Index(fields=["store", "action", "at", "id", "count"], name="audit_by_action"),
            models.Index(fields=["store", "actor", "at", "id"], name="audit_by_actor"),
            models.Index(fields=["store", "actor", "action", "at", "id"], name="audit_by_actor_and_action"),
            # Without the entries of no note: a sample full of them would tell the planner that a note has thousands.
            models.Index(
                fields=["store", "memory_number", "at", "id"],
                name="audit_by_memory",
                condition=Q(memory_number__isnull=False),
            ),
            models.Index(fields=["store", "operation", "at", "id"], name="audit_by_operation"),
            models.Index(fields=["user"], name="audit_user", condition=Q(user__isnull=False)),
        ]
        constraints = [models.CheckConstraint(condition=Q(action__in=Action.values), name="audit_action_known")]

    def __str__(self) -> str:
        return f"{self.actor} {self.action} {self.count}"


class Refusal(models.Model):
    """One refused draft, without its text: which rules spoke, from which source and run, and when."""

    store = models.ForeignKey(Store, on_delete=models.CASCADE, related_name="refusals", db_index=False)
    at = models.DateTimeField()
    rule = models.CharField(max_length=80)
    rules = models.JSONField(default=list)
    # Empty where the source itself was malformed or refused.
    source = models.CharField(max_length=200, blank=True)
    proposer = models.CharField(max_length=160)
    run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, blank=True, related_name="refusals")

    class Meta:
        ordering = ["-id"]
        # Each holds all that a page counts and groups by: reading ten thousand rows one by one takes too long.
        indexes = [
            models.Index(fields=["store", "at", "source", "proposer", "rule", "run"], name="refusal_by_time"),
            models.Index(fields=["store", "rule", "at", "source", "proposer", "run"], name="refusal_by_rule"),
            models.Index(fields=["store", "source", "at", "proposer", "rule", "run"], name="refusal_by_source"),
        ]

    def __str__(self) -> str:
        return self.rule


class Receipt(models.Model):
    """Proof of a deletion: what was asked, how many rows went, where traces were looked for.

    `traces` is empty until every note is gone; without `finished_at` the database's files are not cleaned yet.
    """

    store = models.ForeignKey(Store, on_delete=models.CASCADE, related_name="receipts")
    operation = models.CharField(max_length=32, unique=True)
    at = models.DateTimeField()
    actor = models.CharField(max_length=160)
    asked = models.JSONField(default=dict)
    count = models.PositiveIntegerField(default=0)
    traces = models.JSONField(default=list)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.operation

    @property
    def waits(self) -> bool:
        """Whether every note is gone, and only the database's files are not cleaned yet."""
        return self.finished_at is None and bool(self.traces)


class ImportProgress(models.Model):
    """How far a file of drafts has been taken in, so that the command run again after a kill goes on from there."""

    store = models.ForeignKey(Store, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    lines = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["store", "digest"], name="import_progress_once_a_file")]

    def __str__(self) -> str:
        return f"{self.lines} lines"
