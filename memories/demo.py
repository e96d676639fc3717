"""The demo stores: Orbit, an issue tracker's agent; a travel planner; an assistant. Made once, then left alone."""

from __future__ import annotations

import json
import secrets
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from memories.audit import Actor
from memories.block import prompt_block
from memories.embedding import default_width, measured
from memories.models import (
    AuditEvent,
    Membership,
    Memory,
    Origin,
    Recall,
    Refusal,
    Role,
    Run,
    Status,
    Store,
    VersionRule,
)
from memories.propose import propose, propose_many
from memories.recall import recall, record_recall
from memories.review import approve
from memories.schemas import Draft

DATASETS = Path(settings.BASE_DIR) / "datasets"
STORES: dict[str, dict[str, Any]] = {
    "orbit": {
        "name": "Orbit",
        "description": "What Atlas learnt while triaging the issues of the Orbit job queue.",
        "version_rule": VersionRule.OPTIONAL,
        # Measured with `manage.py experiments`: below it lies what the three novel issues find.
        "minimum_score": 0.1,
        # The tracker's lessons reach back to 2024.
        "fact_days": 1_460,
        "episode_days": 730,
    },
    "travel": {
        "name": "Travel planner",
        "description": "What a traveler told a planning assistant about themselves.",
        "minimum_score": 0.06,
        "fact_days": 1_460,
        "episode_days": 365,
    },
    "assistant": {
        "name": "Assistant",
        "description": "What a personal assistant keeps about its user's work.",
        "minimum_score": 0.1,
        "fact_days": 1_460,
        "episode_days": 365,
    },
}
PEOPLE = {"olga": Role.OWNER, "mara": Role.MAINTAINER, "ren": Role.REVIEWER, "tove": Role.READER}


def make_demo() -> tuple[str, list[str]]:
    """Make what is missing of the demo and return a fresh password for its people, and the names of new stores.

    A store that is there keeps its notes as they are: what somebody forgot does not come back.
    """
    password = "-".join(secrets.token_hex(2) for _part in range(4))
    people = {name: _person(name, password) for name in PEOPLE}
    made = []
    for slug, fields in STORES.items():
        if not Store.objects.filter(slug=slug).exists():
            with transaction.atomic():
                _fill(_store(slug, fields, people), people)
            made.append(slug)
    return password, made


def read(path: Path) -> list[dict[str, Any]]:
    """Objects of a file of JSON lines; none where there is no such file."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines if line.strip()]


def _person(name: str, password: str) -> User:
    user, _new = User.objects.get_or_create(username=name)
    user.is_staff = user.is_superuser = PEOPLE[name] == Role.OWNER
    user.set_password(password)
    user.save()
    return user


def _store(slug: str, fields: dict[str, Any], people: dict[str, User]) -> Store:
    embedder = settings.ENVIRONMENT.new_embedder
    store = Store.objects.create(
        slug=slug,
        embedder=embedder,
        width=default_width(embedder),
        dedupe_threshold=measured(embedder).dedupe,
        **fields,
    )
    for name, role in PEOPLE.items():
        Membership.objects.create(store=store, user=people[name], role=role)
    return store


def _fill(store: Store, people: dict[str, User]) -> None:
    folder = DATASETS / store.slug
    for row in sorted(read(folder / "curated.jsonl"), key=lambda row: str(row["observed_at"])):
        load_curated(store, row, Actor.person(people["mara"]))
    for row in read(folder / "runs.jsonl"):
        Run.objects.create(store=store, **row | {name: recently(row[name]) for name in ("started_at", "finished_at")})
    _propose_all(store, read(folder / "proposals.jsonl"))
    for run in Run.objects.filter(store=store):
        notes = recall(store, run.task, k=3)
        kept = record_recall(store, run.task, notes, run=run, block_tokens=prompt_block(store, "", notes).tokens)
        Recall.objects.filter(pk=kept.pk).update(at=run.started_at)


@cache
def _shift() -> timedelta:
    """What lies between the data's last run and yesterday, so that the inbox is never a year old."""
    last = max(datetime.fromisoformat(row["finished_at"]) for row in read(DATASETS / "orbit" / "runs.jsonl"))
    return timedelta(days=(timezone.now() - last).days - 1)


def recently(moment: str) -> datetime:
    """A moment of the demo data, moved with all the others so that the last run was yesterday."""
    return datetime.fromisoformat(moment) + _shift()


def load_curated(store: Store, row: dict[str, Any], maintainer: Actor) -> Memory:
    """Propose and approve one curated note, dated as its data says, with each of its sources."""
    learnt = recently(row["observed_at"])
    origin = Origin(row["origin"])
    draft = Draft.model_validate(row)
    importer = maintainer if origin == Origin.MAINTAINER else Actor.command("demo")
    before = _last_event()
    number = 0
    for source in [draft.source, *row.get("more_sources", [])]:
        named = draft.model_copy(update={"source": source})
        outcome = propose(store, named, importer, origin=origin, observed_at=learnt)
        if outcome.id is None:
            raise ValueError(f"A curated note was refused: {' '.join(outcome.sentences)}")
        number = number or outcome.id
    note = Memory.objects.get(pk=number)
    _backdate(before, learnt)
    if note.status == Status.PROPOSED:
        before = _last_event()
        note = approve(store, note.pk, maintainer, version=note.version)
        decided = learnt + timedelta(days=1)
        _backdate(before, decided)
        Memory.objects.filter(pk=number).update(created_at=learnt, changed_at=decided, decided_at=decided)
    return note


def _propose_all(store: Store, rows: list[dict[str, Any]]) -> None:
    """Propose what waits in the inbox, run by run, as the agent did."""
    ends = dict(Run.objects.filter(store=store).values_list("identifier", "finished_at"))
    for identifier in dict.fromkeys(row.get("run") or "" for row in rows):
        drafts = [Draft.model_validate(row) for row in rows if (row.get("run") or "") == identifier]
        learnt = ends.get(identifier) or timezone.now() - timedelta(days=1)
        before = _last_event()
        outcomes = propose_many(store, drafts, Actor.agent("atlas"), observed_at=learnt)
        _backdate(before, learnt)
        numbers = [outcome.id for outcome in outcomes if outcome.id and outcome.outcome != "duplicate"]
        Memory.objects.filter(pk__in=numbers).update(created_at=learnt, changed_at=learnt)
        Refusal.objects.filter(store=store, at__gt=timezone.now() - timedelta(hours=1)).update(at=learnt)


def _last_event() -> int:
    return AuditEvent.objects.aggregate(last=Max("pk"))["last"] or 0


def _backdate(before: int, moment: datetime) -> None:
    """Let what was just recorded look like what happened then: a demo without a past shows empty pages."""
    AuditEvent.objects.filter(pk__gt=before).update(at=moment)
