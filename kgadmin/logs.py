"""Log lines without secrets: API keys, one-time links, and Authorization headers."""

import logging
import re
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import PermissionDenied
from pydantic import SecretStr

_SECRETS = [
    (re.compile(r"kg-[A-Za-z0-9_-]{20,}"), "kg-…"),
    (re.compile(r"(/link/)[^/\s\"?]{20,}"), r"\1…"),
    (re.compile(r"(?i)(authorization['\"]?\s*[:=,]\s*b?['\"]?(?:bearer|basic|token)\s+)[^\s'\",)]+"), r"\1…"),
    (re.compile(r"(?i)((?:api[_-]?key|password|secret|token)=)[^\s&'\"]+"), r"\1…"),
    (re.compile(r"\bsk-[A-Za-z0-9_-]{8,}"), "sk-…"),
]
_QUERY = re.compile(r"\?\S*")
SHORTEST_SECRET = 8
"""Length from which a secret is removed: a shorter one would match unrelated words."""


def discreet(text: str) -> str:
    """Return `text` without secrets that are recognised by their form, or that the settings hold."""
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    for secret in _of_settings():
        text = text.replace(secret, "…")
    return text


def _of_settings() -> list[str]:
    values = [value for _, value in settings.CONFIG]
    secrets = [value.get_secret_value() for value in values if isinstance(value, SecretStr)]
    logins = [urlsplit(value).password or "" for value in values if isinstance(value, str) and "@" in value]
    return [secret for secret in (*secrets, *logins) if len(secret) >= SHORTEST_SECRET]


class DiscreetFormatter(logging.Formatter):
    """Removes secrets from the whole line, with its traceback."""

    def format(self, record: logging.LogRecord) -> str:
        return discreet(super().format(record))


class DiscreetFilter(logging.Filter):
    """Removes queries from uvicorn's access log: they may name a person, and the log outlives forgetting one."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(discreet(_QUERY.sub("", arg)) if isinstance(arg, str) else arg for arg in record.args)
        return True


class RefusalFilter(logging.Filter):
    """Removes the traceback of a refused permission, which isn't an error of the program."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and isinstance(record.exc_info[1], PermissionDenied):
            record.exc_info = None
        return True
