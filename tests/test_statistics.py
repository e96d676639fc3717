from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memories.models import Store
from memories.resident import ready
from memories.storage import refresh_statistics
from tests.rooms import many


def test_a_sweep_tells_the_query_planner_how_the_rows_are_spread(store: Store) -> None:
    many(store, 3)
    call_command("sweep", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM sqlite_stat1 WHERE tbl = 'memories_memory'")
        assert cursor.fetchone()[0] > 0


def test_few_changes_are_read_through_the_index_of_revisions(store: Store) -> None:
    many(store, 20)
    ready(store)
    refresh_statistics()
    with connection.cursor() as cursor:
        # As they are in a store of a million notes.
        cursor.execute("UPDATE sqlite_stat1 SET stat = '1000000 1000000' WHERE idx LIKE 'memories_memory_store_id_%'")
        cursor.execute("UPDATE sqlite_stat1 SET stat = '1000000 1000000 500' WHERE idx = 'memory_revision'")
        cursor.execute("ANALYZE sqlite_schema")
    many(store, 1)
    with CaptureQueriesContext(connection) as asked:
        ready(store)
    (changes,) = [query["sql"] for query in asked if '"revision" >' in query["sql"] and '"terms"' in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {changes}")
        assert "memory_revision" in str(cursor.fetchall())
