"""Who may open and do what in the rooms; every rule with its twin."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memories.models import PinnedQuery, Receipt, Run, SavedView, Store
from tests.helpers import NOW, approved, outsider, proposed
from tests.rooms import browser

READERS = {"olga", "mara", "ren", "tove"}
REVIEWERS = READERS - {"tove"}
MAINTAINERS = {"olga", "mara"}
OWNERS = {"olga"}

PAGES = {
    "notes": READERS,
    "sources": READERS,
    "runs": READERS,
    "runs/{run}": READERS,
    "recall": READERS,
    "recall/left-out?text=lease": READERS,
    "recall/pinned": READERS,
    "retention": READERS,
    "activity": READERS,
    "overview": READERS,
    "receipts/{receipt}": READERS,
    "refused": REVIEWERS,
    "data-requests": MAINTAINERS,
    "notes/export": MAINTAINERS,
    "activity/export": MAINTAINERS,
    "forget?source=doc:leases": MAINTAINERS,
    "settings": MAINTAINERS,
}
CHANGES = {
    "notes/bulk": ({"action": "approve", "note": "{note}"}, REVIEWERS),
    "notes/views": ({"name": "Facts", "kind": "fact"}, REVIEWERS),
    "notes/views/{view}/delete": ({}, REVIEWERS),
    "recall/pin": ({"query": "lease", "note": "{note}"}, REVIEWERS),
    "recall/pinned/{pin}/delete": ({}, REVIEWERS),
    "forget": ({"source": "doc:none", "fingerprint": "x"}, MAINTAINERS),
    "retention/sweep": ({}, MAINTAINERS),
    "settings/store": ({"name": "Orbit"}, OWNERS),
    "settings/retention": ({"fact_days": "10"}, OWNERS),
    "settings/policy": ({"maximum_length": "300", "save": "yes"}, OWNERS),
    "settings/members": ({"username": "tove", "role": "10"}, OWNERS),
    "settings/members/{member}/remove": ({}, OWNERS),
}


@pytest.fixture
def things(store: Store, cast: dict[str, User]) -> dict[str, object]:
    note = approved(store, "The lease of a job is 30 seconds.")
    run = Run.objects.create(store=store, identifier="run-1", agent="atlas", started_at=NOW)
    view = SavedView.objects.create(store=store, name="Old", query="kind=fact")
    pin = PinnedQuery.objects.create(store=store, memory=note, query="how long is a lease")
    receipt = Receipt.objects.create(store=store, operation="a" * 32, at=NOW, actor="person:mara")
    member = store.memberships.get(user__username="tove")
    return {"note": note.pk, "run": run.pk, "view": view.pk, "pin": pin.pk, "receipt": receipt.operation,
            "member": member.pk}  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_for_its_roles_only(things: dict[str, object], page: str) -> None:
    for name in READERS:
        answer = browser(name).get(f"/s/orbit/{page.format(**things)}")
        assert answer.status_code == (200 if name in PAGES[page] else 403), name


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_not_there_for_a_stranger(things: dict[str, object], page: str) -> None:
    outsider()
    assert browser("sam").get(f"/s/orbit/{page.format(**things)}").status_code == 404


@pytest.mark.parametrize("page", PAGES)
def test_who_is_not_signed_in_is_sent_to_the_door(things: dict[str, object], page: str) -> None:
    answer = Client().get(f"/s/orbit/{page.format(**things)}")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/sign-in")


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_for_its_roles_only(things: dict[str, object], change: str) -> None:
    fields, allowed = CHANGES[change]
    sent = {name: value.format(**things) for name, value in fields.items()}
    for name in READERS - allowed:
        assert browser(name).post(f"/s/orbit/{change.format(**things)}", sent).status_code == 403, name
    outsider()
    assert browser("sam").post(f"/s/orbit/{change.format(**things)}", sent).status_code == 404
    assert Client().post(f"/s/orbit/{change.format(**things)}", sent)["Location"].startswith("/sign-in")
    answer = browser("mara" if "mara" in allowed else "olga").post(f"/s/orbit/{change.format(**things)}", sent)
    assert answer.status_code in {200, 302, 409, 422}


@pytest.mark.parametrize("change", [change for change in CHANGES if change != "forget"])
def test_a_change_needs_a_post(things: dict[str, object], change: str) -> None:
    assert browser("olga").get(f"/s/orbit/{change.format(**things)}").status_code == 405


@pytest.mark.parametrize("row", ["runs/{run}", "receipts/{receipt}"])
def test_a_row_of_another_store_is_not_there(things: dict[str, object], row: str) -> None:
    outsider()
    assert browser("sam").get(f"/s/travel/{row.format(**things)}").status_code == 404


@pytest.mark.parametrize("change", ["notes/views/{view}/delete", "recall/pinned/{pin}/delete", "recall/pin"])
def test_a_row_of_another_store_cannot_be_changed(things: dict[str, object], change: str) -> None:
    outsider()
    sent = {"query": "lease", "note": str(things["note"])}
    assert browser("sam").post(f"/s/travel/{change.format(**things)}", sent).status_code == 404


@pytest.mark.parametrize(
    "page", ["", "inbox", "propose", "notes/{note}", *(page for page in PAGES if "export" not in page)]
)
def test_a_page_tells_its_headers_without_itself(things: dict[str, object], page: str) -> None:
    address = f"/s/orbit/{page.format(**things)}" if page else "/profile"
    answer = browser("olga").head(address)
    assert (answer.status_code, answer.content) == (200, b"")
    assert Client().head(address)["Location"].startswith("/sign-in?next=" + address[:3])


@pytest.mark.parametrize("export", ["notes/export", "activity/export"])
def test_an_export_is_recorded_and_so_no_mere_look(things: dict[str, object], export: str) -> None:
    assert browser("olga").head(f"/s/orbit/{export}").status_code == 405


RAIL = {page: roles for page, roles in PAGES.items() if page in {"notes", "refused", "data-requests", "settings"}}


@pytest.mark.parametrize("page", RAIL)
def test_the_rail_links_a_page_for_its_roles_only(things: dict[str, object], page: str) -> None:
    for name in READERS:
        rail = browser(name).get("/s/orbit/recall").content.decode()
        assert (f'href="/s/orbit/{page}"' in rail) == (name in RAIL[page]), name


@pytest.mark.parametrize("page", ["settings", "notes/99999"])
def test_a_page_that_a_member_cannot_see_leads_back_to_the_inbox(things: dict[str, object], page: str) -> None:
    assert b'href="/s/orbit/inbox"' in browser("tove").get(f"/s/orbit/{page}").content


@pytest.mark.parametrize("page", ["settings", "notes/99999"])
def test_a_page_that_is_not_there_names_no_store_to_a_stranger(things: dict[str, object], page: str) -> None:
    outsider()
    answer = browser("sam").get(f"/s/orbit/{page}").content
    assert b"/s/orbit" not in answer
    assert b"Orbit" not in answer


def test_who_cannot_decide_has_nothing_to_tick(store: Store, cast: dict[str, User]) -> None:
    proposed(store, "The lease of a job is 30 seconds.")
    ticks = {name: b'name="ticked"' in browser(name).get("/s/orbit/inbox").content for name in READERS}
    assert ticks == {name: name in REVIEWERS for name in READERS}
