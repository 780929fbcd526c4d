"""`manage.py check --deploy`: what must not be so where others reach the program."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from kgadmin.config import Config

KNOWN = {"", "admin", "changeme", "demo", "kgadmin", "neo4j", "password", "postgres", "secret", "test"}
"""Passwords that everybody tries first."""
ADDRESSES = ("database_url", "broker_url", "graph_url", "vectors_url")


@register(deploy=True)
def fit_for_others(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Every check of the settings for production; wrong values are the other checks' (kgadmin.E001)."""
    if settings.CONFIG_ERRORS:
        return []
    config = settings.CONFIG
    return [*_demo(config), *_debug(config), *_secret_key(config), *_address(config), *_passwords(config)]


def _demo(config: Config) -> Iterator[CheckMessage]:
    if config.demo:
        hint = "Set DEMO=0. Demo accounts that are in the database can't be used then."
        yield Error("Demo accounts may sign in without a password.", hint=hint, id="kgadmin.E008")


def _debug(config: Config) -> Iterator[CheckMessage]:
    if config.debug:
        yield Error("DEBUG shows settings and code to visitors.", hint="Set DEBUG=0.", id="kgadmin.E009")


def _secret_key(config: Config) -> Iterator[CheckMessage]:
    key = config.secret_key.get_secret_value() if config.secret_key else ""
    if len(key) < 50 or len(set(key)) < 10:
        hint = "Make one: python -c 'import secrets; print(secrets.token_urlsafe(50))'"
        yield Error("SECRET_KEY can be guessed: it signs sessions and links.", hint=hint, id="kgadmin.E010")


def _address(config: Config) -> Iterator[CheckMessage]:
    if not config.public_url.startswith("https://"):
        hint = "Set PUBLIC_URL to the address that people use, with https://."
        yield Error(
            "PUBLIC_URL is not an https address: passwords would travel in the clear.", hint=hint, id="kgadmin.E011"
        )
    if not config.forwarded_allow_ips:
        hint = "Set FORWARDED_ALLOW_IPS to the address, or the network, from which the proxy's requests come."
        yield Warning(
            "No proxy is trusted, so everybody seems to sign in from its address: fifty wrong passwords lock all out.",
            hint=hint,
            id="kgadmin.W015",
        )
    if "*" in config.allowed_hosts:
        hint = "Name the hosts, or leave ALLOWED_HOSTS alone: the host of PUBLIC_URL is taken."
        yield Error("ALLOWED_HOSTS lets every host name through.", hint=hint, id="kgadmin.E012")


def _passwords(config: Config) -> Iterator[CheckMessage]:
    if config.graph_password.get_secret_value() in KNOWN:
        hint = "Set GRAPH_PASSWORD, there and here."
        yield Error(
            "The graph's password is missing, or the first one that anybody tries.", hint=hint, id="kgadmin.E013"
        )
    for field in ADDRESSES:
        parts = urlsplit(getattr(config, field) or "")
        if parts.password is not None and parts.password in KNOWN:
            hint = f"Choose a long random one, at {parts.hostname} and in {field.upper()}."
            yield Error(f"The password in {field.upper()} is one that anybody tries.", hint=hint, id="kgadmin.E014")
