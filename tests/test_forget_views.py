import re
from typing import Any

import pytest

from memories import glimpse
from memories.models import Action, AuditEvent, Memory, Receipt, Store
from memories.views import forget
from tests.helpers import approved, proposed
from tests.rooms import browser, many

pytestmark = pytest.mark.usefixtures("cast")
URL = "/s/orbit/forget"


def fingerprint(answer: Any) -> str:
    found = re.search(r'name="fingerprint" value="([0-9a-f]+)"', answer.content.decode())
    assert found
    return found[1]


def test_a_source_is_forgotten_after_its_preview(store: Store) -> None:
    many(store, 2, source="user:17")
    many(store, 1)
    seen = browser("mara").get(f"{URL}?source=user:17")
    assert "2 <" in seen.content.decode()
    answer = browser("mara").post(URL, {"source": "user:17", "fingerprint": fingerprint(seen)}, follow=True)
    assert "2 <" in answer.content.decode()
    assert list(store.memories.values_list("source", flat=True)) == ["doc:leases"]
    assert Receipt.objects.get().asked == {"by": "source", "source": "user:17"}
    assert AuditEvent.objects.get(action=Action.FORGOTTEN).count == 2


def test_above_ten_the_number_has_to_be_typed(store: Store) -> None:
    many(store, 11, source="user:17")
    sent = {"source": "user:17", "fingerprint": fingerprint(browser("mara").get(f"{URL}?source=user:17"))}
    for typed in ("", "10", "all"):
        answer = browser("mara").post(URL, {**sent, "typed": typed})
        assert answer.status_code == 422
        assert "Type 11 to confirm" in answer.content.decode()
    assert store.memories.count() == 11
    assert browser("mara").post(URL, {**sent, "typed": " 11 "}).status_code == 302
    assert store.memories.count() == 0


def test_ten_notes_need_no_typing(store: Store) -> None:
    many(store, 10)
    seen = browser("mara").get(f"{URL}?kind=fact")
    browser("mara").post(URL, {"kind": "fact", "fingerprint": fingerprint(seen)})
    assert store.memories.count() == 0


def test_a_set_that_changed_since_the_preview_is_not_forgotten(store: Store) -> None:
    many(store, 2, source="user:17")
    seen = fingerprint(browser("mara").get(f"{URL}?source=user:17"))
    many(store, 1, source="user:17")
    answer = browser("mara").post(URL, {"source": "user:17", "fingerprint": seen})
    assert answer.status_code == 409
    assert "3 <" in answer.content.decode()
    assert store.memories.count() == 3


@pytest.mark.parametrize("query", ["", "?sort=oldest", "?status=gone"])
def test_without_a_filter_nothing_can_be_forgotten(store: Store, query: str) -> None:
    many(store, 1)
    answer = browser("mara").get(URL + query)
    assert answer.status_code == 422
    assert 'name="fingerprint"' not in answer.content.decode()
    assert browser("mara").post(URL, {"fingerprint": "x"}).status_code in {409, 422}
    assert store.memories.count() == 1


def test_a_query_longer_than_any_note_is_said_to_be_too_long(store: Store) -> None:
    answer = browser("mara").post(URL, {"query": "lease " * 10_000, "minimum_score": "0.5"})
    assert answer.status_code == 422
    assert "at most 2000 characters" in answer.content.decode()


def test_a_query_forgets_what_scores_above_its_minimum(store: Store) -> None:
    approved(store, "The lease of a job is 30 seconds.")
    approved(store, "Cron entries follow local time.", source="doc:cron")
    sent = {"query": "The lease of a job is 30 seconds.", "minimum_score": "0,5"}
    seen = browser("mara").post(URL, sent)
    browser("mara").post(URL, {**sent, "fingerprint": fingerprint(seen)})
    assert list(store.memories.values_list("source", flat=True)) == ["doc:cron"]


@pytest.mark.parametrize("score", ["", "0", "1.5", "much", "nan"])
def test_a_query_without_a_usable_minimum_is_refused(store: Store, score: str) -> None:
    many(store, 1)
    assert browser("mara").post(URL, {"query": "lease", "minimum_score": score}).status_code == 422


def test_no_word_of_a_forgotten_note_is_in_receipt_or_log(store: Store) -> None:
    many(store, 1, text="Zanzibar is where the spare broker stands.", source="user:17")
    sent = {"text": "Zanzibar"}
    seen = browser("mara").post(URL, sent)
    page = browser("mara").post(URL, {**sent, "fingerprint": fingerprint(seen)}, follow=True).content.decode()
    assert "Zanzibar" not in page
    assert not Memory.objects.exists()
    assert "Zanzibar" not in browser("mara").get("/s/orbit/activity").content.decode()
    assert "Zanzibar" not in str(list(Receipt.objects.values()) + list(AuditEvent.objects.values()))


@pytest.mark.django_db(transaction=True)
def test_what_backups_still_hold_wears_no_tick(store: Store) -> None:
    many(store, 1)
    seen = browser("mara").get(f"{URL}?kind=fact")
    done = browser("mara").post(URL, {"kind": "fact", "fingerprint": fingerprint(seen)}, follow=True)
    listed = done.content.decode().partition('class="findings"')[2].partition("</ul>")[0]
    lines = re.findall(r'icons.svg#(\w+)"/></svg><span>([^<]*)', listed)
    assert [icon for icon, sentence in lines if sentence.startswith("Backups")] == ["warning"]
    assert {icon for icon, sentence in lines if not sentence.startswith("Backups")} == {"check"}
    german = browser("mara").get(done.request["PATH_INFO"], HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert "Backups made before" not in german


def test_the_preview_marks_what_was_also_learnt_elsewhere(store: Store) -> None:
    approved(store, "The lease of a job is 30 seconds.")
    proposed(store, "The lease of a job is 30 seconds.", source="user:17")
    approved(store, "Cron entries follow local time.", source="doc:cron")
    page = browser("mara").get(f"{URL}?kind=fact").content.decode()
    assert "1 of them was also learnt elsewhere" in page
    assert page.count("also learnt elsewhere</span>") == 1


@pytest.mark.django_db(transaction=True)
def test_a_receipt_says_whether_the_deletion_came_to_its_end(store: Store) -> None:
    many(store, 1)
    seen = browser("mara").get(f"{URL}?kind=fact")
    done = browser("mara").post(URL, {"kind": "fact", "fingerprint": fingerprint(seen)}, follow=True)
    assert "finished" in done.content.decode()
    Receipt.objects.update(finished_at=None, traces=[])
    assert "cut short" in browser("mara").get(done.request["PATH_INFO"]).content.decode()


def test_very_many_notes_are_named_exactly_before_they_can_be_forgotten(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(glimpse, "AT_ONCE", 2)
    many(store, 3, source="user:17")
    first = browser("mara").get(f"{URL}?source=user:17").content.decode()
    assert "notes at least" in first
    assert 'name="fingerprint"' not in first
    assert 'name="exact" value="1"' in first
    seen = browser("mara").post(URL, {"source": "user:17", "exact": "1"})
    assert "3 <" in seen.content.decode()
    browser("mara").post(URL, {"source": "user:17", "fingerprint": fingerprint(seen)})
    assert store.memories.count() == 0


def test_more_notes_than_a_request_can_delete_are_left_alone(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    many(store, 3, source="user:17")
    seen = fingerprint(browser("mara").get(f"{URL}?source=user:17"))
    monkeypatch.setattr(forget, "MOST_AT_ONCE", 2)
    answer = browser("mara").post(URL, {"source": "user:17", "fingerprint": seen})
    assert (answer.status_code, store.memories.count()) == (409, 3)
    for sent in ({}, {"exact": "1"}):
        answer = browser("mara").post(URL, {"source": "user:17", **sent})
        assert answer.status_code == 422
        assert "`manage.py forget --source`" in answer.content.decode()
        assert 'name="fingerprint"' not in answer.content.decode()


def test_a_first_look_that_meets_too_many_says_so_at_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(glimpse, "AT_ONCE", 1)
    monkeypatch.setattr(forget, "MOST_AT_ONCE", 2)
    many(store, 3, source="user:17")
    page = browser("mara").get(f"{URL}?source=user:17").content.decode()
    assert "narrow the filter" in page
    assert "notes at least" not in page


def test_what_is_wrong_takes_the_place_of_the_exact_set_in_a_page_that_waits_for_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memories.forget.MOST_BY_QUERY", 0)
    approved(store, "The lease of a job is 30 seconds.")
    sent = {"query": "The lease of a job is 30 seconds.", "minimum_score": "0.4", "exact": "1"}
    answer = browser("mara").post(URL, sent, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "raise the minimum score" in answer.content.decode().partition('id="preview"')[2]


def test_a_glimpse_of_notes_confirms_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(glimpse, "AT_ONCE", 2)
    many(store, 3, source="user:17")
    for sent in ({"exact": "1"}, {"fingerprint": ""}, {"fingerprint": "", "exact": "1"}):
        browser("mara").post(URL, {"source": "user:17", **sent})
    assert store.memories.count() == 3


def test_a_query_over_very_many_notes_shows_the_best_before_all_of_them(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(glimpse, "AT_ONCE", 2)
    note = approved(store, "The lease of a job is 30 seconds.")
    many(store, 3)
    sent = {"query": "The lease of a job lasts 30 seconds.", "minimum_score": "0.4"}
    first = browser("mara").post(URL, sent).content.decode()
    assert "notes at least" in first
    assert note.text in first
    assert 'name="fingerprint"' not in first
    seen = browser("mara").post(URL, {**sent, "exact": "1"})
    browser("mara").post(URL, {**sent, "fingerprint": fingerprint(seen)})
    assert not Memory.objects.filter(pk=note.pk).exists()
