"""How the pages of the queue put things: how long ago, how long still, what a verdict says in a word."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from math import ceil

from django.utils import timezone
from django.utils.formats import date_format

from characters.review.models import Decision, Verdict

MOST_DAYS = 14
PASSED: Mapping[str, str] = {"good": "passed", "warn": "unsure", "bad": "failed", "not judged": "not judged"}
WORDS: Mapping[str, Mapping[str, str]] = {
    "taint": {"good": "Clean", "warn": "Led at times", "bad": "Led"},
    "duplicate": {"good": "New", "warn": "Near", "bad": "Known"},
    "contradiction": {"good": "None", "warn": "Possible", "bad": "Contradicts"},
    "validation": {"good": "Valid", "warn": "Unsure", "bad": "Invalid"},
    "confidence": {"good": "Enough", "warn": "Low", "bad": "Low"},
}
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


def word(verdict: Verdict) -> str:
    """What it found, in a word, or as the number that it is about."""
    if verdict.check_name == Verdict.Check.CONFIDENCE and "value" in verdict.evidence:
        return f"{verdict.evidence['value']:.2f}"
    return WORDS.get(verdict.check_name, {}).get(verdict.outcome, verdict.outcome.capitalize())


def count(number: int, one: str, many: str = "") -> str:
    """ "1 person", "2 people"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
