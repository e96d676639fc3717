from memories.counts import Count, capped_count, capped_counts, commonest, counted
from memories.models import Memory, Store
from tests.rooms import many


def test_counting_stops_at_the_cap_and_says_so(store: Store) -> None:
    many(store, 6)
    rows = Memory.objects.filter(store=store)
    assert capped_count(rows, cap=5) == Count(5, more=True)
    assert capped_count(rows, cap=6) == Count(6)


def test_one_is_no_plural() -> None:
    assert [counted(number, "note") for number in (0, 1, 2_000)] == ["0 notes", "1 note", "2,000 notes"]
    assert counted(1, "query", "queries") == "1 query"
    assert counted(3, "query", "queries") == "3 queries"


def test_many_counts_cost_one_query(store: Store, django_assert_num_queries: object) -> None:
    many(store, 3)
    many(store, 2, kind="episode")
    rows = Memory.objects.filter(store=store)
    wanted = {kind: rows.filter(kind=kind) for kind in ("fact", "episode", "procedure")}
    with django_assert_num_queries(1):  # type: ignore[operator]
        found = capped_counts(store, wanted, cap=2)
    assert found == {"fact": Count(2, more=True), "episode": Count(2), "procedure": Count(0)}


def test_the_commonest_values_come_first_and_the_first_rows_count(store: Store) -> None:
    many(store, 3, kind="episode")
    many(store, 2)
    rows = Memory.objects.filter(store=store).order_by("pk")
    assert commonest(rows, "kind") == [("episode", Count(3)), ("fact", Count(2))]
    assert commonest(rows, "kind", cap=4) == [("episode", Count(3, more=True)), ("fact", Count(1, more=True))]
    assert commonest(rows, "kind", top=1) == [("episode", Count(3))]


def test_a_count_reads_like_one() -> None:
    assert str(Count(10_000, more=True)) == "10,000+"
    assert str(Count(7)) == "7"
