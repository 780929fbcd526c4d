"""`manage.py check`, and with `--deploy`: problems of the settings, each with an id and what to do."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from kgadmin.config import Config

LOOPBACK = {"127.0.0.1", "localhost", "[::1]", "::1"}
PACKAGED_EMBEDDER = Config.model_fields["embedder_model"].default
SCHEMES = {
    "graph_url": {"bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc"},
    "vectors_url": {"http", "https"},
    "llm_base_url": {"http", "https"},
}
KNOWN_PASSWORDS = {"", "admin", "changeme", "demo", "kgadmin", "neo4j", "password", "postgres", "secret", "test"}
"""Passwords that everybody tries first."""
WITH_PASSWORDS = ("database_url", "broker_url", "graph_url", "vectors_url")

Finding = tuple[str, str, str]
"""An id (E: an error, W: a warning), the problem, and what to do."""


@register
def settings_fit(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Check all settings; only the invalid values if there are any, since the others can't be judged then."""
    if settings.CONFIG_ERRORS:
        return _messages(("E001", text, "See .env.example for valid values.") for text in settings.CONFIG_ERRORS)
    return _messages([*_misfits(settings.CONFIG), *_missing_files(settings.CONFIG)])


@register(deploy=True)
def fit_for_others(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Check what is unsafe if others reach the program; the other check reports invalid values (kgadmin.E001)."""
    return [] if settings.CONFIG_ERRORS else _messages([*_dangers(settings.CONFIG), *_weak_secrets(settings.CONFIG)])


def _messages(findings: Iterable[Finding]) -> list[CheckMessage]:
    return [
        (Warning if id.startswith("W") else Error)(text, hint=hint, id=f"kgadmin.{id}") for id, text, hint in findings
    ]


def _misfits(config: Config) -> Iterator[Finding]:
    if config.secret_key is None and not config.debug:
        hint = "Set SECRET_KEY in .env to a long random text. `make run` makes one by itself."
        yield "E002", "SECRET_KEY is not set, so nobody stays signed in over a restart.", hint
    if config.llm_base_url and not config.llm_model:
        hint = "Set LLM_MODEL to the name of a model at that endpoint, or clear LLM_BASE_URL for the offline responder."
        yield "E003", "LLM_BASE_URL is set, and LLM_MODEL is not.", hint
    for field, schemes in SCHEMES.items():
        value = getattr(config, field)
        if value and not _is_url(value, schemes):
            hint = f"It begins with {' or '.join(f'{scheme}://' for scheme in sorted(schemes))}, then a host."
            yield "E004", f"{field.upper()} is not an address that can be used.", hint
    if config.demo and not config.debug and not LOOPBACK.issuperset(config.allowed_hosts):
        hint = "Set DEMO=0, or leave ALLOWED_HOSTS to this machine's own names."
        yield "E007", "Demo accounts sign in without a password, and ALLOWED_HOSTS lets others reach them.", hint


def _missing_files(config: Config) -> Iterator[Finding]:
    if not _can_hold_data(Path(config.data_dir)):
        hint = "Set DATA_DIR to a folder that this user may write to."
        yield "E005", f"The data folder {config.data_dir} can't be written to.", hint
    if config.embedder_model != PACKAGED_EMBEDDER and not Path(config.embedder_model).is_dir():
        hint = f"Set EMBEDDER_MODEL to {PACKAGED_EMBEDDER}, or to the folder of a sentence-transformers model."
        yield "E006", f"There is no embedding model at {config.embedder_model}.", hint


def _is_url(value: str, schemes: set[str]) -> bool:
    try:
        parts = urlsplit(value)
        return parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, an unclosed bracket
        return False


def _can_hold_data(folder: Path) -> bool:
    """Return whether the folder, or its nearest existing parent, is a folder that this user may write to."""
    nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    return nearest.is_dir() and os.access(nearest, os.R_OK | os.W_OK | os.X_OK)


def _dangers(config: Config) -> Iterator[Finding]:
    if config.demo:
        hint = "Set DEMO=0. Demo accounts that are in the database can't be used then."
        yield "E008", "Demo accounts may sign in without a password.", hint
    if config.debug:
        yield "E009", "DEBUG shows settings and code to visitors.", "Set DEBUG=0."
    if not config.public_url.startswith("https://"):
        hint = "Set PUBLIC_URL to the address that people use, with https://."
        yield "E011", "PUBLIC_URL is not an https address: passwords would travel in the clear.", hint
    if not config.forwarded_allow_ips:
        hint = "Set FORWARDED_ALLOW_IPS to the address, or the network, from which the proxy's requests come."
        text = "No proxy is trusted, so everybody signs in from its address: fifty wrong passwords lock all out."
        yield "W015", text, hint
    if "*" in config.allowed_hosts:
        hint = "Name the hosts, or leave ALLOWED_HOSTS alone: the host of PUBLIC_URL is taken."
        yield "E012", "ALLOWED_HOSTS lets every host name through.", hint


def _weak_secrets(config: Config) -> Iterator[Finding]:
    key = config.secret_key.get_secret_value() if config.secret_key else ""
    if len(key) < 50 or len(set(key)) < 10:
        hint = "Make one: python -c 'import secrets; print(secrets.token_urlsafe(50))'"
        yield "E010", "SECRET_KEY can be guessed: it signs sessions and links.", hint
    if config.graph_password.get_secret_value() in KNOWN_PASSWORDS:
        text = "The graph's password is missing, or the first one that anybody tries."
        yield "E013", text, "Set GRAPH_PASSWORD, there and here."
    for field in WITH_PASSWORDS:
        parts = urlsplit(getattr(config, field) or "")
        if parts.password is not None and parts.password in KNOWN_PASSWORDS:
            hint = f"Choose a long random one, at {parts.hostname} and in {field.upper()}."
            yield "E014", f"The password in {field.upper()} is one that anybody tries.", hint
