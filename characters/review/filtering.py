"""The queue's filter as an address says it: every state of the queue has a URL."""

from collections.abc import Mapping
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from characters.people.pages import number
from characters.review.queue import AGES, SHOWN, Filter

NAMES: Mapping[str, str] = {
    "shown": "tab",
    "character": "character",
    "predicate": "predicate",
    "verdict": "verdict",
    "person": "person",
    "age": "age",
    "search": "q",
}
"""What a part of the filter is called in the address."""

LONGEST = 200
"""Characters of a search: each word is a condition, and a database takes only so many."""


def read(query: QueryDict) -> Filter:
    """What an address asks for; what can't be meant narrows nothing."""
    text = {part: query.get(name, "").replace("\0", "").strip() for part, name in NAMES.items()}
    return Filter(
        shown=next((name for name in SHOWN if name == text["shown"]), "waiting"),
        character=text["character"],
        predicate=text["predicate"],
        verdict=text["verdict"],
        person=number(text["person"]),
        age=text["age"] if text["age"] in AGES else "",
        search=text["search"][:LONGEST],
    )


def query(wanted: Filter, page: int = 1, **changed: object) -> str:
    """The filter as the end of an address, with some parts of it changed; what is as usual isn't named."""
    parts = {part: changed.get(part, getattr(wanted, part)) for part in NAMES}
    named = {NAMES[part]: value for part, value in parts.items() if value and (part, value) != ("shown", "waiting")}
    if page > 1:
        named["page"] = page
    return f"?{urlencode(named)}" if named else ""


def address(pk: int | None, end: str) -> str:
    """Of a proposal beside the queue with this filter, or of the queue alone."""
    return (reverse("review:proposal", args=[pk]) if pk else reverse("review:queue")) + end
