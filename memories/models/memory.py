"""A memory, which the console calls a note, and everything that dies with it."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Length
from django.db.models.lookups import Exact
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memories.models.run import Run
from memories.models.store import Store

TEXT_LIMIT = 2_000
SOURCE_LIMIT = 200
EVIDENCE_LIMIT = 300


class Kind(models.TextChoices):
    """Preferences and procedures come from maintainers only."""

    FACT = "fact", _("fact")
    PREFERENCE = "preference", _("preference")
    EPISODE = "episode", _("episode")
    PROCEDURE = "procedure", _("procedure")


class Status(models.TextChoices):
    """Forgotten is no status: the row is gone."""

    PROPOSED = "proposed", _("proposed")
    APPROVED = "approved", _("approved")
    REJECTED = "rejected", _("rejected")


class Origin(models.TextChoices):
    """How far to trust where a note came from, best first; of several the lowest counts."""

    MAINTAINER = "maintainer", _("maintainer")
    USER_STATED = "user_stated", _("stated by the user")
    AGENT_DERIVED = "agent_derived", _("derived by an agent")
    UNTRUSTED = "untrusted", _("untrusted")


def source_form(field: str) -> Q:
    """A source has a scheme and an identifier; `screening.parse_source` checks the rest."""
    return Q(**{f"{field}__contains": ":"}) & ~Q(**{f"{field}__startswith": ":"}) & ~Q(**{f"{field}__endswith": ":"})


class Memory(models.Model):
    """One short sentence that an agent may be reminded of.

    `embedding` holds `width` little-endian float32 of unit length, or None while it waits for an embedder that could
    not be reached; such a note is in the inbox but cannot be approved. `version` counts the states of the row: every
    decision names the one it saw. `revision` is the store's revision at the last change that an index must see.
    """

    # Its index is the order in which a store's notes were added. Most other foreign keys have none of their own: every
    # write would pay for one that another index makes needless, or that holds hardly anything.
    store = models.ForeignKey(Store, on_delete=models.CASCADE, related_name="memories")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    text = models.CharField(_("text"), max_length=TEXT_LIMIT)
    source = models.CharField(_("source"), max_length=SOURCE_LIMIT)
    origin = models.CharField(_("origin"), max_length=13, choices=Origin.choices)
    observed_at = models.DateTimeField(_("learnt at"))
    expires_at = models.DateTimeField(_("ends at"), null=True, blank=True)
    applies_to = models.CharField(_("versions"), max_length=60, blank=True)
    status = models.CharField(_("status"), max_length=8, choices=Status.choices, default=Status.PROPOSED)
    evidence = models.CharField(_("evidence"), max_length=EVIDENCE_LIMIT, blank=True)

    proposer = models.CharField(max_length=160)
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)
    run = models.ForeignKey(
        Run, on_delete=models.SET_NULL, null=True, blank=True, related_name="memories", db_index=False
    )
    findings = models.JSONField(default=list, blank=True)
    risk = models.PositiveSmallIntegerField(default=0)
    conflicts_with = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="conflicts", db_index=False
    )
    times_seen = models.PositiveIntegerField(default=1)

    reviewer = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    replaces = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="replaced_by", db_index=False
    )
    # What undo gives back to a note that was rejected because another one replaced it.
    before_replaced = models.JSONField(null=True, blank=True)

    width = models.PositiveIntegerField()
    embedding = models.BinaryField(null=True)
    terms = models.BinaryField(default=b"")
    version = models.PositiveIntegerField(default=1)
    revision = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    # Previews of deletions say otherwise. Lists ask it of every note, and a template takes long to find out that a row
    # has no such name.
    learnt_elsewhere = False

    class Meta:
        verbose_name_plural = "memories"
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["store", "revision"], name="memory_revision"),
            models.Index(fields=["store", "status", "-risk", "id"], name="memory_inbox"),
            models.Index(fields=["store", "status", "kind", "observed_at"], name="memory_retention"),
            models.Index(fields=["store", "observed_at", "id"], name="memory_by_date"),
            # The notes list follows one of these for each facet; see `memories.listing`.
            models.Index(fields=["store", "status", "observed_at", "id"], name="memory_status_by_date"),
            models.Index(fields=["store", "kind", "observed_at", "id"], name="memory_kind_by_date"),
            models.Index(fields=["store", "origin", "observed_at", "id"], name="memory_origin_by_date"),
            models.Index(fields=["store", "-risk", "id"], name="memory_by_risk"),
            models.Index(fields=["store", "id"], name="memory_conflict", condition=Q(conflicts_with__isnull=False)),
            # For the sweep of rejected notes, and for what was decided on a day.
            models.Index(
                fields=["store", "status", "decided_at", "reviewer"],
                name="memory_decided",
                condition=Q(decided_at__isnull=False),
            ),
            models.Index(fields=["store", "source"], name="memory_source"),
            models.Index(fields=["run", "status"], name="memory_by_run", condition=Q(run__isnull=False)),
            models.Index(
                fields=["store", "status", "created_at"], name="memory_queue_age", condition=Q(status="proposed")
            ),
            models.Index(fields=["store", "expires_at"], name="memory_end", condition=Q(expires_at__isnull=False)),
            models.Index(fields=["store", "id"], name="memory_waiting", condition=Q(embedding__isnull=True)),
            *(
                models.Index(fields=[name], name=f"memory_{name}", condition=Q(**{f"{name}__isnull": False}))
                for name in ("author", "reviewer", "conflicts_with", "replaces")
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="memory_kind_known"),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="memory_status_known"),
            models.CheckConstraint(condition=Q(origin__in=Origin.values), name="memory_origin_known"),
            models.CheckConstraint(condition=~Q(text=""), name="memory_text_not_empty"),
            models.CheckConstraint(condition=source_form("source"), name="memory_source_form"),
            models.CheckConstraint(
                condition=Q(embedding__isnull=True) | Q(Exact(Length("embedding"), F("width") * 4)),
                name="memory_embedding_width",
            ),
            models.CheckConstraint(
                condition=~Q(status=Status.APPROVED) | Q(embedding__isnull=False),
                name="memory_approved_has_embedding",
            ),
            models.CheckConstraint(
                condition=Q(status=Status.PROPOSED) | Q(decided_at__isnull=False),
                name="memory_decided_has_date",
            ),
        ]

    def __str__(self) -> str:
        return f"note {self.pk}"

    @property
    def has_ended(self) -> bool:
        """Whether its own end is past; its kind's time to live is another matter."""
        return self.expires_at is not None and self.expires_at <= timezone.now()


class MemorySource(models.Model):
    """One place where a note was learnt; the note's own `source` is the first of them and has a row here too."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="sources", db_index=False)
    store = models.ForeignKey(Store, on_delete=models.CASCADE, related_name="+", db_index=False)
    source = models.CharField(max_length=SOURCE_LIMIT)
    origin = models.CharField(max_length=13, choices=Origin.choices)
    observed_at = models.DateTimeField()
    evidence = models.CharField(max_length=EVIDENCE_LIMIT, blank=True)
    run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["store", "source", "observed_at", "memory"], name="memory_source_by_name"),
            models.Index(fields=["run"], name="memory_source_run", condition=Q(run__isnull=False)),
        ]
        constraints = [
            models.UniqueConstraint(fields=["memory", "source"], name="memory_source_once"),
            models.CheckConstraint(condition=source_form("source"), name="memory_source_row_form"),
            models.CheckConstraint(condition=Q(origin__in=Origin.values), name="memory_source_origin_known"),
        ]

    def __str__(self) -> str:
        return self.source


# Stands for an earlier text that must not be kept.
REMOVED = "[removed]"


class EarlierText(models.Model):
    """What a note said before an edit, and when it would have ended."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="earlier_texts", db_index=False)
    text = models.CharField(max_length=TEXT_LIMIT)
    applies_to = models.CharField(max_length=60, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField()
    changed_by = models.CharField(max_length=160)
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["-version"]
        constraints = [models.UniqueConstraint(fields=["memory", "version"], name="earlier_text_once_a_version")]

    def __str__(self) -> str:
        return f"note {self.memory_id}, version {self.version}"

    @property
    def is_removed(self) -> bool:
        return self.text == REMOVED

    @property
    def says_the_same(self) -> bool:
        """Whether the note is again as it was then."""
        note = self.memory
        return (self.text, self.applies_to, self.expires_at) == (note.text, note.applies_to, note.expires_at)


class Removal(models.Model):
    """The id of a forgotten note, by which every process drops it from its index. Holds nothing else of it.

    The sweep lets go of those that no process needs any more; see `memories.resident`.
    """

    store = models.ForeignKey(Store, on_delete=models.CASCADE, related_name="removals", db_index=False)
    memory_number = models.BigIntegerField()
    revision = models.PositiveBigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["store", "revision"], name="removal_revision")]

    def __str__(self) -> str:
        return f"note {self.memory_number}"


class NextEmbedding(models.Model):
    """A note's vector of the embedder that its store is changing to; all of them move into place at once."""

    memory = models.OneToOneField(Memory, on_delete=models.CASCADE, related_name="next_embedding")
    embedder = models.CharField(max_length=120)
    version = models.PositiveIntegerField()
    embedding = models.BinaryField()

    def __str__(self) -> str:
        return f"note {self.memory_id}, {self.embedder}"
