"""The store that benchmarks run on, in small: every page answers, and at a price that does not grow with its notes."""

import pytest
from django.contrib.auth.models import User
from django.db.models import F
from django.test import Client

from benchmarks.addresses import addresses, exports, previews
from benchmarks.pages import decisions, differing, first_bytes, pages, whole_export
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
    for asked in [*addresses(real).values(), *previews(real).values()]:
        assert pages(ada, asked, 1)["queries"][0] > 0
    assert decisions(ada, real, "fact", 1)["queries"][0] > 0
    assert not real.memories.filter(status="approved", decided_at__gt=F("observed_at")).exists()
    for [url] in exports(real).values():
        assert first_bytes(ada, url, 1)["wall_p50"] > 0
    assert whole_export(ada, exports(real)["export: jsonl"][0])["seconds"] >= 0


def test_a_page_that_asks_more_queries_over_many_notes_is_named() -> None:
    many = [{"page": "same", "queries": [7]}, {"page": "grown", "queries": [7, 12]}, {"page": "an export"}]
    few = [{"page": "same", "queries": [7, 8]}, {"page": "grown", "queries": [9]}]
    assert differing(many, few) == {"grown": [12, 9]}
