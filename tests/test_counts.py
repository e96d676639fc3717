from memories.counts import Count, capped_count, capped_counts
from memories.models import Memory, Store
from tests.rooms import many


def test_counting_stops_at_the_cap_and_says_so(store: Store) -> None:
    many(store, 6)
    rows = Memory.objects.filter(store=store)
    assert capped_count(rows, cap=5) == Count(5, more=True)
    assert capped_count(rows, cap=6) == Count(6)


def test_many_counts_cost_one_query(store: Store, django_assert_num_queries: object) -> None:
    many(store, 3)
    many(store, 2, kind="episode")
    rows = Memory.objects.filter(store=store)
    wanted = {kind: rows.filter(kind=kind) for kind in ("fact", "episode", "procedure")}
    with django_assert_num_queries(1):  # type: ignore[operator]
        found = capped_counts(store, wanted, cap=2)
    assert found == {"fact": Count(2, more=True), "episode": Count(2), "procedure": Count(0)}


def test_a_count_reads_like_one() -> None:
    assert str(Count(10_000, more=True)) == "10,000+"
    assert str(Count(7)) == "7"
