import pytest

from memories.models import Store
from tests.rooms import browser, many

pytestmark = pytest.mark.usefixtures("cast")
URL = "/s/orbit/data-requests"


def test_a_person_is_found_without_those_whose_number_begins_the_same(store: Store) -> None:
    many(store, 7, source="user:17")
    many(store, 2, source="user:170")
    page = browser("mara").get(f"{URL}?name=user:17").content.decode()
    assert "7 <" in page
    assert "5 of 7 shown" in page
    assert "shown</p>" not in browser("mara").get(f"{URL}?name=user:170").content.decode()
    assert "Not taken in, though it begins the same" in page
    assert "user:170" in page
    assert "forget?source=user%3A17" in page


def test_all_sources_that_begin_the_same_are_named_before_they_are_erased(store: Store) -> None:
    many(store, 1, source="user:17:mail")
    many(store, 1, source="user:17:chat")
    page = browser("mara").get(f"{URL}?name=user:17&match=prefix").content.decode()
    assert "user:17:chat" in page
    assert "user:17:mail" in page
    assert "notes/export?source_prefix=user%3A17" in page


def test_a_source_that_taught_nothing_is_said_plainly(store: Store) -> None:
    many(store, 1)
    page = browser("mara").get(f"{URL}?name=user:99").content.decode()
    assert "was learnt from “user:99”." in page
    assert "forget?" not in page


@pytest.mark.parametrize("prefix", ["", "%20", "x" * 201, "%00"])
def test_an_unusable_prefix_is_refused(store: Store, prefix: str) -> None:
    assert browser("mara").get(f"{URL}?name={prefix}").status_code == 422


def test_an_erasure_leaves_a_receipt_on_the_page(store: Store) -> None:
    many(store, 1, source="user:17")
    client = browser("mara")
    seen = client.get("/s/orbit/forget?source_prefix=user:17")
    client.post("/s/orbit/forget", {"source_prefix": "user:17", "fingerprint": seen.context["preview"].fingerprint})
    assert "source prefix: user:17" in client.get(URL).content.decode()
