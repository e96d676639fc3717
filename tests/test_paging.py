import pytest

from memories.models import Memory, Store
from memories.paging import page
from tests.rooms import many

ORDER = ("-observed_at", "-id")


def walk(store: Store, order: tuple[str, ...], size: int) -> list[int]:
    seen: list[int] = []
    after = ""
    while True:
        found = page(Memory.objects.filter(store=store), order, after=after, size=size)
        seen += [row.pk for row in found.rows]
        after = found.after
        if not after:
            return seen


@pytest.mark.parametrize("order", [ORDER, ("observed_at", "id"), ("-risk", "id"), ("-id",)])
def test_walking_the_pages_meets_every_row_once_and_in_order(store: Store, order: tuple[str, ...]) -> None:
    many(store, 5, risk=2)
    many(store, 6, risk=1)
    expected = list(Memory.objects.order_by(*order).values_list("pk", flat=True))
    assert walk(store, order, 4) == expected


def test_rows_of_the_same_moment_are_neither_lost_nor_shown_twice(store: Store) -> None:
    moment = many(store, 1)[0].observed_at
    many(store, 8, observed_at=moment)
    assert len(set(walk(store, ORDER, 2))) == 9


def test_going_back_shows_the_page_one_came_from(store: Store) -> None:
    many(store, 7)
    rows = Memory.objects.filter(store=store)
    first = page(rows, ORDER, size=3)
    second = page(rows, ORDER, after=first.after, size=3)
    assert page(rows, ORDER, before=second.before, size=3).rows == first.rows


def test_the_first_page_leads_nowhere_back_and_the_last_nowhere_on(store: Store) -> None:
    many(store, 4)
    rows = Memory.objects.filter(store=store)
    first = page(rows, ORDER, size=3)
    last = page(rows, ORDER, after=first.after, size=3)
    assert (first.before, last.after) == ("", "")
    back = page(rows, ORDER, before=last.before, size=3)
    assert (back.before, bool(back.after)) == ("", True)


@pytest.mark.parametrize("cursor", ["nonsense", "~", "a~b", "2026-01-01T00:00:00+00:00~x", "1~2~3", "9" * 400 + "~1"])
def test_a_cursor_that_cannot_be_read_shows_the_first_page(store: Store, cursor: str) -> None:
    many(store, 2)
    assert len(page(Memory.objects.all(), ORDER, after=cursor).rows) == 2


def test_a_row_added_in_front_does_not_move_the_next_page(store: Store) -> None:
    many(store, 6)
    rows = Memory.objects.filter(store=store)
    first = page(rows, ORDER, size=3)
    expected = page(rows, ORDER, after=first.after, size=3).rows
    many(store, 1)
    assert page(rows, ORDER, after=first.after, size=3).rows == expected
