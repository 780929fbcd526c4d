"""Words in which pages show verdicts, and how long a proposal is deferred."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format

from characters.review.models import Proposal

WORDS: Mapping[str, Mapping[str, str]] = {
    "taint": {"good": "No", "warn": "At times", "bad": "Yes"},
    "duplicate": {"good": "New", "warn": "Near", "bad": "Known"},
    "contradiction": {"good": "None", "warn": "Possible", "bad": "Contradicts"},
    "validation": {"good": "Valid", "warn": "Unsure", "bad": "Invalid", "not judged": "Not judged"},
    "confidence": {"good": "Enough", "warn": "Low"},
}
"""The outcomes of each check."""
ELICITED: Mapping[str, str] = {
    "dictation": "Dictated",
    "memory": "Told to remember it",
    "laundering": "Put in over several turns",
    "encoding": "Encoded",
    "quotation": "Quoted",
    "roleplay": "Roleplay",
    "history": "Put into the history by a program",
    "document": "From a document",
    "leading": "Leading question",
    "pressing": "Asked again and again",
}
"""How a statement was elicited, by the kind of taint."""
KINDS: Mapping[str, str] = {"core": "core", "learned": "learned", "identity": "identity text", "proposal": "proposed"}


def name_of(check: str) -> str:
    """Return a check's name."""
    return "Elicited?" if check == "taint" else check.capitalize()


def word(check: str, outcome: str) -> str:
    """Return an outcome in a word."""
    return WORDS[check].get(outcome, outcome.capitalize())


def outcome_text(check: str, outcome: str) -> str:
    """Return a check and its outcome: "Elicited? yes", "Duplicate: new"."""
    return f"{name_of(check)}: {word(check, outcome).lower()}".replace("?:", "?")


def waits_until(at: datetime | None) -> str:
    """Return how long a proposal is deferred: "until 3 May 2026, 10:00"."""
    return f"until {date_format(timezone.localtime(at), 'j M Y, H:i')}" if at else "until it is said to someone else"


def waited_until(after: Mapping[str, Any]) -> str:
    """Return how long a decision deferred a proposal with the state `after`; empty if it didn't."""
    return waits_until(parse_datetime(after["until"])) if "until" in after else ""


def waits(proposal: Proposal) -> str:
    """Return how long a proposal is deferred; empty if it isn't, or waits again."""
    at = proposal.deferred_until
    is_waiting = proposal.state == Proposal.State.DEFERRED and (at is None or at > timezone.now())
    return waits_until(at) if is_waiting else ""
