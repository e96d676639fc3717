"""Finished agent runs and what was recalled into them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from memories.models.store import Store


class Run(models.Model):
    """One finished agent run. Raw tool output is never kept: only what it was, cost, and which sources it saw."""

    store = models.ForeignKey(Store, on_delete=models.CASCADE, related_name="runs", db_index=False)
    identifier = models.CharField(_("identifier"), max_length=100)
    agent = models.CharField(_("agent"), max_length=100)
    model = models.CharField(_("model"), max_length=100, blank=True)
    prompt_version = models.CharField(max_length=40, blank=True)
    writer_model = models.CharField(max_length=100, blank=True)
    writer_prompt_version = models.CharField(max_length=40, blank=True)
    task = models.CharField(_("task"), max_length=300, blank=True)
    task_source = models.CharField(max_length=200, blank=True)
    memory_mode = models.CharField(max_length=10, blank=True)
    sources = models.JSONField(default=list, blank=True)
    steps = models.PositiveIntegerField(default=0)
    calls = models.PositiveIntegerField(default=0)
    input_tokens = models.PositiveBigIntegerField(default=0)
    output_tokens = models.PositiveBigIntegerField(default=0)
    # None where the price of a model is unknown: a zero would read as free.
    cost_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, default=0)
    stop_reason = models.CharField(max_length=40, blank=True)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-started_at", "-id"]
        indexes = [models.Index(fields=["store", "-started_at", "-id"], name="run_by_start")]
        constraints = [
            models.UniqueConstraint(fields=["store", "identifier"], name="run_identifier_once_a_store"),
            models.CheckConstraint(condition=~Q(identifier=""), name="run_has_an_identifier"),
        ]

    def __str__(self) -> str:
        return self.identifier


class Recall(models.Model):
    """One look-up by an agent during a run; it answers "why did it say that?"."""

    store = models.ForeignKey(Store, on_delete=models.CASCADE, related_name="recalls", db_index=False)
    run = models.ForeignKey(Run, on_delete=models.CASCADE, null=True, blank=True, related_name="recalls")
    query = models.CharField(max_length=500, blank=True)
    block_tokens = models.PositiveIntegerField(default=0)
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["store", "-at", "-id"], name="recall_by_time")]

    def __str__(self) -> str:
        return f"recall {self.pk}"


class RecallHit(models.Model):
    """One note that a recall showed, with the scores it had then."""

    recall = models.ForeignKey(Recall, on_delete=models.CASCADE, related_name="hits", db_index=False)
    memory = models.ForeignKey("memories.Memory", on_delete=models.CASCADE, related_name="recall_hits")
    rank = models.PositiveSmallIntegerField()
    score = models.FloatField()
    cosine = models.FloatField()
    word_score = models.FloatField()

    class Meta:
        ordering = ["rank"]
        constraints = [models.UniqueConstraint(fields=["recall", "memory"], name="recall_hit_once")]

    def __str__(self) -> str:
        return f"note {self.memory_id} at rank {self.rank}"
