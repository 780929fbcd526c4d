"""The queue's filter as an address says it: every state of the queue has a URL."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from characters.people.pages import number
from characters.review.queue import AGES, SHOWN, ProposalFilter

NAMES: Mapping[str, str] = {
    "shown": "tab",
    "character": "character",
    "predicate": "predicate",
    "verdict": "verdict",
    "person": "person",
    "age": "age",
    "q": "q",
}
"""What a part of the filter is called in the address."""

LONGEST = 200
"""Characters of a search: each word is a condition, and a database takes only so many."""


def read(query: QueryDict) -> ProposalFilter:
    """What an address asks for; what can't be meant narrows nothing."""
    text: dict[str, Any] = {part: query.get(name, "").replace("\0", "").strip() for part, name in NAMES.items()}
    return ProposalFilter.model_construct(
        shown=next((name for name in SHOWN if name == text["shown"]), "waiting"),
        character=text["character"],
        predicate=text["predicate"],
        verdict=text["verdict"],
        person=number(text["person"]),
        age=text["age"] if text["age"] in AGES else "",
        q=text["q"][:LONGEST],
    )


def query(wanted: ProposalFilter, page: int = 1, **changed: object) -> str:
    """The filter as the end of an address, with some parts of it changed; what is as usual isn't named."""
    parts = {part: changed.get(part, getattr(wanted, part)) for part in NAMES}
    named = {NAMES[part]: value for part, value in parts.items() if value and (part, value) != ("shown", "waiting")}
    if page > 1:
        named["page"] = page
    return f"?{urlencode(named)}" if named else ""


def address(pk: int | None, end: str) -> str:
    """Of a proposal beside the queue with this filter, or of the queue alone."""
    return (reverse("review:proposal", args=[pk]) if pk else reverse("review:queue")) + end
