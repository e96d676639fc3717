"""The process environment, read strictly: a bad value stops the start with one clear line."""

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from memories.embedding import CHOICES, MEASURED

PROJECT = Path(__file__).resolve().parent.parent


class Environment(BaseSettings):
    """Every variable the product reads, with its default."""

    model_config = SettingsConfigDict(env_prefix="ATLAS_", enable_decoding=False, frozen=True)

    secret_key: str = ""
    debug: bool = False
    https: bool = False
    allowed_hosts: list[str] = ["localhost", "127.0.0.1", "[::1]"]
    database_url: str = ""
    data_dir: Path = PROJECT / "var"
    embedder: str = "wordllama"
    model: str = "gpt-5-mini"
    embed_model: str = "text-embedding-3-small"
    openai_api_key: str = Field(default="", validation_alias="OPENAI_API_KEY", repr=False)
    openai_base_url: str = Field(default="", validation_alias="OPENAI_BASE_URL")

    @field_validator("allowed_hosts", mode="before")
    @classmethod
    def split_hosts(cls, value: object) -> object:
        return [host.strip() for host in value.split(",") if host.strip()] if isinstance(value, str) else value

    @field_validator("secret_key")
    @classmethod
    def long_enough(cls, value: str) -> str:
        if value and len(value) < 32:
            raise ValueError("must have at least 32 characters; `make secret` prints a fresh one")
        return value

    @field_validator("embedder")
    @classmethod
    def known(cls, value: str) -> str:
        if value.partition(":")[0] not in MEASURED:
            raise ValueError(f"use {CHOICES}")
        return value

    @field_validator("data_dir")
    @classmethod
    def absolute(cls, value: Path) -> Path:
        return value.expanduser().resolve()

    @property
    def new_embedder(self) -> str:
        """Embedder of new stores; `openai` alone stands for the model that ATLAS_EMBED_MODEL names."""
        return f"openai:{self.embed_model}" if self.embedder == "openai" else self.embedder


def read_environment() -> Environment:
    """Read the environment.

    Raises:
        ImproperlyConfigured: a variable has a value of the wrong form; the message names it, never its value.
    """
    try:
        environment = Environment()
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        field = Environment.model_fields[str(first["loc"][0])] if first["loc"][0] in Environment.model_fields else None
        name = f"ATLAS_{first['loc'][0]}".upper() if field else str(first["loc"][0])
        raise ImproperlyConfigured(f"{name} is not usable: {first['msg'].removeprefix('Value error, ')}.") from None
    check_data_dir(environment.data_dir)
    return environment


def check_data_dir(path: Path) -> None:
    """Make the default data directory; a named one must be there already, so that a typing error is seen."""
    if path == PROJECT / "var":
        path.mkdir(exist_ok=True)
    if not path.is_dir():
        raise ImproperlyConfigured(f"ATLAS_DATA_DIR names {path}, which is not a directory: make it, or name another.")
