"""The inbox in a browser: by keyboard, with trouble, and for everybody."""

from __future__ import annotations

import re

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from memories import review
from memories.models import Memory, Status, Store
from tests.e2e.axe import no_violation
from tests.e2e.conftest import PASSWORD, SignIn
from tests.helpers import approved, person, proposed

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

INBOX = "/s/orbit/inbox"
LEASES, QUEUES, RETRIES = "Leases last 30 seconds.", "The queue holds 500 jobs.", "Retries stop after 5 attempts."
TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture
def three(store: Store) -> list[Memory]:
    return [
        proposed(store, text, source=source)
        for text, source in ((LEASES, "doc:leases"), (QUEUES, "doc:queues"), (RETRIES, "doc:retries"))
    ]


def on_desk(page: Page, text: str) -> None:
    expect(page.locator("#desk-title")).to_have_text(text)


def status_of(note: Memory) -> str:
    return Memory.objects.values_list("status", flat=True).get(pk=note.pk)


# By keyboard


def test_notes_are_decided_by_keys_and_focus_follows(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", INBOX)
    on_desk(page, LEASES)
    page.keyboard.press("a")
    on_desk(page, QUEUES)
    expect(page.locator("#desk-title")).to_be_focused()
    expect(page.get_by_role("status")).to_contain_text("Approved")
    expect(page.locator("#waiting-count")).to_contain_text("2")
    page.keyboard.press("r")
    page.keyboard.press("3")
    on_desk(page, RETRIES)
    assert [status_of(note) for note in three] == [Status.APPROVED, Status.REJECTED, Status.PROPOSED]
    page.keyboard.press("u")
    on_desk(page, QUEUES)
    assert status_of(three[1]) == Status.PROPOSED


def test_j_and_k_move_and_the_address_follows(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", INBOX)
    page.keyboard.press("j")
    on_desk(page, QUEUES)
    page.keyboard.press("j")
    on_desk(page, RETRIES)
    page.keyboard.press("k")
    on_desk(page, QUEUES)
    assert page.url.endswith(f"?note={three[1].pk}")
    page.reload()
    on_desk(page, QUEUES)
    page.go_back()
    on_desk(page, RETRIES)


def test_a_note_is_edited_and_approved_without_the_mouse(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", INBOX)
    on_desk(page, LEASES)
    page.keyboard.press("e")
    field = page.get_by_label("Note", exact=True)
    expect(field).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("Leases last 60 seconds, read again.")
    assert status_of(three[0]) == Status.PROPOSED, "typed letters are no shortcuts"
    page.keyboard.press("Control+Enter")
    on_desk(page, QUEUES)
    three[0].refresh_from_db()
    assert (three[0].status, three[0].text) == (Status.APPROVED, "Leases last 60 seconds, read again.")


def test_an_edit_is_saved_by_keys_on_the_page_of_its_note(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", f"/s/orbit/notes/{three[0].pk}?edit=1")
    page.get_by_label("Note", exact=True).fill("Leases last 90 seconds.")
    page.keyboard.press("Meta+Enter")
    expect(page.get_by_role("status")).to_contain_text("Saved.")
    assert Memory.objects.get(pk=three[0].pk).text == "Leases last 90 seconds."


def test_ticked_notes_are_decided_together(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", INBOX)
    on_desk(page, LEASES)
    page.keyboard.press("x")
    page.get_by_role("checkbox", name=f"Tick note {three[2].pk}").check()
    page.get_by_role("button", name="Approve 2 ticked", exact=True).click()
    on_desk(page, QUEUES)
    expect(page.get_by_role("button", name="Approve 0 ticked", exact=True)).to_be_disabled()
    assert [status_of(note) for note in three] == [Status.APPROVED, Status.PROPOSED, Status.APPROVED]
    page.keyboard.press("u")
    expect(page.get_by_role("status")).to_contain_text("2 notes wait again.")


def test_one_key_approves_a_note_and_rejects_the_one_it_is_close_to(sign_in: SignIn, store: Store):
    known = approved(store, "A worker sends a heartbeat every 10 seconds by default.")
    new = proposed(store, "A worker sends a heartbeat every 30 seconds by default.")
    page = sign_in("ren", INBOX)
    page.keyboard.press("o")
    expect(page.get_by_role("heading", name="All caught up")).to_be_visible()
    assert [status_of(known), status_of(new)] == [Status.REJECTED, Status.APPROVED]


def test_ticks_stay_when_another_note_comes_on_the_desk(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", INBOX)
    expect(page.get_by_role("button", name="Reject 0 ticked…")).to_be_disabled()
    page.keyboard.press("x")
    page.keyboard.press("j")
    on_desk(page, QUEUES)
    page.keyboard.press("x")
    page.get_by_role("link", name=RETRIES).click()
    on_desk(page, RETRIES)
    page.keyboard.press("a")
    on_desk(page, LEASES)
    page.get_by_role("button", name="Reject 2 ticked…").click()
    page.keyboard.press("2")
    expect(page.get_by_role("heading", name="All caught up")).to_be_visible()
    assert [status_of(note) for note in three] == [Status.REJECTED, Status.REJECTED, Status.APPROVED]


def test_a_tick_does_not_stay_on_a_note_that_was_changed_in_the_meantime(
    sign_in: SignIn, store: Store, three: list[Memory]
):
    page = sign_in("ren", INBOX)
    page.keyboard.press("x")
    review.edit(store, three[0].pk, person("mara"), version=three[0].version, text="Leases last 45 seconds.")
    page.keyboard.press("j")
    on_desk(page, QUEUES)
    expect(page.get_by_role("button", name="Approve 0 ticked")).to_be_disabled()


def test_ticks_outlive_a_reload_and_the_way_back_and_end_with_the_decision(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", INBOX)
    page.get_by_role("checkbox", name=f"Tick note {three[1].pk}").check()
    page.get_by_role("checkbox", name=f"Tick note {three[2].pk}").check()
    page.reload()
    expect(page.get_by_role("button", name="Approve 2 ticked")).to_be_enabled()
    page.goto("/s/orbit/activity")
    page.go_back()
    page.get_by_role("button", name="Approve 2 ticked").click()
    expect(page.locator(".queue-list li")).to_have_count(1)
    assert page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('ticks:')).length") == 0
    page.keyboard.press("u")
    expect(page.locator(".queue-list li")).to_have_count(3)
    page.reload()
    expect(page.get_by_role("button", name="Approve 0 ticked")).to_be_disabled()


def test_all_ticks_are_taken_away_at_once(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", INBOX)
    none = page.get_by_role("button", name="Tick none")
    expect(none).to_be_hidden()
    page.get_by_label("Tick all shown").check()
    expect(page.get_by_role("button", name="Approve 3 ticked")).to_be_enabled()
    none.click()
    expect(page.get_by_role("button", name="Approve 0 ticked")).to_be_disabled()
    expect(none).to_be_hidden()
    page.reload()
    expect(page.get_by_role("button", name="Approve 0 ticked")).to_be_disabled()


def test_slash_searches_and_question_mark_helps(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", INBOX)
    page.keyboard.press("/")
    page.keyboard.type("queue")
    page.keyboard.press("Enter")
    on_desk(page, QUEUES)
    expect(page.locator(".queue-list li")).to_have_count(1)
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("a")
    assert status_of(three[1]) == Status.PROPOSED, "a panel lies over the page"
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()


def test_shortcuts_can_be_switched_off(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", "/profile")
    page.get_by_label("Keyboard shortcuts").uncheck()
    page.get_by_role("button", name="Save").click()
    page.goto(INBOX)
    page.keyboard.press("a")
    page.keyboard.press("j")
    on_desk(page, LEASES)
    assert status_of(three[0]) == Status.PROPOSED


def test_a_key_with_a_modifier_belongs_to_the_browser(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", INBOX)
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("Alt+r")
    on_desk(page, LEASES)
    expect(page.locator("#reasons")).to_be_hidden()
    assert status_of(three[0]) == Status.PROPOSED


# Under trouble


def test_a_lost_connection_shows_a_retry_that_works(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", "/")
    # Before the desk loads: a page that is open already learns of it at leisure, and a key may be quicker.
    lost = {"decide"}
    page.route("**/decide*", lambda route: route.abort() if lost else route.continue_())
    page.goto(INBOX)
    page.keyboard.press("a")
    expect(page.get_by_role("status")).to_contain_text("cannot be reached")
    on_desk(page, LEASES)
    lost.clear()
    page.get_by_role("button", name="Try again").click()
    on_desk(page, QUEUES)
    assert status_of(three[0]) == Status.APPROVED


def test_a_server_error_leaves_the_page_and_what_was_typed(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", "/")
    page.route("**/decide*", lambda route: route.fulfill(status=500, body="<h1>boom</h1>"))
    page.goto(INBOX + "?edit=1")
    page.get_by_label("Note", exact=True).fill("Leases last 90 seconds.")
    page.get_by_role("button", name="Save and keep waiting").click()
    expect(page.get_by_role("status")).to_contain_text("met an error")
    expect(page.get_by_label("Note", exact=True)).to_have_value("Leases last 90 seconds.")
    assert "boom" not in page.content()


def test_an_ended_session_leads_through_sign_in_back_to_the_typed_text(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", INBOX + f"?note={three[1].pk}&edit=1")
    # What loads later would meet the ended session first, and lead to the sign-in page by itself.
    page.wait_for_load_state("networkidle")
    page.get_by_label("Note", exact=True).press("End")
    page.get_by_label("Note", exact=True).press_sequentially(" Or 600.")
    Session.objects.all().delete()
    page.get_by_role("button", name="Save and keep waiting").click()
    page.get_by_label("Name").fill("ren")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_label("Note", exact=True)).to_have_value(QUEUES + " Or 600.")
    page.get_by_role("button", name="Save and keep waiting").click()
    on_desk(page, QUEUES + " Or 600.")
    assert page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('kept:')).length") == 0


def test_of_two_people_the_second_keeps_their_words(sign_in: SignIn, store: Store, three: list[Memory]):
    page = sign_in("ren", INBOX + "?edit=1")
    page.get_by_label("Note", exact=True).fill("Leases last 90 seconds.")
    review.edit(store, three[0].pk, person("mara"), version=three[0].version, text="Leases last 45 seconds.")
    page.get_by_role("button", name="Approve with these words").click()
    expect(page.get_by_role("alert")).to_contain_text("changed in the meantime")
    expect(page.locator(".desk")).to_contain_text("Leases last 45 seconds.")
    expect(page.get_by_label("Note", exact=True)).to_have_value("Leases last 90 seconds.")
    page.get_by_role("button", name="Approve with these words").click()
    on_desk(page, QUEUES)
    three[0].refresh_from_db()
    assert three[0].text == "Leases last 90 seconds."


@pytest.mark.parametrize("path", [INBOX, "/s/orbit/notes/{pk}"])
def test_a_typed_reason_is_there_again_where_the_note_was_changed_in_the_meantime(
    sign_in: SignIn, store: Store, three: list[Memory], path: str
):
    page = sign_in("ren", path.format(pk=three[0].pk))
    page.keyboard.press("r")
    page.locator("#own-reason").fill("It was never 30 seconds.")
    review.edit(store, three[0].pk, person("mara"), version=three[0].version, text="Leases last 45 seconds.")
    page.locator("#reasons").get_by_role("button", name="Reject").click()
    expect(page.locator("#reasons")).to_contain_text("changed in the meantime")
    expect(page.locator("#own-reason")).to_be_focused()
    expect(page.locator("#own-reason")).to_have_value("It was never 30 seconds.")
    no_violation(page, "a reason that could not be taken")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Rejected.")
    three[0].refresh_from_db()
    assert (three[0].status, three[0].reason) == (Status.REJECTED, "It was never 30 seconds.")


def test_from_a_note_that_somebody_else_decided_the_keys_go_on(sign_in: SignIn, three: list[Memory], store: Store):
    page = sign_in("ren", INBOX)
    review.approve(store, three[0].pk, person("mara"), version=three[0].version)
    page.keyboard.press("a")
    expect(page.get_by_role("alert")).to_contain_text("changed in the meantime")
    page.keyboard.press("j")
    on_desk(page, QUEUES)


def test_a_press_on_reject_with_no_reason_asks_for_one(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", INBOX)
    page.keyboard.press("r")
    page.locator("#reasons").get_by_role("button", name="Reject").click()
    expect(page.locator("#own-reason")).to_be_focused()
    assert status_of(three[0]) == Status.PROPOSED
    page.locator("#own-reason").fill("It was never 30 seconds.")
    page.locator("#reasons").get_by_role("button", name="Reject").click()
    on_desk(page, QUEUES)
    assert status_of(three[0]) == Status.REJECTED


def test_a_double_click_decides_one_note(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", INBOX)
    page.locator(".desk-actions").get_by_role("button", name="Approve", exact=True).dblclick(delay=5)
    on_desk(page, QUEUES)
    page.wait_for_load_state("networkidle")
    assert [status_of(note) for note in three] == [Status.APPROVED, Status.PROPOSED, Status.PROPOSED]


def test_two_tabs_do_not_undo_each_other(sign_in: SignIn, three: list[Memory]):
    first = sign_in("ren", INBOX)
    second = first.context.new_page()
    second.goto(INBOX)
    first.keyboard.press("a")
    on_desk(first, QUEUES)
    second.keyboard.press("r")
    second.keyboard.press("1")
    expect(second.get_by_role("alert")).to_contain_text("changed in the meantime")
    assert status_of(three[0]) == Status.APPROVED


def stored(page: Page) -> str:
    return str(page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])"))


def test_no_note_lives_on_in_the_browser(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", INBOX)
    page.keyboard.press("j")
    on_desk(page, QUEUES)
    page.keyboard.press("e")
    page.get_by_label("Note", exact=True).fill("The queue holds 600 jobs.")
    assert "600 jobs" in stored(page), "as long as it is not sent"
    page.get_by_role("button", name="Save and keep waiting").click()
    on_desk(page, "The queue holds 600 jobs.")
    page.goto(f"/s/orbit/notes/{three[1].pk}?edit=1")
    page.get_by_label("Note", exact=True).fill("The queue holds 700 jobs.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_contain_text("Saved.")
    assert "Leases" not in stored(page)
    assert "queue" not in stored(page)


@pytest.mark.parametrize("form", ["inbox?edit=1", "notes/{pk}?edit=1", "propose"])
def test_a_refused_secret_is_neither_shown_again_nor_kept_in_the_browser(
    sign_in: SignIn, three: list[Memory], form: str
):
    page = sign_in("ren", "/s/orbit/" + form.format(pk=three[0].pk))
    field = page.get_by_label("Note", exact=True)
    field.fill(f"Leases are kept under {TOKEN}.")
    if form == "propose":
        page.get_by_label("Source").fill("doc:leases")
    page.get_by_role("button", name=re.compile("^(Save|Save and keep waiting|Propose)$")).click()
    expect(page.get_by_role("alert").first).to_be_visible()
    expect(field).to_have_value("Leases are kept under [removed].")
    assert TOKEN not in stored(page) + page.content()
    field.fill("Leases are kept by the broker.")
    assert "by the broker" in stored(page), "what is typed after the refusal is kept again"


def test_everything_works_without_script(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", INBOX, java_script_enabled=False)
    on_desk(page, LEASES)
    page.locator(".desk-actions").get_by_role("button", name="Approve", exact=True).click()
    on_desk(page, QUEUES)
    page.locator(".desk-actions").get_by_role("button", name="Reject", exact=True).first.click()
    page.get_by_role("button", name="Already known").click()
    on_desk(page, RETRIES)
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Note", exact=True).fill("Retries stop after 6 attempts.")
    page.get_by_role("button", name="Save and keep waiting").click()
    on_desk(page, "Retries stop after 6 attempts.")
    page.locator(".last-decision").get_by_role("button", name="Undo").click()
    on_desk(page, QUEUES)


# For everybody


@pytest.mark.parametrize("width", [360, 1280])
def test_every_page_and_state_is_accessible(sign_in: SignIn, store: Store, three: list[Memory], width: int):
    known = approved(store, "A worker sends a heartbeat every 10 seconds by default.")
    new = proposed(store, "A worker sends a heartbeat every 30 seconds by default.", evidence="every 30 seconds")
    proposed(store, "Retries probably stop after five attempts or so.", source="doc:probably")
    assert new.conflicts_with == known
    page = sign_in("mara", INBOX, viewport={"width": width, "height": 800})
    no_violation(page)
    for path in (
        f"{INBOX}?note={new.pk}",
        f"{INBOX}?note={new.pk}&edit=1",
        f"{INBOX}?text=nowhere",
        f"/s/orbit/notes/{known.pk}",
        f"/s/orbit/notes/{known.pk}?edit=1",
        f"/s/orbit/notes/{new.pk}/impact",
        "/s/orbit/propose",
        "/profile",
        "/profile/password",
        "/",
        "/s/orbit/notes/99999",
    ):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        no_violation(page)
    page.goto(INBOX)
    page.keyboard.press("r")
    no_violation(page)
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    no_violation(page)
    page.keyboard.press("Escape")
    page.locator("input[name=ticked]").nth(1).check()
    no_violation(page, "ticked notes")
    page.locator("#ticked").get_by_role("button", name="Reject").click()
    no_violation(page, "reasons for ticked notes")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(page.get_by_role("status")).to_contain_text("Approved")
    no_violation(page)
    opener = page.get_by_role("button", name="Menu") if width < 960 else page.get_by_role("button", name="Store Orbit")
    opener.click()
    no_violation(page, "menu and stores")
    page.goto("/s/orbit/propose")
    page.get_by_label("Note", exact=True).fill("Is it so?")
    page.get_by_label("Source").fill("nowhere")
    page.get_by_role("button", name="Propose").click()
    expect(page.get_by_role("alert")).to_contain_text("nothing was kept")
    expect(page.locator("#id_source_error")).to_contain_text("malformed")
    no_violation(page, "a draft with errors")


def test_a_form_from_an_older_session_is_explained_accessibly(sign_in: SignIn, three: list[Memory]):
    page = sign_in("ren", "/profile")
    page.context.clear_cookies(name="csrftoken")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    no_violation(page, "an outdated form")


def test_an_empty_inbox_and_signing_in_are_accessible(sign_in: SignIn, store: Store):
    page = sign_in("ren", INBOX)
    no_violation(page)
    page.get_by_role("button", name="Sign out").click()
    no_violation(page)
    page.get_by_label("Name").fill("ren")
    page.get_by_label("Password").fill("not this one")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    no_violation(page)


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_the_buttons_of_a_note_in_conflict_and_of_ticked_notes_stand_on_one_line(
    sign_in: SignIn, store: Store, language: str
):
    approved(store, "A worker sends a heartbeat every 10 seconds by default.")
    proposed(store, "A worker sends a heartbeat every 30 seconds by default.")
    page = sign_in("ren", INBOX, viewport={"width": 1280, "height": 800}, locale=language)
    for buttons, count in ((".desk-actions > .actions > .button", 4), ("#ticked > .button", 2)):
        lines = page.locator(buttons).evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
        assert len(lines) == count
        assert len(set(lines)) == 1, f"{buttons}: {lines}"


@pytest.mark.parametrize("width", [360, 768, 1280, 2560])
def test_no_width_scrolls_sideways(sign_in: SignIn, store: Store, three: list[Memory], width: int):
    text = "x" * 140 + " and " + "y" * 140
    proposed(store, text, source="doc:" + "z" * 190, evidence="w" * 300)
    page = sign_in("ren", f"{INBOX}?text=xxxx", viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
