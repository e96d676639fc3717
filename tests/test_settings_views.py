import json
import re

import pytest

from memories import policy_effect
from memories.models import Action, AuditEvent, Membership, Role, Store
from tests.rooms import browser, many

pytestmark = pytest.mark.usefixtures("cast")
URL = "/s/orbit/settings"
STORE = {"name": "Orbit", "dedupe_threshold": "0.9", "minimum_score": "0.05", "version_rule": "none",
         "user_notes_need_review": "on"}  # fmt: skip


def test_a_changed_threshold_is_kept_and_written_down(store: Store) -> None:
    browser("olga").post(f"{URL}/store", STORE | {"minimum_score": "0.3"})
    store.refresh_from_db()
    assert store.minimum_score == 0.3
    assert AuditEvent.objects.get(action=Action.SETTINGS).details == {"changes": {"minimum_score": [0.05, 0.3]}}


def test_saving_what_is_there_already_writes_nothing_down(store: Store) -> None:
    browser("olga").post(f"{URL}/store", STORE)
    assert not AuditEvent.objects.exists()


@pytest.mark.parametrize("wrong", [{"minimum_score": "1.5"}, {"name": ""}, {"version_rule": "maybe"}])
def test_a_value_out_of_range_is_explained_beside_its_field(store: Store, wrong: dict[str, str]) -> None:
    answer = browser("olga").post(f"{URL}/store", STORE | wrong)
    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    store.refresh_from_db()
    assert (store.minimum_score, store.name, store.version_rule) == (0.05, "Orbit", "none")


def test_an_empty_period_keeps_notes_until_they_are_forgotten(store: Store) -> None:
    browser("olga").post(f"{URL}/retention", {"fact_days": "", "episode_days": "30", "rejected_days": "7"})
    store.refresh_from_db()
    assert (store.fact_days, store.episode_days, store.rejected_days) == (None, 30, 7)


def policy(**fields: str) -> dict[str, str]:
    return {"maximum_length": "300", "allow_ip_addresses": "on", **fields}


def test_a_policy_is_saved_and_screens_from_then_on(store: Store) -> None:
    browser("olga").post(f"{URL}/policy", policy(family_quality="refuse", allowed_sources="doc\nissue", save="yes"))
    store.refresh_from_db()
    assert store.policy["families"]["quality"] == "refuse"
    assert store.policy["allowed_sources"] == ["doc", "issue"]


def test_a_policy_is_tried_on_a_text_without_being_saved(store: Store) -> None:
    pattern = json.dumps({"name": "codename", "pattern": "bluebird", "severity": "refuse", "sentence": "Leave it out."})
    sent = policy(extra_patterns=pattern, sample="The bluebird flies.", kind="fact")
    page = browser("olga").post(f"{URL}/policy", {**sent, "try": "yes"}).content.decode()
    assert "extra.codename" in page
    assert "Leave it out." in page
    store.refresh_from_db()
    assert store.policy == {}


def test_the_effect_of_a_policy_on_the_notes_is_previewed(store: Store) -> None:
    many(store, 2, text="The bluebird release is in May.")
    many(store, 3)
    pattern = json.dumps({"name": "codename", "pattern": "bluebird", "severity": "refuse", "sentence": "Leave it out."})
    answer = browser("olga").post(f"{URL}/policy", policy(extra_patterns=pattern, effect="yes"))
    assert len(answer.context["effect"].refused_notes) == 2
    assert answer.context["effect"].refused["extra.codename"] == 2
    assert store.memories.count() == 5


@pytest.mark.parametrize(
    "wrong",
    [
        {"extra_patterns": "not json"},
        {"extra_patterns": '{"name": "x"}'},
        {"extra_patterns": '{"name": "x", "pattern": "(", "sentence": "s"}'},
        {"extra_patterns": "[1, 2]"},
        {"extra_patterns": "[" * 10_000},
        {"extra_patterns": '{"name": "x", "pattern": "((a{1000}){1000}){1000}", "sentence": "s"}'},
        {"extra_patterns": '{"name": "x", "pattern": "(?x)((a{10 00}){1000#}\\n }){1000}", "sentence": "s"}'},
        {"maximum_length": "0"},
        {"family_quality": "sometimes"},
    ],
)
def test_a_policy_that_cannot_be_used_is_not_saved(store: Store, wrong: dict[str, str]) -> None:
    answer = browser("olga").post(f"{URL}/policy", policy(**wrong) | {"save": "yes"})
    assert answer.status_code == 422
    store.refresh_from_db()
    assert store.policy == {}


def test_the_effect_on_very_many_notes_begins_with_the_newest(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy_effect, "AT_ONCE", 2)
    monkeypatch.setattr(policy_effect, "AT_ONCE_SECONDS", 60)
    many(store, 3)
    begun = browser("olga").post(f"{URL}/policy", policy(effect="yes"))
    assert (begun.context["effect"].looked_at, begun.context["effect"].begun) == (2, True)
    assert "Look at more of them" in begun.content.decode()
    whole = browser("olga").post(f"{URL}/policy", policy(effect="whole"))
    assert (whole.context["effect"].looked_at, whole.context["effect"].begun) == (3, False)
    assert "Look at more of them" not in whole.content.decode()


def test_the_effect_of_a_policy_counts_sources_and_the_version_rule_too(store: Store) -> None:
    many(store, 2)
    Store.objects.update(version_rule="required")
    effect = (
        browser("olga").post(f"{URL}/policy", policy(allowed_sources="doc:nowhere", effect="yes")).context["effect"]
    )
    assert (effect.refused["source.not-allowed"], effect.refused["quality.version-missing"]) == (2, 2)


@pytest.mark.parametrize("stored", [{"maximum_length": 0}, {"families": 5}, [], "x", 3, True])
def test_a_stored_policy_that_cannot_be_read_is_said_and_mended_on_this_page(store: Store, stored: object) -> None:
    Store.objects.update(policy=stored)
    olga = browser("olga")
    olga.raise_request_exception = False
    stopped = olga.post("/s/orbit/propose", {"text": "Leases last 30 s.", "kind": "fact", "source": "doc:leases"})
    assert stopped.status_code == 503
    assert "The filter policy of orbit cannot be read" in stopped.content.decode()
    assert olga.get(URL).status_code == 200
    olga.post(f"{URL}/policy", policy(save="yes"))
    store.refresh_from_db()
    assert store.policy["maximum_length"] == 300


def test_a_credential_on_two_lines_of_the_allowed_sources_is_not_saved(store: Store) -> None:
    typed = "doc\npass" + "word: hunter2Xy9!kq"
    answer = browser("olga").post(f"{URL}/policy", policy(allowed_sources=typed, save="yes"))
    assert answer.status_code == 422
    store.refresh_from_db()
    assert "hunter2" not in str(store.policy)


def test_a_token_in_the_name_of_a_field_is_not_quoted(store: Store) -> None:
    token = "ghp_" + "a1B2" * 9
    pattern = f'{{"{token}": 1, "name": "n", "pattern": "abc", "severity": "flag", "sentence": "x"}}'
    answer = browser("olga").post(f"{URL}/policy", policy(extra_patterns=pattern, save="yes"))
    assert answer.status_code == 422
    assert token[:12] not in answer.content.decode()


def test_a_member_gets_another_role(store: Store) -> None:
    browser("olga").post(f"{URL}/members", {"username": "tove", "role": str(Role.REVIEWER.value)})
    assert Membership.objects.get(store=store, user__username="tove").role == Role.REVIEWER
    assert AuditEvent.objects.get(action=Action.MEMBERS).details == {"person": "tove", "role": "reviewer"}


def test_nobody_of_that_name_is_explained(store: Store) -> None:
    answer = browser("olga").post(f"{URL}/members", {"username": "nobody", "role": "10"})
    assert answer.status_code == 422
    assert "Nobody signs in under this name" in answer.content.decode()


def test_the_last_owner_stays_owner_and_member(store: Store) -> None:
    olga = Membership.objects.get(store=store, user__username="olga")
    for url, fields in [
        (f"{URL}/members", {"username": "olga", "role": "10"}),
        (f"{URL}/members/{olga.pk}/remove", {}),
    ]:
        answer = browser("olga").post(url, fields, follow=True)
        assert "A store needs an owner" in answer.content.decode()
    olga.refresh_from_db()
    assert olga.role == Role.OWNER


def test_a_removed_member_finds_nothing_any_more(store: Store) -> None:
    tove = Membership.objects.get(store=store, user__username="tove")
    browser("olga").post(f"{URL}/members/{tove.pk}/remove")
    assert browser("tove").get("/s/orbit/notes").status_code == 404


def test_a_member_of_another_store_cannot_be_removed_from_here(store: Store) -> None:
    other = Store.objects.create(slug="travel", name="Travel")
    strange = Membership.objects.create(store=other, user=store.memberships.first().user)  # type: ignore[union-attr]
    assert browser("olga").post(f"{URL}/members/{strange.pk}/remove").status_code == 404


def test_a_maintainer_reads_the_settings_without_buttons(store: Store) -> None:
    page = browser("mara").get(URL).content.decode()
    assert "Only owners change settings" in page
    assert "Save the filter" not in page


@pytest.mark.parametrize(
    ("page", "fields", "part"),
    [
        ("store", STORE, "store"),
        ("retention", {"fact_days": "10"}, "retention"),
        ("policy", {"maximum_length": "300", "save": "yes"}, "filter"),
        ("members", {"username": "tove", "role": "20"}, "members"),
    ],
)
def test_saving_leads_back_to_the_part_that_was_saved(
    store: Store, page: str, fields: dict[str, str], part: str
) -> None:
    answer = browser("olga").post(f"/s/orbit/settings/{page}", fields)
    assert answer["Location"] == f"/s/orbit/settings#{part}"


def test_every_form_is_sent_to_where_its_answer_stands(store: Store) -> None:
    page = browser("olga").get("/s/orbit/settings").content.decode()
    sent = re.findall(r'action="(/s/orbit/settings/[^"]*)"', page)
    assert all("#" in address for address in sent)
    assert {address.partition("#")[2] for address in sent} <= set(re.findall(r' id="([^"]*)"', page))
