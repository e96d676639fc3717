from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.utils import translation
from hypothesis import HealthCheck, settings

from memories.models import Store
from memories.resident import drop_all
from tests import helpers
from tests.processes import Place, copy_of, make_template

# A busy machine is no failure: properties are about what comes out, never about how soon.
settings.register_profile("atlas", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("atlas")


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


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return make_template(tmp_path_factory.mktemp("template"))


@pytest.fixture
def place(template: Place, tmp_path: Path) -> Place:
    """A data directory of this test's own with the store "orbit" and its cast, for real processes."""
    return copy_of(template, tmp_path / "data")


@pytest.fixture(autouse=True)
def _no_language_left() -> Iterator[None]:
    """A request leaves its language active in the thread until the next request."""
    yield
    translation.deactivate()
