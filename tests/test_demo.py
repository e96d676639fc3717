"""The demo: made once, then left alone; and the experiments that its data was written for."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from memories.audit import Actor
from memories.demo import make_demo
from memories.experiments import run_experiments
from memories.forget import Selection, forget
from memories.models import AuditEvent, Membership, Memory, Recall, Refusal, Role, Run, Status, Store
from memories.recall import recall
from memories.sweep import due_notes

STORES = ["assistant", "orbit", "travel"]


def counts() -> dict[str, int]:
    models = (Memory, Run, Refusal, AuditEvent, Recall, Membership, Store, User)
    return {model.__name__: model.objects.count() for model in models}


def test_the_demo_again_and_again_does_no_harm(db: None) -> None:
    password, made = make_demo()
    assert sorted(made) == STORES
    assert Memory.objects.filter(status=Status.PROPOSED).count() >= 40
    assert Memory.objects.filter(status=Status.PROPOSED, conflicts_with__isnull=False).exists()
    assert Refusal.objects.exists()
    orbit = Store.objects.get(slug="orbit")
    assert recall(orbit, "worker lease heartbeat")
    roles = {row.user.username: row.role for row in orbit.memberships.select_related("user")}
    assert roles == {"olga": Role.OWNER, "mara": Role.MAINTAINER, "ren": Role.REVIEWER, "tove": Role.READER}
    assert authenticate(username="mara", password=password)
    assert not any(due_notes(store, timezone.now()).exists() for store in Store.objects.all())

    gone = Memory.objects.filter(store=orbit, status=Status.APPROVED).first()
    assert gone is not None
    forget(orbit, Selection(ids=(gone.pk,)), Actor.command("test"))
    before = counts()
    again, made = make_demo()
    assert made == []
    assert counts() == before
    assert not Memory.objects.filter(store=orbit, text=gone.text).exists()
    assert authenticate(username="mara", password=password) is None
    assert authenticate(username="mara", password=again)


def test_a_missing_store_is_made_anew_and_the_others_stay(db: None) -> None:
    make_demo()
    Store.objects.get(slug="travel").delete()
    notes = set(Memory.objects.values_list("pk", flat=True))
    _password, made = make_demo()
    assert made == ["travel"]
    assert notes < set(Memory.objects.values_list("pk", flat=True))


def test_the_command_says_how_to_sign_in(db: None) -> None:
    out = StringIO()
    call_command("demo", address="http://127.0.0.1:9999", stdout=out)
    first, last = out.getvalue().splitlines()
    assert first.startswith("Made the demo stores ")
    assert last.startswith("Sign in at http://127.0.0.1:9999 as mara (maintainer)")
    password = last.rpartition(" ")[2]
    assert authenticate(username="tove", password=password)


@pytest.mark.slow
def test_every_experiment_holds_and_leaves_nothing_behind(db: None) -> None:
    out = StringIO()
    call_command("experiments", stdout=out)
    lines = out.getvalue().splitlines()
    assert lines
    assert all(line.startswith("holds  ") for line in lines), out.getvalue()
    assert "recall@3 5/5" in lines[0]
    assert set(counts().values()) == {0}


def test_an_experiment_that_fails_is_seen_from_outside(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from memories.experiments import Row

    monkeypatch.setattr(
        "memories.management.commands.experiments.run_experiments", lambda: [Row("curated notes", "0/5", False)]
    )
    with pytest.raises(SystemExit) as ended:
        call_command("experiments", stdout=StringIO())
    assert ended.value.code == 1
    assert callable(run_experiments)
