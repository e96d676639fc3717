import pytest

from memories import listing
from memories.counts import Count
from memories.listing import Listing
from memories.models import Memory, Store
from memories.paging import cursor
from memories.queries import ORDERS, NoteFilter
from tests.rooms import many


@pytest.fixture
def mixed(store: Store) -> Store:
    many(store, 30, status="approved")
    many(store, 20, status="proposed", kind="episode", source="issue:4")
    many(store, 4, status="rejected", kind="fact", origin="untrusted", source="user:17")
    return store


@pytest.fixture
def short_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look through 10 candidates at a time, as a large store does through 10,000."""
    monkeypatch.setattr(listing, "SCAN", 10)
    monkeypatch.setattr(listing, "COUNTED", 10)


FILTERS = [
    {},
    {"status": "approved"},
    {"kind": "fact", "origin": "untrusted"},
    {"status": "proposed", "kind": "fact"},
    {"source": "issue:4"},
    {"source_prefix": "user:"},
    {"text": "every 7 seconds"},
    {"text": "worker", "status": "approved", "sort": "oldest"},
    {"sort": "risk", "kind": "episode"},
    {"sort": "added", "text": "lease"},
    {"flagged": "true"},
    {"conflict": "true"},
]


def walk(store: Store, wanted: NoteFilter, size: int = 7) -> list[int]:
    seen: list[int] = []
    after = ""
    for _page in range(100):
        page = Listing(store, wanted).page(after=after, size=size)
        seen += [note.pk for note in page.rows]
        after = page.after
        if not after:
            return seen
    raise AssertionError("the pages never end")


@pytest.mark.parametrize("fields", FILTERS)
def test_the_pages_hold_what_the_filter_chooses_in_its_order(mixed: Store, fields: dict[str, str]) -> None:
    wanted = NoteFilter.model_validate(fields)
    assert walk(mixed, wanted) == list(wanted.apply(mixed).values_list("pk", flat=True))


@pytest.mark.usefixtures("short_looks")
@pytest.mark.parametrize("fields", FILTERS)
def test_short_looks_find_the_same_notes_in_the_same_order(mixed: Store, fields: dict[str, str]) -> None:
    wanted = NoteFilter.model_validate(fields)
    assert walk(mixed, wanted) == list(wanted.apply(mixed).values_list("pk", flat=True))


@pytest.mark.usefixtures("short_looks")
@pytest.mark.parametrize("fields", FILTERS)
def test_short_looks_lead_back_to_the_first_note(mixed: Store, fields: dict[str, str]) -> None:
    wanted = NoteFilter.model_validate(fields)
    expected = list(wanted.apply(mixed).values_list("pk", flat=True))
    seen, before = list[int](), cursor(Memory.objects.get(pk=expected[-1]), ORDERS[wanted.sort]) if expected else ""
    while before:
        page = Listing(mixed, wanted).page(before=before, size=7)
        seen = [note.pk for note in page.rows] + seen
        before = page.before
    assert seen == expected[:-1]


def test_the_notes_of_one_source_are_counted_exactly_however_many_others_there_are(mixed: Store) -> None:
    assert Listing(mixed, NoteFilter(source="issue:4")).total() == Count(20)
    assert Listing(mixed, NoteFilter(source_prefix="user:")).total() == Count(4)


@pytest.mark.usefixtures("short_looks")
def test_a_page_that_is_not_full_yet_says_so(mixed: Store) -> None:
    page = Listing(mixed, NoteFilter(text="every 30 seconds")).page()
    assert (page.rows, page.unfinished) == ([], True)


@pytest.mark.usefixtures("short_looks")
@pytest.mark.parametrize("fields", FILTERS)
def test_a_total_that_stopped_counting_is_never_too_high(mixed: Store, fields: dict[str, str]) -> None:
    wanted = NoteFilter.model_validate(fields)
    total = Listing(mixed, wanted).total()
    exact = wanted.apply(mixed).count()
    assert total.number <= exact if total.more else total.number == exact


@pytest.mark.parametrize("fields", FILTERS)
def test_a_sample_holds_notes_that_the_filter_chooses(store: Store, fields: dict[str, str]) -> None:
    first, *_rest = many(store, 30, status="approved")
    # Numbers of sources and of notes part here.
    first.sources.create(store=store, source="doc:second", origin=first.origin, observed_at=first.observed_at)
    many(store, 20, status="proposed", kind="episode", source="issue:4")
    many(store, 4, status="rejected", kind="fact", origin="untrusted", source="user:17")
    wanted = NoteFilter.model_validate(fields)
    chosen = set(wanted.apply(store).values_list("pk", flat=True))
    found = [note.pk for note in Listing(store, wanted).sample(10)]
    assert len(set(found)) == min(10, len(chosen))
    assert chosen.issuperset(found)


def test_facets_count_what_another_choice_would_show(mixed: Store) -> None:
    facets = {facet.name: facet for facet in Listing(mixed, NoteFilter(kind="fact")).facets()}
    statuses = {choice.value: choice.count for choice in facets["status"].choices}
    kinds = {choice.value: choice.count for choice in facets["kind"].choices}
    assert statuses == {"proposed": Count(0), "approved": Count(30), "rejected": Count(4)}
    assert kinds["episode"] == Count(20)
    assert [choice.value for choice in facets["kind"].choices if choice.chosen] == ["fact"]


@pytest.mark.usefixtures("short_looks")
def test_facets_of_a_short_look_are_lower_bounds(mixed: Store) -> None:
    (status, _kind, _origin) = Listing(mixed, NoteFilter(text="worker")).facets()
    for choice in status.choices:
        exact = Memory.objects.filter(store=mixed, status=choice.value, text__icontains="worker").count()
        assert choice.count.more
        assert choice.count.number <= exact


def test_another_stores_notes_are_never_listed_or_counted(mixed: Store) -> None:
    other = Store.objects.create(slug="travel", name="Travel", embedder="hashed")
    many(other, 3)
    assert Listing(other, NoteFilter()).total() == Count(3)
    assert len(walk(other, NoteFilter(source_prefix="doc"))) == 3
