"""The store that benchmarks run on, in small: every page answers, and at a price that does not grow with its notes."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchmarks.addresses import addresses, exports
from benchmarks.pages import first_bytes, pages, whole_export
from benchmarks.real_size import real_size
from memories.models import AuditEvent, Recall, Refusal, Run, Store

NOTES = 1_000


@pytest.fixture
def real(db: None) -> Store:
    return real_size(NOTES, lambda _step: None)


@pytest.fixture
def ada(real: Store) -> Client:
    client = Client()
    client.force_login(User.objects.get(username="ada"))
    return client


@pytest.mark.slow
def test_a_store_of_real_size_has_a_record_in_proportion(real: Store) -> None:
    counts = [model.objects.filter(store=real).count() for model in (AuditEvent, Run, Recall, Refusal)]
    assert counts == [NOTES + 1, NOTES // 50, NOTES // 10, NOTES // 10]
    for marked in ({"run__isnull": False}, {"conflicts_with__isnull": False}, {"risk": 4}):
        assert real.memories.filter(**marked).exists()


@pytest.mark.slow
def test_every_page_and_download_is_measured(real: Store, ada: Client) -> None:
    for urls in addresses(real).values():
        assert pages(ada, urls, 1)["queries"][0] > 0
    for [url] in exports(real).values():
        assert first_bytes(ada, url, 1)["wall_p50"] > 0
    assert whole_export(ada, exports(real)["export: jsonl"][0])["seconds"] >= 0
