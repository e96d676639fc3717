import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from memories.models import PinnedQuery, Store
from memories.pinned import pin
from tests.helpers import approved, person

pytestmark = pytest.mark.usefixtures("cast")


def run(*arguments: str) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("check_recalls", *arguments, stdout=out)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue()
    return 0, out.getvalue()


@pytest.fixture
def pinned(store: Store) -> Store:
    note = approved(store, "The lease of a job is 30 seconds.")
    pin(store, person("mara"), "the lease of a job", note, must_recall=True)
    return store


def test_queries_that_hold_end_in_success(pinned: Store) -> None:
    code, said = run("--store", "orbit")
    assert code == 0
    assert "1 of 1 pinned query held." in said


def test_a_query_that_fails_ends_in_failure_and_says_which(pinned: Store) -> None:
    note = approved(pinned, "Cron entries follow local time.", source="doc:cron")
    pin(pinned, person("mara"), "colour of the rocket", note, must_recall=True)
    code, said = run()
    assert code == 1
    assert "FAILS  orbit: “colour of the rocket” must recall note" in said
    assert "1 of 2" in said


def test_a_query_that_must_never_recall_fails_when_it_does(pinned: Store) -> None:
    PinnedQuery.objects.update(must_recall=False)
    assert run()[0] == 1


def test_each_query_is_one_json_object(pinned: Store) -> None:
    _code, said = run("--json")
    (row,) = [json.loads(line) for line in said.splitlines()]
    assert (row["store"], row["rank"], row["passed"]) == ("orbit", 1, True)


def test_a_store_that_is_not_there_is_named(db: None) -> None:
    with pytest.raises(CommandError, match="nowhere"):
        run("--store", "nowhere")
