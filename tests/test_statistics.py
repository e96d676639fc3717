from django.core.management import call_command
from django.db import connection

from memories.models import Store
from tests.rooms import many


def test_a_sweep_tells_the_query_planner_how_the_rows_are_spread(store: Store) -> None:
    many(store, 3)
    call_command("sweep", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM sqlite_stat1 WHERE tbl = 'memories_memory'")
        assert cursor.fetchone()[0] > 0
