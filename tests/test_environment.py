"""The environment is read strictly: a bad value stops the start with one clear line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from atlas_site.environment import PROJECT, read_environment

SECRET = "s" * 40


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith(("ATLAS_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ATLAS_DATA_DIR", str(tmp_path))


def test_what_is_not_given_has_its_default(tmp_path: Path) -> None:
    environment = read_environment()
    assert (environment.data_dir, environment.debug, environment.embedder) == (tmp_path.resolve(), False, "wordllama")
    assert environment.allowed_hosts == ["localhost", "127.0.0.1", "[::1]"]


def test_hosts_are_a_list_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATLAS_ALLOWED_HOSTS", " atlas.example.org, ,10.0.0.1,")
    assert read_environment().allowed_hosts == ["atlas.example.org", "10.0.0.1"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("ATLAS_DEBUG", "perhaps"), ("ATLAS_SECRET_KEY", "short-secret-value"), ("ATLAS_EMBEDDER", "word2vec")],
)
def test_a_bad_value_is_named_and_not_repeated(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured) as error:
        read_environment()
    assert str(error.value).startswith(f"{name} is not usable: ")
    assert value not in str(error.value)
    assert "\n" not in str(error.value)


def test_openai_alone_takes_the_named_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATLAS_EMBEDDER", "openai")
    monkeypatch.setenv("ATLAS_EMBED_MODEL", "house-model")
    assert read_environment().new_embedder == "openai:house-model"


def test_a_named_data_directory_must_be_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path / "file"):
        (tmp_path / "file").touch()
        monkeypatch.setenv("ATLAS_DATA_DIR", str(path))
        with pytest.raises(ImproperlyConfigured, match="make it, or name another"):
            read_environment()
        assert not (tmp_path / "missing").exists()


def manage(*arguments: str, **environment: str) -> tuple[int, str, str]:
    """Exit code and what the command line printed, as a person at a terminal gets them."""
    ran = subprocess.run(
        [sys.executable, str(PROJECT / "manage.py"), *arguments],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "atlas_site.settings", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"ATLAS_DEBUG": "perhaps"}, "Atlas Memory cannot start: ATLAS_DEBUG is not usable"),
        ({"ATLAS_DATABASE_URL": "nonsense"}, "Atlas Memory cannot start: ATLAS_DATABASE_URL is not a database URL"),
        ({"ATLAS_DATA_DIR": "/nowhere/at/all"}, "Atlas Memory cannot start: ATLAS_DATA_DIR names /nowhere/at/all"),
    ],
)
def test_the_command_line_stops_with_one_line(environment: dict[str, str], sentence: str) -> None:
    code, _out, problem = manage("health", **environment)
    assert code == 1
    assert problem.startswith(sentence)
    assert problem.count("\n") == 1


def test_serving_needs_a_secret_and_commands_need_none() -> None:
    code, _out, problem = manage("serve", "--bind", "127.0.0.1:0")
    assert code == 1
    assert (
        problem == "Atlas Memory cannot start: ATLAS_SECRET_KEY is missing: `make secret` prints a fresh one to set.\n"
    )
    code, _out, problem = manage("health")
    assert (code, problem) == (1, "CommandError: The database has no tables yet: run `manage.py migrate` first.\n")


def test_a_database_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "atlas.sqlite3").write_bytes(b"This is no database at all. " * 500)
    code, _out, problem = manage("health")
    assert (code, problem) == (1, "CommandError: The database file is damaged: restore the last backup.\n")


def test_a_fresh_data_directory_is_enough_to_begin() -> None:
    assert manage("migrate", "--verbosity", "0") == (0, "", "")
    code, out, _problem = manage("health")
    assert (code, out) == (0, "0 stores are in good health.\n")
    code, _out, problem = manage("recall", "--store", "orbit", "lease")
    assert (code, problem.count("\n")) == (1, 1)
    assert "none yet; `manage.py add_store` adds one" in problem
