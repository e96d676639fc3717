import html
import re
from typing import Any

import pytest
from django.utils import timezone

from memories.models import Receipt, Store
from memories.views import data_requests
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


def link_to(page: Any, rel: str) -> str:
    found = re.search(rf'rel="{rel}"\s+href="([^"]*)"', page.content.decode())
    return URL + html.unescape(found[1]) if found else ""


@pytest.mark.parametrize("asked", ["", "?name=user:17&match=prefix", "?name=user:17"])
def test_receipts_are_paged_forward_and_back_with_what_was_looked_for(
    store: Store, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_requests, "SIZE", 2)
    many(store, 1, source="user:17")
    erased = {"store": store, "at": timezone.now(), "actor": "person:mara", "asked": {"by": "source"}}
    Receipt.objects.bulk_create(Receipt(operation=f"{number:032}", **erased) for number in range(6))
    client = browser("mara")
    pages = [client.get(URL + asked)]
    for rel in ("next", "next", "prev", "prev"):
        pages.append(client.get(link_to(pages[-1], rel)))
    rows = [[receipt.operation.lstrip("0") for receipt in page.context["page"].rows] for page in pages]
    assert rows == [["5", "4"], ["3", "2"], ["1", ""], ["3", "2"], ["5", "4"]]
    assert link_to(pages[2], "next") == link_to(pages[4], "prev") == ""
    for page in pages:
        assert (page.context["name"], page.context["several"]) == (pages[0].context["name"], "prefix" in asked)
        assert ("1 <" in page.content.decode()) is bool(asked)
