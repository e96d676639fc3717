from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User

from memories.models import Store
from memories.resident import drop_all
from tests import helpers


@pytest.fixture
def store(db: None) -> Store:
    return helpers.make_store()


@pytest.fixture
def cast(store: Store) -> dict[str, User]:
    return helpers.make_cast(store)


@pytest.fixture(autouse=True)
def _fresh_indexes() -> Iterator[None]:
    """A test's rows are rolled back and their ids used again: no index of them may stay."""
    drop_all()
    yield
    drop_all()
