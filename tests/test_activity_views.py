import json
from datetime import timedelta

import pytest
from django.utils import timezone

from memories.audit import Actor, record
from memories.forget import Selection, forget
from memories.models import Action, AuditEvent, Store
from memories.pinned import pin
from memories.review import decide_many, reject, undo
from tests.helpers import person, proposed
from tests.rooms import browser, queries_of

pytestmark = pytest.mark.usefixtures("cast")
MARA, CRON = Actor("person:mara"), Actor.command("sweep")


def shown(store: Store, query: str) -> list[str]:
    page = browser("tove").get(f"/s/orbit/activity?{query}")
    return [event.action for event in page.context["page"].rows]


@pytest.fixture
def busy(store: Store) -> Store:
    record(store, MARA, Action.APPROVED, memory=7)
    record(store, CRON, Action.SWEPT, count=3, operation="f" * 32)
    record(store, MARA, Action.REJECTED, memory=8)
    return store


def test_the_newest_entry_comes_first(busy: Store) -> None:
    assert shown(busy, "") == ["rejected", "swept", "approved"]


def test_entries_stand_by_when_it_happened_and_lead_to_older_ones(store: Store) -> None:
    for days in (30, 3, 40):
        record(store, MARA, Action.APPROVED, memory=days)
        AuditEvent.objects.filter(memory_number=days).update(at=timezone.now() - timedelta(days=days))
    for number in range(100, 150):
        record(store, CRON, Action.SWEPT, memory=number)
    page = browser("tove").get("/s/orbit/activity")
    assert "Older" in page.content.decode()
    following = browser("tove").get("/s/orbit/activity", {"after": page.context["page"].after})
    assert [event.memory_number for event in following.context["page"].rows] == [3, 30, 40]
    assert "Newer" in following.content.decode()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("action=approved", ["approved"]),
        ("actor=person:mara", ["rejected", "approved"]),
        ("note=8", ["rejected"]),
        (f"operation={'f' * 32}", ["swept"]),
        ("until=2020-01-01", []),
        ("since=2020-01-01&action=swept", ["swept"]),
    ],
)
def test_entries_are_chosen_by_what_who_which_and_when(busy: Store, query: str, expected: list[str]) -> None:
    assert shown(busy, query) == expected


@pytest.mark.parametrize("query", ["action=dreamt", "note=x", "since=never", "note=" + "9" * 40])
def test_a_filter_that_cannot_be_read_is_explained(busy: Store, query: str) -> None:
    assert browser("tove").get(f"/s/orbit/activity?{query}").status_code == 422
    assert browser("mara").get(f"/s/orbit/activity/export?{query}").status_code == 422


def test_the_export_holds_the_chosen_entries_and_is_an_entry_itself(busy: Store) -> None:
    answer = browser("mara").get("/s/orbit/activity/export?action=swept")
    rows = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]
    assert [(row["action"], row["count"]) for row in rows] == [("swept", 3)]
    assert AuditEvent.objects.first().action == Action.EXPORTED  # type: ignore[union-attr]


def test_another_stores_entries_are_not_shown(busy: Store) -> None:
    other = Store.objects.create(slug="travel", name="Travel")
    record(other, MARA, Action.FORGOTTEN)
    assert "forgotten" not in shown(busy, "")


def test_the_page_costs_as_many_queries_for_thirty_entries_as_for_one(busy: Store) -> None:
    client = browser("tove")
    client.get("/s/orbit/activity")
    few = queries_of(client, "/s/orbit/activity")
    for number in range(30):
        record(busy, MARA, Action.APPROVED, memory=number + 1)
    assert queries_of(client, "/s/orbit/activity") == few


def test_details_are_put_into_words(store: Store) -> None:
    record(store, MARA, Action.SETTINGS, details={"changes": {"fact_days": [365, 30], "policy": [{}, {"a": 1}]}})
    record(store, CRON, Action.REFUSED, details={"rules": {"personal.email": 2, "quality.guess": 1}})
    page = browser("tove").get("/s/orbit/activity").content.decode()
    assert "fact days: 365 → 30 · policy: changed" in page
    assert "rules: personal.email × 2, quality.guess" in page


def test_a_rejection_says_why_as_long_as_it_stands(store: Store) -> None:
    note, *others = [proposed(store, f"Leases last {number} seconds.", source=f"doc:{number}") for number in (1, 2, 3)]
    note = reject(store, note.pk, person("mara"), version=note.version, reason="Too vague to help")
    ticked = [(one.pk, one.version) for one in others]
    decide_many(store, ticked, "reject", person("mara"), reason="Our own words, 100% of them")
    page = browser("tove").get("/s/orbit/activity?action=rejected").content.decode()
    assert page.count("<q>Too vague to help</q>") == 1
    assert page.count("<q>Our own words, 100% of them</q>") == 1
    undo(store, note.pk, person("mara"), version=note.version)
    assert "vague" not in browser("tove").get("/s/orbit/activity").content.decode()
    assert not any("words" in json.dumps(entry.details) for entry in AuditEvent.objects.all())


def test_a_rejection_taken_back_and_taken_again_says_why_once(store: Store) -> None:
    note = proposed(store, "Leases last 30 seconds.")
    for reason in ("Already known", "Too vague to help"):
        note = reject(store, note.pk, person("mara"), version=note.version, reason=reason)
        AuditEvent.objects.filter(action=Action.REJECTED).update(at=timezone.now() - timedelta(hours=1))
        if reason == "Already known":
            note = undo(store, note.pk, person("mara"), version=note.version)
    record(store, MARA, Action.REJECTED, memory=note.pk)
    page = browser("tove").get("/s/orbit/activity").content.decode()
    assert page.count("<q>") == 1
    assert "<q>Too vague to help</q>" in page


@pytest.mark.parametrize(("name", "expected"), [("mara", ["rejected", "approved"]), ("command sweep", ["swept"])])
def test_who_did_it_is_asked_for_as_the_page_names_them(busy: Store, name: str, expected: list[str]) -> None:
    assert shown(busy, f"actor={name}") == expected
    page = browser("tove").get("/s/orbit/activity", {"actor": name}).content.decode()
    assert f'value="{name}"' in page


def test_a_number_that_is_none_is_explained_and_stays_in_its_field(busy: Store) -> None:
    answer = browser("tove").get("/s/orbit/activity?note=seven&actor=mara")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "A note number is a whole number above 0, such as 17: correct it and show again." in page
    assert 'value="seven"' in page
    assert 'value="mara"' in page


def test_a_deletion_leads_to_its_receipt_which_names_who_asked(store: Store) -> None:
    note = proposed(store, "The lease of a job is 30 seconds.")
    receipt = forget(store, Selection(ids=(note.pk,)), person("mara"))
    address = f"/s/orbit/receipts/{receipt.operation}"
    assert f'href="{address}"' in browser("tove").get("/s/orbit/activity").content.decode()
    page = browser("tove").get(address).content.decode()
    assert "<dd>mara</dd>" in page
    assert "person:mara" not in page


def test_a_pin_says_which_way_it_goes(store: Store) -> None:
    note = proposed(store, "The lease of a job is 30 seconds.")
    pin(store, person("ren"), "lease", note, must_recall=False)
    assert "must never recall" in browser("tove").get("/s/orbit/activity").content.decode()
