"""The rooms in a browser: finding, deciding many, forgetting, asking, and nothing in anybody's way."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import OperationalError
from django.http import Http404
from django.utils import timezone
from playwright.sync_api import expect

from memories import access, glimpse, policy_effect
from memories.models import Memory, PinnedQuery, Recall, RecallHit, Refusal, Run, SavedView, Status, Store
from memories.pinned import pin
from tests.e2e.axe import no_violation
from tests.e2e.conftest import SignIn
from tests.helpers import NOW, approved, person, proposed
from tests.rooms import many

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LEASES, CRON = "Leases last 30 seconds.", "Cron entries follow local time."
PAGES = [
    "notes",
    "notes?kind=fact&text=lease",
    "notes?like=how long is a lease",
    "notes?kind=procedure",
    "notes?status=nonsense",
    "sources",
    "runs",
    "runs/{run}",
    "recall",
    "recall?text=how long is a lease&k=1",
    "recall?text=lease&version=latest",
    "recall/pinned",
    "retention",
    "activity",
    "activity?action=approved",
    "data-requests",
    "data-requests?name=doc:&match=prefix",
    "refused",
    "refused?source=malformed&rule=personal.email",
    "refused?rule=none",
    "refused?on={today}",
    "overview",
    "settings",
    "forget?source_prefix=doc:",
]


@pytest.fixture
def furnished(store: Store) -> dict[str, object]:
    """Something in every room."""
    run = Run.objects.create(
        store=store, identifier="run-1", agent="atlas", task="Triage", started_at=NOW, sources=["doc:cron"]
    )
    note = approved(store, LEASES)
    proposed(store, CRON, source="doc:cron", run="run-1")
    proposed(store, "Queues hold 500 jobs, maybe.", source="doc:queues")
    many(store, 12, kind="episode", observed_at=timezone.now() - timedelta(days=88), source="issue:4")
    recall = Recall.objects.create(store=store, run=run, query="how long is a lease", at=NOW)
    RecallHit.objects.create(recall=recall, memory=note, rank=1, score=0.5, cosine=0.6, word_score=0.2)
    now = timezone.now()
    Refusal.objects.create(store=store, at=now, rule="personal.email", rules=["personal.email"], run=run, proposer="x")
    pin(store, person("mara"), "how long is a lease", note, must_recall=True)
    SavedView.objects.create(store=store, name="Facts about leases", query="kind=fact&text=lease")
    return {"run": run.pk, "today": timezone.localdate()}


@pytest.mark.parametrize("width", [1280, 360])
def test_every_room_is_accessible_and_fits(sign_in: SignIn, furnished: dict[str, object], width: int) -> None:
    page = sign_in("olga", "/s/orbit/notes", viewport={"width": width, "height": 800})
    for path in PAGES:
        page.goto(f"/s/orbit/{path.format(**furnished)}")
        no_violation(page, path)


@pytest.mark.parametrize("width", [1280, 360])
def test_what_opens_on_the_way_is_accessible_too(sign_in: SignIn, furnished: dict[str, object], width: int) -> None:
    page = sign_in("olga", "/s/orbit/notes?kind=episode", viewport={"width": width, "height": 800})
    page.get_by_role("button", name="Save this view").click()
    no_violation(page, "saving a view")
    page.keyboard.press("Escape")
    page.get_by_label("All on this page").check()
    no_violation(page, "ticked notes")
    page.get_by_role("button", name="Reject…").click()
    no_violation(page, "reasons for a bulk action")
    page.keyboard.press("3")
    expect(page.get_by_label("Reason, for all of them")).to_be_visible()
    no_violation(page, "preview of a bulk action")
    page.get_by_label("Reason, for all of them").fill("out of date")
    page.get_by_role("button", name="Reject 12 notes").click()
    no_violation(page, "after a bulk action")
    page.goto("/s/orbit/forget?source=issue:4")
    page.get_by_label("Type 12 to confirm").fill("3")
    page.get_by_role("button", name="Forget 12 notes").click()
    no_violation(page, "a wrong number typed")
    page.get_by_label("Type 12 to confirm").fill("12")
    page.get_by_role("button", name="Forget 12 notes").click()
    no_violation(page, "a receipt")
    page.goto("/s/orbit/settings")
    page.get_by_label("A text").fill("Maybe the queue is sometimes full?")
    page.get_by_role("button", name="Screen it").click()
    no_violation(page, "trying the filter")
    page.get_by_role("button", name="Preview its effect on the notes here").click()
    no_violation(page, "the effect of a filter")


TROUBLE = {
    400: BadRequest(),
    403: PermissionDenied("This needs the role owner in this store: ask one of its owners."),
    404: Http404(),
    500: RuntimeError("nobody's business"),
    503: OperationalError("database is locked"),
}


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("status", TROUBLE)
def test_every_page_of_trouble_is_accessible_and_fits(
    sign_in: SignIn, store: Store, monkeypatch: pytest.MonkeyPatch, status: int, width: int
) -> None:
    page = sign_in("olga", "/s/orbit/propose", viewport={"width": width, "height": 800})
    page.get_by_label("Note", exact=True).fill(LEASES)

    def fail(*_given: object) -> None:
        raise TROUBLE[status]

    monkeypatch.setattr(access, "membership", fail)
    with page.expect_response("**/propose") as answer:
        page.get_by_role("button", name="Propose").click()
    assert answer.value.status == status
    no_violation(page, f"status {status}")
    expect(page.get_by_role("link", name="Atlas Memory")).to_be_visible()
    page.context.clear_cookies()
    page.reload()
    no_violation(page, f"status {status}, signed out")


def test_what_was_sent_to_a_busy_database_is_sent_again(
    sign_in: SignIn, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = sign_in("olga", "/s/orbit/propose")
    page.get_by_label("Note", exact=True).fill(LEASES)
    with monkeypatch.context() as patched:

        def fail(*_given: object) -> None:
            raise TROUBLE[503]

        patched.setattr(access, "membership", fail)
        page.get_by_role("button", name="Propose").click()
        expect(page.get_by_role("heading", name="Not now")).to_be_visible()
    page.get_by_role("button", name="Send it again").click()
    expect(page.locator(".desk-note")).to_contain_text(LEASES)


def test_an_empty_store_is_free_of_axe_violations_too(sign_in: SignIn, store: Store) -> None:
    page = sign_in("olga", "/s/orbit/notes")
    for path in ("notes", "sources", "runs", "recall/pinned", "retention", "activity", "refused", "overview"):
        page.goto(f"/s/orbit/{path}")
        no_violation(page, path)


# Finding


def test_facets_narrow_the_list_in_place_and_the_back_button_widens_it(
    sign_in: SignIn, furnished: dict[str, object]
) -> None:
    page = sign_in("tove", "/s/orbit/notes")
    page.evaluate("window.stayed = true")
    page.get_by_role("navigation", name="Narrow down").get_by_role("link", name="approved").click()
    expect(page.locator(".note-rows > li")).to_have_count(1)
    assert page.evaluate("window.stayed")
    assert "status=approved" in page.url
    page.go_back()
    expect(page.locator(".note-rows > li")).to_have_count(15)


def test_a_search_by_words_and_one_by_meaning_find_a_note(sign_in: SignIn, furnished: dict[str, object]) -> None:
    page = sign_in("tove", "/s/orbit/notes")
    page.keyboard.press("/")
    expect(page.get_by_label("Words in the note")).to_be_focused()
    page.keyboard.type("local time")
    page.keyboard.press("Enter")
    expect(page.locator(".note-rows")).to_contain_text(CRON)
    expect(page.locator(".note-rows > li")).to_have_count(1)
    page.get_by_label("Words in the note").fill("")
    page.get_by_label("Like an agent’s question").fill("how long do leases last")
    page.keyboard.press("Enter")
    expect(page.locator(".note-rows > li").first).to_contain_text(LEASES)


def test_on_a_phone_the_filter_gives_way_to_the_list(sign_in: SignIn, furnished: dict[str, object]) -> None:
    page = sign_in("tove", "/s/orbit/notes", viewport={"width": 360, "height": 640})
    words = page.get_by_label("Words in the note")
    expect(words).to_be_hidden()
    page.locator(".filters > summary").click()
    words.fill("local time")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".note-rows > li")).to_have_count(1)
    expect(page.locator(".note-rows > li")).to_be_in_viewport()
    expect(words).to_be_hidden()
    page.keyboard.press("/")
    expect(words).to_be_focused()


def test_a_filter_becomes_a_view_that_others_open(sign_in: SignIn, furnished: dict[str, object]) -> None:
    page = sign_in("ren", "/s/orbit/notes?status=proposed&kind=episode")
    page.get_by_role("button", name="Save this view").click()
    page.get_by_label("Name").fill("Old episodes")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="saved")).to_be_visible()
    other = sign_in("tove", "/s/orbit/notes")
    other.get_by_role("link", name="Old episodes").click()
    expect(other.locator(".note-rows > li")).to_have_count(12)


def test_the_export_is_the_list(sign_in: SignIn, furnished: dict[str, object]) -> None:
    page = sign_in("mara", "/s/orbit/notes?source=doc:cron")
    with page.expect_download() as download:
        page.get_by_role("link", name="JSONL").click()
    rows = [json.loads(line) for line in Path(download.value.path()).read_text().splitlines()]
    assert [row["text"] for row in rows] == [CRON]


# Deciding many


def test_a_receipt_can_be_printed(sign_in: SignIn, furnished: dict[str, object]) -> None:
    page = sign_in("mara", "/s/orbit/forget?source=doc:cron")
    page.get_by_role("button", name="Forget").click()
    page.evaluate("window.print = () => { window.printed = true; }")
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("window.printed")


def test_ticked_notes_are_decided_after_a_preview_and_undone(sign_in: SignIn, furnished: dict[str, object]) -> None:
    page = sign_in("ren", "/s/orbit/notes?kind=episode")
    page.get_by_label("All on this page").check()
    expect(page.locator("[data-counts=note]")).to_have_text("12")
    page.get_by_role("button", name="Reject…").click()
    page.keyboard.press("3")
    expect(page.get_by_label("Reason, for all of them")).to_have_value("Too vague to help")
    page.get_by_label("Reason, for all of them").fill("out of date")
    page.get_by_role("button", name="Reject 12 notes").click()
    expect(page.get_by_role("heading", name="12 notes are rejected.")).to_be_visible()
    assert Memory.objects.filter(status=Status.REJECTED, reason="out of date").count() == 12
    page.get_by_role("button", name="Undo…").click()
    page.get_by_role("button", name="Undo 12 decisions").click()
    expect(page.get_by_role("heading", name="12 decisions are undone.")).to_be_visible()
    assert not Memory.objects.filter(status=Status.REJECTED).exists()


def test_ticks_of_a_list_stay_with_that_list_until_they_are_acted_on(
    sign_in: SignIn, furnished: dict[str, object]
) -> None:
    page = sign_in("ren", "/s/orbit/notes?kind=episode")
    page.locator(".note-rows input").nth(1).check()
    page.locator(".note-rows input").nth(2).check()
    page.reload()
    expect(page.locator("[data-counts=note]")).to_have_text("2")
    page.goto("/s/orbit/notes")
    expect(page.locator("[data-counts=note]")).to_have_text("0")
    page.go_back()
    expect(page.locator("[data-counts=note]")).to_have_text("2")
    page.get_by_role("button", name="Approve…").click()
    page.get_by_role("button", name="Approve 2 notes").click()
    page.get_by_role("link", name="Back to the notes").first.click()
    page.goto("/s/orbit/notes?kind=episode")
    expect(page.locator("[data-counts=note]")).to_have_text("0")


def test_all_that_match_are_decided_without_ticking(sign_in: SignIn, furnished: dict[str, object]) -> None:
    page = sign_in("ren", "/s/orbit/notes?kind=episode")
    expect(page.get_by_role("button", name="Approve…")).to_be_disabled()
    page.get_by_label("Which notes").select_option("filter")
    expect(page.get_by_role("button", name="Approve…")).to_be_enabled()
    page.get_by_role("button", name="Approve…").click()
    page.get_by_role("button", name="Approve 12 notes").click()
    expect(page.get_by_role("heading", name="12 notes are approved.")).to_be_visible()


# Forgetting


def test_a_source_is_forgotten_after_typing_its_number(sign_in: SignIn, furnished: dict[str, object]) -> None:
    page = sign_in("mara", "/s/orbit/sources?prefix=issue:")
    page.get_by_role("link", name="Forget… issue:4").click()
    expect(page.locator(".figure")).to_contain_text("12")
    page.get_by_label("Type 12 to confirm").fill("11")
    page.get_by_role("button", name="Forget 12 notes").click()
    expect(page.get_by_role("alert")).to_contain_text("nothing was forgotten")
    page.get_by_label("Type 12 to confirm").fill("12")
    page.get_by_role("button", name="Forget 12 notes").click()
    expect(page.get_by_role("heading", name="Receipt of a deletion")).to_be_visible()
    assert not Memory.objects.filter(source="issue:4").exists()
    page.get_by_role("link", name="In the activity").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody")).to_contain_text("forgotten")


def test_very_many_notes_are_counted_exactly_while_the_page_is_read_and_then_forgotten(
    sign_in: SignIn, furnished: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(glimpse, "AT_ONCE", 5)
    page = sign_in("mara", "/s/orbit/forget?source=issue:4")
    page.get_by_label("Type 12 to confirm").fill("12")
    no_violation(page, "an exact preview that came later")
    page.get_by_role("button", name="Forget 12 notes").click()
    expect(page.get_by_role("heading", name="Receipt of a deletion")).to_be_visible()
    assert not Memory.objects.filter(source="issue:4").exists()


def test_very_many_notes_can_be_forgotten_without_script_too(
    sign_in: SignIn, furnished: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(glimpse, "AT_ONCE", 5)
    page = sign_in("mara", "/s/orbit/forget?source=issue:4", java_script_enabled=False)
    expect(page.get_by_label("Type 12 to confirm")).to_have_count(0)
    page.get_by_role("button", name="Look through all of them").click()
    expect(page.get_by_label("Type 12 to confirm")).to_be_visible()


def test_very_many_notes_are_decided_after_an_exact_preview(
    sign_in: SignIn, furnished: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(glimpse, "AT_ONCE", 5)
    page = sign_in("olga", "/s/orbit/notes?kind=episode")
    page.get_by_label("Which notes").select_option("filter")
    page.get_by_role("button", name="Reject…").click()
    page.keyboard.press("3")
    expect(page.get_by_label("Reason, for all of them")).to_have_value("Too vague to help")
    page.get_by_label("Reason, for all of them").fill("out of date")
    page.get_by_role("button", name="Reject 12 notes").click()
    expect(page.get_by_text("12 notes are rejected.")).to_be_visible()


def test_a_receipt_prints_without_the_frame(sign_in: SignIn, furnished: dict[str, object]) -> None:
    page = sign_in("mara", "/s/orbit/forget?source=doc:cron")
    page.get_by_role("button", name="Forget 1 note").click()
    page.emulate_media(media="print")
    expect(page.locator(".rail")).to_be_hidden()
    expect(page.get_by_role("heading", name="Receipt of a deletion")).to_be_visible()
    expect(page.get_by_role("link", name="In the activity")).to_be_hidden()


def test_a_data_request_hands_out_and_erases(sign_in: SignIn, furnished: dict[str, object]) -> None:
    page = sign_in("mara", "/s/orbit/data-requests")
    page.get_by_label("Source", exact=True).fill("doc:cron")
    page.keyboard.press("Enter")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert CRON in Path(download.value.path()).read_text()
    page.get_by_role("link", name="Erase…").click()
    page.get_by_role("button", name="Forget 1 note").click()
    page.get_by_role("link", name="All receipts").click()
    expect(page.locator("tbody")).to_contain_text("doc:cron")


# Asking


def test_what_an_agent_would_be_told_can_be_seen_and_pinned(sign_in: SignIn, furnished: dict[str, object]) -> None:
    page = sign_in("ren", "/s/orbit/recall")
    page.keyboard.press("/")
    page.keyboard.type("how long do leases last")
    page.keyboard.press("Enter")
    expect(page.locator(".hit").first).to_contain_text(LEASES)
    expect(page.get_by_role("region", name="The prompt block")).to_contain_text(f'"{LEASES}"')
    expect(page.get_by_role("heading", name="1 note is recalled")).to_be_focused()
    page.locator(".hit").first.get_by_role("button", name="Must recall this").click()
    expect(page.get_by_text("All of them hold.")).to_be_visible()
    assert PinnedQuery.objects.count() == 2


def test_pinned_queries_behind_the_first_are_checked_by_themselves(
    sign_in: SignIn, furnished: dict[str, object], store: Store
) -> None:
    for number in range(4):
        pin(store, person("mara"), f"how long is lease {number}", Memory.objects.get(text=LEASES), must_recall=True)
    page = sign_in("ren", "/s/orbit/recall/pinned")
    expect(page.locator("#checks > li")).to_have_count(5)
    expect(page.get_by_role("status").filter(has_text="All of them hold.")).to_be_visible()
    no_violation(page, "checked one after the other")


# Settings


def test_the_effect_of_a_filter_goes_on_by_itself(
    sign_in: SignIn, furnished: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy_effect, "AT_ONCE", 3)
    page = sign_in("olga", "/s/orbit/settings")
    page.get_by_role("button", name="Preview its effect on the notes here").click()
    expect(page.locator("#effect")).to_contain_text("Of the newest 15 notes:")


def test_a_filter_is_tried_before_it_is_saved(sign_in: SignIn, store: Store) -> None:
    page = sign_in("olga", "/s/orbit/settings")
    page.get_by_label("Quality: guesses, questions, raw output").select_option("refuse")
    page.get_by_label("A text").fill("Maybe the queue is sometimes full?")
    page.get_by_role("button", name="Screen it").click()
    expect(page.locator(".try .notice")).to_contain_text("Refused")
    page.get_by_role("button", name="Save the filter").click()
    expect(page.get_by_role("status").filter(has_text="saved")).to_be_visible()
    store.refresh_from_db()
    assert store.policy["families"]["quality"] == "refuse"


# Without script


def test_the_rooms_work_without_script(sign_in: SignIn, furnished: dict[str, object]) -> None:
    page = sign_in("mara", "/s/orbit/notes", java_script_enabled=False)
    page.get_by_role("navigation", name="Narrow down").get_by_role("link", name="episode").click()
    page.get_by_label("Which notes").select_option("filter")
    page.get_by_role("button", name="Approve…").click()
    page.get_by_role("button", name="Approve 12 notes").click()
    expect(page.get_by_role("heading", name="12 notes are approved.")).to_be_visible()
    page.goto("/s/orbit/recall")
    page.get_by_label("What would an agent ask?").fill("how long do leases last")
    page.get_by_role("button", name="Recall", exact=True).click()
    expect(page.locator(".hit").first).to_contain_text(LEASES)


@pytest.mark.parametrize("width", [640, 800, 1000])
def test_tables_of_many_columns_fit_their_sheet(sign_in: SignIn, furnished: dict[str, object], width: int) -> None:
    page = sign_in("olga", "/s/orbit/notes", viewport={"width": width, "height": 800})
    for room in ("sources", "activity", "refused"):
        page.goto(f"/s/orbit/{room}")
        expect(page.locator(".table.broad")).to_be_visible()
        assert not page.evaluate("[...document.querySelectorAll('.sheet')].some(e => e.scrollWidth > e.clientWidth)")


def test_what_was_sent_in_the_settings_is_answered_in_sight(sign_in: SignIn, store: Store) -> None:
    page = sign_in("olga", "/s/orbit/settings", viewport={"width": 1280, "height": 600})
    page.get_by_label("A text").fill("Maybe the queue is full.")
    page.get_by_role("button", name="Screen it").click()
    expect(page.get_by_text("Flagged: a person must look")).to_be_in_viewport()
    page.get_by_role("button", name="Preview its effect on the notes here").click()
    expect(page.locator("#effect strong")).to_be_in_viewport()
    page.get_by_label("Signs in as").fill("nobody")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_text("Nobody signs in under this name")).to_be_in_viewport()


def test_the_calendar_keeps_what_a_row_is_about_in_sight(sign_in: SignIn, furnished: dict[str, object]) -> None:
    page = sign_in("olga", "/s/orbit/retention", viewport={"width": 360, "height": 800})
    page.locator(".table-wrap").evaluate("wrap => { wrap.scrollIntoView(); wrap.scrollTo(10000, 0); }")
    expect(page.locator(".calendar tbody th").first).to_be_in_viewport()
