"""How the pages of the queue put things: how long ago, how long still, what a verdict says in a word."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from math import ceil
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format

from characters.review.models import Decision, Proposal, Verdict

MOST_DAYS = 14
WORDS: Mapping[str, Mapping[str, str]] = {
    "taint": {"good": "Clean", "warn": "Led at times", "bad": "Led"},
    "duplicate": {"good": "New", "warn": "Near", "bad": "Known"},
    "contradiction": {"good": "None", "warn": "Possible", "bad": "Contradicts"},
    "validation": {"good": "Valid", "warn": "Unsure", "bad": "Invalid", "not judged": "Not judged"},
    "confidence": {"good": "Enough", "warn": "Low"},
}
"""What each check finds, in a word."""
LED: Mapping[str, str] = {
    "dictation": "Dictated",
    "memory": "Told to remember it",
    "laundering": "Put in over several turns",
    "encoding": "Encoded",
    "quotation": "Quoted",
    "roleplay": "Roleplay",
    "history": "Put into the history by a program",
    "document": "Out of a document",
    "leading": "Leading question",
    "pressing": "Asked again and again",
}
"""What a kind of taint is called."""
KINDS: Mapping[str, str] = {"core": "core", "learned": "learned", "identity": "identity text", "proposal": "proposed"}
DONE: Mapping[str, str] = {
    Decision.Verb.APPROVED: "Approved",
    Decision.Verb.REJECTED: "Rejected",
    Decision.Verb.DEFERRED: "Deferred",
}
DOING: Mapping[str, str] = {
    Decision.Verb.APPROVED: "Approving",
    Decision.Verb.REJECTED: "Rejecting",
    Decision.Verb.DEFERRED: "Deferring",
}


def ago(when: datetime, now: datetime | None = None) -> str:
    """Shortly: "8 min", "3 h", "yesterday", "5 days", then the date."""
    passed = (now or timezone.now()) - when
    minutes, hours = passed // timedelta(minutes=1), passed // timedelta(hours=1)
    if minutes < 1:
        return "now"
    if hours < 1:
        return f"{minutes} min"
    if hours < 24:  # of a day
        return f"{hours} h"
    if passed.days > MOST_DAYS:
        return date_format(when, "j M Y")
    return "yesterday" if passed.days == 1 else f"{passed.days} days"


def left(until: datetime, now: datetime | None = None) -> str:
    """How long something holds still."""
    minutes = ceil((until - (now or timezone.now())) / timedelta(minutes=1))
    return f"{max(1, minutes)} min left"


def waits_until(at: datetime | None) -> str:
    """How long something deferred waits: "until 3 May 2026, 10:00"."""
    return f"until {date_format(timezone.localtime(at), 'j M Y, H:i')}" if at else "until it was said to somebody else"


def waited_until(after: Mapping[str, Any]) -> str:
    """The same of a decision, by what stood there after it; empty where it deferred nothing."""
    return waits_until(parse_datetime(after["until"])) if "until" in after else ""


def waits(proposal: Proposal) -> str:
    """The same of a proposal; empty where it waits for an operator, or was decided."""
    at = proposal.deferred_until
    is_waiting = proposal.state == Proposal.State.DEFERRED and (at is None or at > timezone.now())
    return waits_until(at) if is_waiting else ""


def word(verdict: Verdict) -> str:
    """What it found, in a word, or as the number that it is about."""
    if verdict.check_name == Verdict.Check.CONFIDENCE and "value" in verdict.evidence:
        return f"{verdict.evidence['value']:.2f}"
    return WORDS.get(verdict.check_name, {}).get(verdict.outcome, verdict.outcome.capitalize())


def count(number: int, one: str, many: str = "") -> str:
    """ "1 person", "2 people"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
