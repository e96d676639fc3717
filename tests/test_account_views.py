"""Signing in and out, the start page, preferences."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from memories.models import Membership, Profile, Role, Store
from tests.helpers import make_store, proposed
from tests.rooms import many

PASSWORD = "correct horse battery"


@pytest.fixture
def ren(client: Client, cast: dict[str, User]) -> Client:
    cast["ren"].set_password(PASSWORD)
    cast["ren"].save()
    client.force_login(cast["ren"])
    return client


def test_signing_in_leads_back_to_where_one_was(client: Client, store: Store, ren: Client):
    client.logout()
    asked = client.get("/s/orbit/inbox?note=3")
    assert asked.url == "/sign-in?next=/s/orbit/inbox%3Fnote%3D3"
    answer = client.post(asked.url, {"username": "ren", "password": PASSWORD, "next": "/s/orbit/inbox?note=3"})
    assert answer.url == "/s/orbit/inbox?note=3"


def test_signing_in_never_leads_to_another_site(client: Client, ren: Client):
    client.logout()
    fields = {"username": "ren", "password": PASSWORD, "next": "https://evil.example/"}
    assert client.post("/sign-in", fields).url == "/"


@pytest.mark.parametrize(("name", "password"), [("ren", "wrong"), ("nobody", PASSWORD), ("ren", ""), ("", "")])
def test_a_wrong_name_and_a_wrong_password_look_the_same(client: Client, ren: Client, name: str, password: str):
    client.logout()
    answer = client.post("/sign-in", {"username": name, "password": password})
    assert answer.status_code == 200
    assert b"do not fit together" in answer.content


def test_signing_out_takes_a_form_not_a_link(ren: Client):
    assert ren.get("/sign-out").status_code == 405
    assert ren.post("/sign-out").url == "/sign-in"
    assert ren.get("/").url.startswith("/sign-in")


def test_who_has_one_store_starts_in_its_inbox(ren: Client):
    assert ren.get("/").url == "/s/orbit/inbox"


def test_who_has_several_stores_chooses(ren: Client, store: Store, cast: dict[str, User]):
    other = make_store("travel")
    Membership.objects.create(store=other, user=cast["ren"], role=Role.READER)
    make_store("secret")
    proposed(store, "Leases last 30 seconds.")
    page = ren.get("/").content.decode()
    assert "1 waiting" in page
    assert "all decided" in page
    assert "Secret" not in page


def test_the_store_where_most_waits_comes_first(ren: Client, store: Store, cast: dict[str, User]):
    stores = [make_store(slug) for slug in ("aviary", "busy", "zoo")]
    for other in stores:
        Membership.objects.create(store=other, user=cast["ren"], role=Role.REVIEWER)
    many(stores[1], 3)
    many(stores[2], 2)
    many(store, 1)
    many(stores[0], 9, status="approved")
    shown = [(one.store.slug, one.waiting) for one in ren.get("/").context["memberships"]]
    assert shown == [("busy", 3), ("zoo", 2), ("orbit", 1), ("aviary", 0)]


def test_who_has_no_store_is_told_how_to_get_one(client: Client, db: None):
    client.force_login(User.objects.create(username="new"))
    page = client.get("/").content
    assert b"No store is shared with you yet" in page


def test_preferences_are_kept_and_take_effect(ren: Client, store: Store, cast: dict[str, User]):
    fields = {"theme": "dark", "time_zone": "Asia/Tokyo", "language": "de"}
    assert ren.post("/profile", fields).status_code == 302
    profile = Profile.objects.get(user=cast["ren"])
    assert (profile.theme, profile.shortcuts, profile.time_zone) == ("dark", False, "Asia/Tokyo")
    proposed(store, "Leases last 30 seconds.")
    page = ren.get("/s/orbit/inbox").content.decode()
    assert 'data-theme="dark"' in page
    assert 'data-shortcuts="off"' in page
    assert 'lang="de"' in page
    assert " JST</time>" in page


def test_without_a_profile_the_browser_decides(ren: Client, store: Store):
    ren.cookies["zone"] = "Asia/Tokyo"
    proposed(store, "Leases last 30 seconds.")
    page = ren.get("/s/orbit/inbox", HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert 'data-theme="system"' in page
    assert 'data-shortcuts="on"' in page
    assert 'lang="de"' in page
    assert " JST</time>" in page


@pytest.mark.parametrize("zone", ["", "Nowhere/At-All", "../../etc/passwd", "Europe", "x" * 4_000])
def test_a_zone_that_is_none_means_utc(ren: Client, store: Store, zone: str):
    ren.cookies["zone"] = zone
    proposed(store, "Leases last 30 seconds.")
    assert " UTC</time>" in ren.get("/s/orbit/inbox").content.decode()


@pytest.mark.parametrize("fields", [{"theme": "pink"}, {"time_zone": "Nowhere"}, {"language": "xx"}])
def test_preferences_that_do_not_exist_are_refused(ren: Client, fields: dict[str, str]):
    answer = ren.post("/profile", {"theme": "dark", **fields})
    assert answer.status_code == 422
    assert not Profile.objects.exists()


def test_a_password_can_be_changed(ren: Client, cast: dict[str, User]):
    fresh = "quite another phrase"
    fields = {"old_password": PASSWORD, "new_password1": fresh, "new_password2": fresh}
    answer = ren.post(reverse("password"), fields)
    cast["ren"].refresh_from_db()
    assert answer.url == reverse("profile")
    assert cast["ren"].check_password(fresh)


def test_a_short_password_is_refused(ren: Client, cast: dict[str, User]):
    fields = {"old_password": PASSWORD, "new_password1": "short", "new_password2": "short"}
    answer = ren.post(reverse("password"), fields)
    cast["ren"].refresh_from_db()
    assert b"at least 12 characters" in answer.content
    assert cast["ren"].check_password(PASSWORD)


def test_the_switcher_lists_the_stores_as_the_start_page_does(ren: Client, store: Store, cast: dict[str, User]):
    busy = make_store("zoo")
    Membership.objects.create(store=busy, user=cast["ren"], role=Role.REVIEWER)
    many(busy, 2)
    many(store, 1)
    page = ren.get("/s/orbit/recall").content.decode()
    panel = page[page.index('id="stores"') :]
    assert panel.index("Zoo") < panel.index("2 waiting") < panel.index("Orbit") < panel.index("1 waiting")


@pytest.mark.parametrize("page", ["profile", "password"])
def test_preferences_keep_the_rail_of_the_store_one_came_from(ren: Client, store: Store, page: str):
    assert 'href="/profile?store=orbit"' in ren.get("/s/orbit/recall").content.decode()
    assert 'href="/s/orbit/notes"' in ren.get(reverse(page), {"store": "orbit"}).content.decode()
    make_store("secret")
    for store_of_others in ("secret", "none", "\0"):
        assert 'href="/s/' not in ren.get(reverse(page), {"store": store_of_others}).content.decode()


def test_saved_preferences_lead_back_with_the_store(ren: Client, store: Store):
    assert ren.post("/profile?store=orbit", {"theme": "dark"}).url == "/profile?store=orbit"
