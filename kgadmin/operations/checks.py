"""`manage.py check`: what is wrong or missing in the settings, with an id and what to do."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from kgadmin.config import Config

LOOPBACK = {"127.0.0.1", "localhost", "[::1]", "::1"}
PACKAGED_EMBEDDER = Config.model_fields["embedder_model"].default
SCHEMES = {
    "graph_url": {"bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc"},
    "vectors_url": {"http", "https"},
    "llm_base_url": {"http", "https"},
}


@register
def settings_fit(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Every check of the settings. Where a value is wrong by itself the others can't be judged."""
    if settings.CONFIG_ERRORS:
        return [
            Error(text, hint="See .env.example for what fits.", id="kgadmin.E001") for text in settings.CONFIG_ERRORS
        ]
    config = settings.CONFIG
    return [*_secret_key(config), *_language_model(config), *_urls(config), *_folders(config), *_demo(config)]


def _secret_key(config: Config) -> Iterator[CheckMessage]:
    if config.secret_key is None and not config.debug:
        hint = "Set SECRET_KEY in .env to a long random text. `make run` makes one by itself."
        yield Error("SECRET_KEY is not set, so nobody stays signed in over a restart.", hint=hint, id="kgadmin.E002")


def _language_model(config: Config) -> Iterator[CheckMessage]:
    if config.llm_base_url and not config.llm_model:
        hint = "Set LLM_MODEL to a model's name at that endpoint, or clear LLM_BASE_URL for the offline responder."
        yield Error("LLM_BASE_URL is set, and LLM_MODEL is not.", hint=hint, id="kgadmin.E003")


def _urls(config: Config) -> Iterator[CheckMessage]:
    for field, schemes in SCHEMES.items():
        value = getattr(config, field)
        if value and not _is_url(value, schemes):
            hint = f"It begins with {' or '.join(f'{scheme}://' for scheme in sorted(schemes))}, then a host."
            yield Error(f"{field.upper()} is not an address that can be used.", hint=hint, id="kgadmin.E004")


def _is_url(value: str, schemes: set[str]) -> bool:
    try:
        parts = urlsplit(value)
        return parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, an unclosed bracket
        return False


def _folders(config: Config) -> Iterator[CheckMessage]:
    if not _can_hold_data(Path(config.data_dir)):
        hint = "Set DATA_DIR to a folder that this user may write to."
        yield Error(f"The data folder {config.data_dir} can't be written to.", hint=hint, id="kgadmin.E005")
    if config.embedder_model != PACKAGED_EMBEDDER and not Path(config.embedder_model).is_dir():
        hint = f"Set EMBEDDER_MODEL to {PACKAGED_EMBEDDER}, or to the folder of a sentence-transformers model."
        yield Error(f"There is no embedding model at {config.embedder_model}.", hint=hint, id="kgadmin.E006")


def _can_hold_data(folder: Path) -> bool:
    """Whether the folder, or the nearest one above it that exists, is a folder that this user may write to."""
    nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    return nearest.is_dir() and os.access(nearest, os.R_OK | os.W_OK | os.X_OK)


def _demo(config: Config) -> Iterator[CheckMessage]:
    if config.demo and not config.debug and not LOOPBACK.issuperset(config.allowed_hosts):
        hint = "Set DEMO=0, or leave ALLOWED_HOSTS to this machine's own names."
        text = "Demo accounts sign in without a password, and ALLOWED_HOSTS lets others reach them."
        yield Error(text, hint=hint, id="kgadmin.E007")
