"""Persona: which manner of speaking does this turn take?"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from characters.domain import words
from characters.domain.sheet import Persona
from characters.turn.probe import Probe
from characters.turn.request import TurnRequest


@dataclass(frozen=True, slots=True)
class PersonaChoice:
    """The persona of the turn and the rule that chose it."""

    slug: str = ""
    name: str = ""
    instructions: str = ""
    rule: str = ""
    model: str = ""
    """The language model that it names."""
    options: Mapping[str, float] = field(default_factory=dict)
    """Parameters of the language model that it sets, by OpenAI's names."""
    margin: float = 0.0
    """The probe's margin, if the primary base chose the persona."""
    others: tuple[str, ...] = ()
    skipped: str = ""


def choose_persona(request: TurnRequest, probed: Probe) -> PersonaChoice:
    """Choose the persona: pinned by the tester > the primary base's > fallback keywords > the default."""
    personas = request.sheet.personas
    if not personas:
        return PersonaChoice(skipped=f"{request.sheet.name} has no personas")
    pinned = next((persona for persona in personas if persona.slug == request.persona), None)
    if pinned:
        return _chosen(request, pinned, "Chosen for this turn.")
    if request.is_off("persona"):
        return PersonaChoice(skipped="switched off")
    by_base = next((persona for persona in personas if probed.primary and probed.primary in persona.bases), None)
    if by_base:
        rule = f"It is used for {request.title_of(probed.primary)}, the primary base."
        return _chosen(request, by_base, rule, probed.margin)
    persona, rule = request.sheet.default_persona, "The default, since no base or keyword applies."
    if by_word := _by_keyword(request):
        persona, rule = by_word[0], f"No base applies, and the message contains “{by_word[1]}”."
    if not persona:
        return PersonaChoice(skipped="no rule chooses one, and there is no default")
    return _chosen(request, persona, rule)


def _chosen(request: TurnRequest, persona: Persona, rule: str, margin: float = 0.0) -> PersonaChoice:
    others = tuple(other.name for other in request.sheet.personas if other is not persona)
    return PersonaChoice(
        slug=persona.slug,
        name=persona.name,
        instructions=persona.instructions,
        rule=rule,
        model=persona.model,
        options=persona.options,
        margin=margin,
        others=others,
    )


def _by_keyword(request: TurnRequest) -> tuple[Persona, str] | None:
    """Return the first persona with the most keywords in the message, compared as whole words by stem."""
    stems = [words.stem(word) for word in words.tokens(request.message)]
    matches = [
        (persona, keywords)
        for persona in request.sheet.personas
        if (keywords := [keyword for keyword in persona.keywords if _occurs(keyword, stems)])
    ]
    if not matches:
        return None
    persona, keywords = max(matches, key=lambda match: len(match[1]))
    return persona, keywords[0]


def _occurs(keyword: str, stems: list[str]) -> bool:
    wanted = [words.stem(word) for word in words.tokens(keyword)]
    return bool(wanted) and any(stems[i : i + len(wanted)] == wanted for i in range(len(stems)))
