"""A card's prose as a sheet's identity, and back: description, personality and scenario under headings of their own."""

import re
from collections.abc import Sequence
from typing import NamedTuple

DEFAULT = "You are {{char}}."
"""The identity of a card that says nothing of who it is."""
_HEADING = re.compile(r"^## (Personality|Scenario|Facts)[ \t]*$", re.MULTILINE)


class Prose(NamedTuple):
    """What a card says in sentences."""

    description: str
    personality: str
    scenario: str


def identity_of(prose: Prose) -> str:
    """The text with which every prompt begins."""
    parts = [prose.description.strip()]
    for title, text in (("Personality", prose.personality), ("Scenario", prose.scenario)):
        parts.append(f"## {title}\n\n{text.strip()}" if text.strip() else "")
    return "\n\n".join(filter(None, parts)) or DEFAULT


def prose_of(identity: str) -> Prose:
    """The inverse; what stands under no such heading is the description."""
    parts = _HEADING.split(identity)
    texts = {"description": parts[0], "Personality": "", "Scenario": ""}
    last = "description"
    for title, text in zip(parts[1::2], parts[2::2], strict=True):
        if title in texts and not texts[title]:
            texts[title], last = text, title
        else:  # a second one of that name is text of the first
            texts[last] += f"## {title}{text}"
    return Prose(texts["description"].strip(), texts["Personality"].strip(), texts["Scenario"].strip())


def with_facts(description: str, sentences: Sequence[str]) -> str:
    """The description and, for programs that know no facts, the facts below it."""
    if not sentences:
        return description
    facts = "\n".join(["## Facts", "", *(f"- {sentence}" for sentence in sentences)])
    return f"{description}\n\n{facts}" if description else facts


def without_facts(description: str) -> str:
    """The inverse: what stood there before the facts."""
    found = [match for match in _HEADING.finditer(description) if match[1] == "Facts"]
    return description[: found[-1].start()].rstrip() if found else description
