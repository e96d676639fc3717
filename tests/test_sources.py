import pytest

from memories import sources
from memories.counts import Count
from memories.models import Origin, Store
from memories.sources import schemes
from tests.rooms import browser, many, queries_of


def names(store: Store, **conditions: str) -> list[str]:
    found: list[str] = []
    after = ""
    while True:
        rows, after = sources.sources(store, after=after, size=2, **conditions)
        found += [row.name for row in rows]
        if not after:
            return found


@pytest.fixture
def taught(store: Store) -> Store:
    many(store, 3, source="doc:leases")
    many(store, 2, source="doc:leases", status="approved", origin="untrusted")
    for name in ("doc:cron", "issue:4", "issue:41", "user:17", "user:日本"):
        many(store, 1, source=name)
    return store


def test_the_pages_name_every_source_once_in_order(taught: Store) -> None:
    assert names(taught) == ["doc:cron", "doc:leases", "issue:4", "issue:41", "user:17", "user:日本"]


def test_a_prefix_keeps_the_sources_that_begin_with_it(taught: Store) -> None:
    assert names(taught, prefix="issue:4") == ["issue:4", "issue:41"]
    assert names(taught, prefix="user:日") == ["user:日本"]
    assert names(taught, prefix="nothing:") == []


def test_a_source_is_counted_by_status_with_its_lowest_origin(taught: Store) -> None:
    rows, _after = sources.sources(taught, prefix="doc:leases")
    assert dict(rows[0].statuses) == {"proposed": Count(3), "approved": Count(2), "rejected": Count(0)}
    assert rows[0].origin == Origin.UNTRUSTED
    assert rows[0].last_seen == taught.memories.filter(source="doc:leases").latest("observed_at").observed_at


def test_counting_a_large_source_stops_at_the_cap(taught: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "CAP", 4)
    rows, _after = sources.sources(taught, prefix="doc:leases")
    assert rows[0].total == Count(4, more=True)


def test_schemes_are_named_once(taught: Store) -> None:
    assert schemes(taught) == ["doc", "issue", "user"]


def test_another_stores_sources_are_not_named(taught: Store) -> None:
    other = Store.objects.create(slug="travel", name="Travel", embedder="hashed")
    assert names(other) == []
    assert schemes(other) == []


@pytest.mark.usefixtures("cast")
def test_the_page_costs_as_many_queries_for_thirty_sources_as_for_one(store: Store) -> None:
    client = browser("olga")
    many(store, 1)
    client.get("/s/orbit/sources")
    one = queries_of(client, "/s/orbit/sources")
    for number in range(29):
        many(store, 1, source=f"doc:page-{number}")
    assert queries_of(client, "/s/orbit/sources") == one


@pytest.mark.usefixtures("cast")
@pytest.mark.parametrize("query", ["prefix=%00", "prefix=%25_", "after=%F4%8F%BF%BF", "prefix=" + "x" * 900])
def test_odd_prefixes_never_break_the_page(taught: Store, query: str) -> None:
    assert browser("tove").get(f"/s/orbit/sources?{query}").status_code == 200


@pytest.mark.usefixtures("cast")
def test_only_a_maintainer_is_offered_to_forget_a_source(taught: Store) -> None:
    assert "forget?source=" not in browser("ren").get("/s/orbit/sources").content.decode()
    assert "forget?source=doc%3Aleases" in browser("mara").get("/s/orbit/sources").content.decode()
