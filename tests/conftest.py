import pytest
from django.contrib.auth.models import User

from memories.models import Store
from tests import helpers


@pytest.fixture
def store(db: None) -> Store:
    return helpers.make_store()


@pytest.fixture
def cast(store: Store) -> dict[str, User]:
    return helpers.make_cast(store)
