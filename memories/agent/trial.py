"""A store of its own in which the agent is measured or shown, and the guards against a fake win."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from django.conf import settings
from django.contrib.auth.models import User

from memories.audit import Actor
from memories.embedding import default_width, measured
from memories.forget import Selection, forget
from memories.models import Membership, Memory, Role, Status, Store
from memories.review import decide_many
from memories.store_settings import change_settings, set_member

# With wordllama the curated Orbit notes reach 0.15 and more for the issues they help with, 0.10 at most for others.
MINIMUM_SCORE = 0.12
# By this the store of a trial is known again, by people on its overview, too.
MARK = "A trial of the agent: its notes are forgotten each time the trial begins."


class Taken(Exception):
    """A store of the trial's short name was not made by a trial: its notes are somebody's."""

    def __init__(self, slug: str) -> None:
        super().__init__(
            f"There is a store {slug} that no trial made, and a trial would forget its notes: "
            "run this with a data directory of its own (ATLAS_DATA_DIR)."
        )


class Contaminated(Exception):
    """The notes hold what would make memory look better than it is; the message says which guard spoke."""


def open_trial(slug: str, name: str, maintainer: User) -> Store:
    """The trial's store with nothing in it: notes of an earlier trial are forgotten, its runs stay to be looked at.

    Raises:
        Taken: the store of that short name was not made here; nothing of it is touched.
    """
    actor = Actor.person(maintainer)
    store, _new = Store.objects.get_or_create(slug=slug, defaults={"name": name, "description": MARK})
    if store.description != MARK:
        raise Taken(slug)
    if not Membership.objects.filter(store=store, user=maintainer, role=Role.MAINTAINER).exists():
        set_member(store, actor, maintainer, Role.MAINTAINER)
    left = tuple(Memory.objects.filter(store=store).values_list("pk", flat=True))
    if left:
        forget(store, Selection(ids=left), actor)
    # Nothing is left that was embedded otherwise, so the embedder of this process can be taken.
    embedder = settings.ENVIRONMENT.new_embedder
    thresholds = measured(embedder)
    change_settings(
        store,
        actor,
        {
            "embedder": embedder,
            "width": default_width(embedder),
            "dedupe_threshold": thresholds.dedupe,
            "minimum_score": min(thresholds.minimum_score, MINIMUM_SCORE),
        },
    )
    store.refresh_from_db()
    return store


def approve_sound_notes(store: Store, maintainer: User) -> list[int]:
    """Approve, as `maintainer`, the waiting notes that the filter has no doubt about and that contradict nothing."""
    waiting = Memory.objects.filter(store=store, status=Status.PROPOSED, findings=[], conflicts_with=None)
    notes = list(waiting.values_list("pk", "version"))
    return decide_many(store, notes, "approve", Actor.person(maintainer)).done


def check_clean(store: Store, allowed_tasks: Collection[int], measured: Iterable[int]) -> None:
    """Refuse to measure with notes that know the answers.

    Every note must come from a run on one of `allowed_tasks`, and neither its sources nor its words may be of an issue
    in `measured`.

    Raises:
        Contaminated: a note fails one of these.
    """
    tasks = {f"issue:{number}" for number in allowed_tasks}
    banned = {f"issue:{number}" for number in measured}
    mention = re.compile("|".join(rf"(?:#|issue[ :]){number}\b" for number in measured) or "(?!)", re.IGNORECASE)
    for note in Memory.objects.filter(store=store).select_related("run").prefetch_related("sources"):
        if note.run is None or note.run.task_source not in tasks:
            raise Contaminated(f"Note {note.pk} does not come from a run on an original issue.")
        if banned & {note.source, *(row.source for row in note.sources.all())}:
            raise Contaminated(f"Note {note.pk} was learnt from an issue that is measured.")
        if mention.search(note.text):
            raise Contaminated(f"Note {note.pk} names an issue that is measured.")
