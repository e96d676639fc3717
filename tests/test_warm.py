import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memories.models import Store
from memories.recall import recall
from memories.warm import warm
from tests.helpers import approved

pytestmark = pytest.mark.usefixtures("cast")


def test_the_first_recall_of_a_warm_process_reads_no_notes_for_its_index(store: Store) -> None:
    approved(store, "Leases last 30 seconds.")
    warm()
    with CaptureQueriesContext(connection) as captured:
        assert recall(store, "How long does a lease last?")
    assert not [query for query in captured.captured_queries if "embedding" in query["sql"]]


def test_a_store_whose_embedder_cannot_be_used_keeps_no_other_from_being_loaded(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    approved(store, "Leases last 30 seconds.")
    Store.objects.create(slug="broken", name="Broken", embedder="nonsense", revision=10_000)
    warm()
    with CaptureQueriesContext(connection) as captured:
        assert recall(store, "How long does a lease last?")
    assert not [query for query in captured.captured_queries if "embedding" in query["sql"]]
    assert "broken is not loaded in advance" in caplog.text
