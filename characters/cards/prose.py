"""A card's prose as a sheet's identity, and back: description, personality and scenario under headings of their own."""

import re
from collections.abc import Sequence
from typing import NamedTuple

DEFAULT = "You are {{char}}."
"""The identity of a card that says nothing of who it is."""
FACTS = "## Facts"
_PARAGRAPH = "\n\n"
_PARTS = re.compile(
    r"(?P<description>.*?)(?:(?:^|\n\n)## Personality\n\n(?P<personality>\S.*?))?"
    r"(?:(?:^|\n\n)## Scenario\n\n(?P<scenario>\S.*?))?",
    re.DOTALL,
)


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
    return _PARAGRAPH.join(filter(None, parts)) or DEFAULT


def prose_of(identity: str) -> Prose:
    """The inverse: parts that make this very identity again. What stands under no such heading is the description."""
    text = "" if identity == DEFAULT else identity.strip()
    parts = _PARTS.fullmatch(text)
    prose = Prose(**{name: part or "" for name, part in parts.groupdict().items()}) if parts else Prose(text, "", "")
    return prose if identity_of(prose) == (text or DEFAULT) else Prose(text, "", "")


def with_facts(description: str, sentences: Sequence[str]) -> str:
    """The description and, for programs that know no facts, the facts below it."""
    if not sentences:
        return description
    facts = "\n".join([FACTS, "", *(f"- {sentence}" for sentence in sentences)])
    return f"{description}{_PARAGRAPH}{facts}" if description else facts


def without_facts(description: str, sentences: Sequence[str]) -> str:
    """The inverse, for the same sentences. Where another program changed what stands there, all of it stays."""
    if not sentences:
        return description
    written = re.escape(with_facts("", sentences))
    return re.sub(rf"(?:^|\n\n){written}(?=\n|$)", "", description, count=1)
