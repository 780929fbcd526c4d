"""A card's prose as a sheet's identity, and back: description, personality and scenario under headings of their own."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

DEFAULT = "You are {{char}}."
"""The identity of a card that says nothing of who it is."""
MOST_HEADINGS = 20
"""Of a name, from the end of an identity, that are tried."""
_FACTS = "## Facts"
_PARAGRAPH = "\n\n"
_PERSONALITY, _SCENARIO = (
    re.compile(rf"(?:^|(?<=\n\n)){heading}\n\n(?=\S)") for heading in ("## Personality", "## Scenario")
)


class Prose(NamedTuple):
    """What a card says in sentences."""

    description: str
    personality: str
    scenario: str


class Own(NamedTuple):
    """A description without the facts that this program wrote into it, and lines that stand among them by others."""

    text: str
    others: tuple[str, ...]


def identity_of(prose: Prose) -> str:
    """The text with which every prompt begins."""
    parts = [prose.description.strip()]
    for title, text in (("Personality", prose.personality), ("Scenario", prose.scenario)):
        parts.append(f"## {title}\n\n{text.strip()}" if text.strip() else "")
    return _PARAGRAPH.join(filter(None, parts)) or DEFAULT


def prose_of(identity: str, known: Prose | None = None) -> Prose:
    """The inverse: parts that make this very identity again. What stands under no such heading is the description.

    Headings may stand in the description, too. Of several ways the one counts that leaves most of `known`, the card's
    own prose, as it is; then the one with the most parts.
    """
    text = "" if identity == DEFAULT else identity.strip()
    ways = [way for way in _ways(text) if identity_of(way) == (text or DEFAULT)]
    was = [part.strip() for part in known] if known else []
    return max(ways, key=lambda way: (sum(map(str.__eq__, way, was)), sum(map(bool, way))), default=Prose(text, "", ""))


def _ways(text: str) -> Iterator[Prose]:
    """Every place where personality and scenario could begin, the last first."""
    found = ([*pattern.finditer(text)][-MOST_HEADINGS:] for pattern in (_PERSONALITY, _SCENARIO))
    for personality, scenario in product(*([*reversed(each), None] for each in found)):
        end = scenario.start() if scenario else len(text)
        start = personality.start() if personality else end
        if start <= end:
            inner = text[personality.end() : end] if personality else ""
            yield Prose(text[:start].strip(), inner.strip(), text[scenario.end() :] if scenario else "")


def with_facts(description: str, sentences: Sequence[str]) -> str:
    """The description and, for programs that know no facts, the facts below it."""
    if not sentences:
        return description
    facts = "\n".join([_FACTS, "", *(f"- {sentence}" for sentence in sentences)])
    return f"{description}{_PARAGRAPH}{facts}" if description else facts


def without_facts(description: str, sentences: Sequence[str]) -> Own:
    """The inverse, for the same sentences: nothing but these very lines is taken away."""
    if not sentences:
        return Own(description, ())
    written = with_facts("", sentences)
    if written not in description:
        description = description.replace("\r\n", "\n")
    at = description.rfind(written)
    after = description[at + len(written) :]
    if at >= 0 and (not at or description[:at].endswith(_PARAGRAPH)) and after[:1] in ("", "\n"):
        return Own(description[:at].removesuffix(_PARAGRAPH) + after, ())
    return _by_line(description, sentences)


def _by_line(description: str, sentences: Sequence[str]) -> Own:
    """Where another program wrote among the facts: what isn't known stays, below the heading."""
    lines = description.splitlines()
    headings = [place for place, line in enumerate(lines) if line.strip() == _FACTS]
    if not headings:
        return Own(description, ())
    start = headings[-1] + 1
    known = [f"- {sentence}" for sentence in sentences]
    kept = []
    for line in lines[start:]:
        if line.rstrip() in known:
            known.remove(line.rstrip())
        else:
            kept.append(line)
    if len(known) == len(sentences):  # a heading of somebody else's
        return Own(description, ())
    others = tuple(line.strip() for line in kept if line.strip())
    before = "\n".join(lines[:start] if others else lines[: start - 1]).rstrip()
    left = "\n".join(kept).strip()
    return Own(f"{before}{_PARAGRAPH}{left}" if others else before, others)
