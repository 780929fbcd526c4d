"""Check of personas' fallback keywords: which does the probe make needless?"""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from itertools import islice
from typing import Any

from django.utils import timezone

from characters.authoring.lint.findings import Finding, Fix, without_keyword
from characters.domain import words
from characters.domain.sheet import Persona, Sheet
from characters.profiles.bases import bases_in_scope
from characters.profiles.models import Character
from characters.turn.probe import plan, probe
from characters.turn.request import Base, Readers, TurnRequest
from kgadmin.knowledge import readers as knowledge
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.stores import wiring

MESSAGES = ("Tell me about the {}.", "What do you know about {}?", "I thought about the {} today.")
"""Messages with nothing in them but the keyword; whatever else a message says points to a base, too."""
MOST_TRIED = 100
"""Most keywords that are tried; each takes some milliseconds."""


def needless(character: Character, sheet: Sheet) -> Iterator[Finding]:
    """Yield keywords without which the persona's own bases are found anyway. Raises `StoreError`."""
    bases = bases_in_scope(character)
    names = dict(KnowledgeBase.objects.values_list("slug", "name"))
    for persona, keyword in islice(_written_there(sheet, bases), MOST_TRIED):
        if base := _base_of(sheet, bases, persona, keyword):
            sentence = (
                f"“{keyword}” is in {names[base]} already: the probe finds that base by itself, so the keyword of "
                f"{persona.name} isn’t needed."
            )
            fix = Fix(f"Remove “{keyword}”", (without_keyword(persona, keyword),))
            yield Finding("needless keyword", sentence, (), (fix,))


def _written_there(sheet: Sheet, bases: Sequence[Base]) -> Iterator[tuple[Persona, str]]:
    """Yield the keywords whose words all occur in one of their persona's bases: the others needn't be tried."""
    pairs = [(persona, keyword) for persona in sheet.personas for keyword in persona.keywords if persona.bases]
    counts = knowledge.word_counts(bases, {stem for _, keyword in pairs for stem in words.stems(keyword)})
    for persona, keyword in pairs:
        known = [counts[base].counts for base in persona.bases if base in counts]
        stems = words.stems(keyword)
        if stems and any(all(base.get(stem) for stem in stems) for base in known):
            yield persona, keyword


def _base_of(sheet: Sheet, bases: Sequence[Base], persona: Persona, keyword: str) -> str:
    """Return the persona's base that the probe finds in all messages, or an empty string."""
    primaries = (_primary(sheet, bases, message.format(keyword)) for message in MESSAGES)
    first = next(primaries)
    return first if first in persona.bases and all(other == first for other in primaries) else ""


def _primary(sheet: Sheet, bases: Sequence[Base], message: str) -> str:
    """Return the base that a message is about, the first one of a conversation."""
    request = TurnRequest(message, "", sheet, None, "", timezone.now(), bases=tuple(bases))
    planned = plan(request)
    probed, _ = probe(request, planned, wiring.embedder().embed(planned.texts), _readers())
    return probed.primary


def _readers() -> Readers:
    """Return readers of what the probe looks up; it asks for nothing else."""
    filled: dict[str, Any] = dict.fromkeys(each.name for each in fields(Readers))
    filled |= {
        "nearest": knowledge.nearest,
        "word_counts": knowledge.word_counts,
        "calibration": knowledge.calibration,
        "talk": knowledge.talk,
        "places": knowledge.places,
    }
    return Readers(**filled)
