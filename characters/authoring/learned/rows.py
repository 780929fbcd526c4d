"""What a character learned, as its page and the API show it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from characters.authoring.drafts import services as drafts
from characters.domain import sheet as values
from characters.domain.facts import sentence
from characters.domain.sheet import Fact
from characters.profiles.learned import services
from characters.profiles.learned.models import LearnedFact, LearnedFactQuerySet
from characters.profiles.learned.services import repeated
from characters.profiles.models import Character, Predicate
from kgadmin.rest.actions import first_or_404

State = LearnedFact.State
SHOWN = (State.ACTIVE, State.SUSPENDED, State.ARCHIVED)
"""One whose approval was undone was never learned."""


@dataclass(frozen=True, slots=True)
class Row:
    """A learned fact with what stands around it."""

    fact: LearnedFact
    sentence: str
    expires_at: datetime | None
    against: str
    """The core fact that suspends it, as a sentence."""
    draft_fact: str
    """The id of the draft's fact that says the same."""
    taken_back: bool
    """Whether no reply in which it was said stands any more."""
    used: bool
    """Whether turns use it: also one in use isn't while there are more than may be."""


@dataclass(frozen=True, slots=True)
class Figures:
    """How many of the facts in use were learned."""

    used: int
    most: int
    core: int

    @property
    def percent(self) -> int:
        """Of all facts in use, how many were learned."""
        every = self.used + self.core
        return round(100 * self.used / every) if every else 0


def facts_of(character: Character, *states: LearnedFact.State) -> LearnedFactQuerySet:
    """The learned facts in these states, or in all that are shown: pinned ones first, then the newest."""
    rows = LearnedFact.objects.filter(character=character, state__in=states or SHOWN)
    return rows.select_related("predicate", "character").defer("vectors").order_by("-pinned", "-learned_at", "-pk")


def figures(character: Character) -> Figures:
    """For the head of the page."""
    live = character.sheet
    if live is None:
        return Figures(0, 0, 0)
    return Figures(len(character.learned.in_use(live)), live.settings.most_learned, len(live.facts))


def rows(character: Character, facts: list[LearnedFact], *, with_draft: bool) -> list[Row]:
    """Each with what stands around it; `with_draft` also whether the draft says it, which only editors know."""
    live = character.sheet
    registry = Predicate.objects.registry()
    used = {fact.pk for fact in character.learned.in_use(live)} if live else set()
    draft = drafts.draft_of(character).sheet if with_draft and facts else None
    expiries = services.expiries(facts)
    core = {fact.id: fact for fact in live.facts} if live else {}
    approved = LearnedFact.objects.filter(pk__in=[fact.pk for fact in facts], proposal__isnull=False)
    taken_back = set(approved.exclude(proposal__claims__message__place__isnull=False).values_list("pk", flat=True))
    return [
        Row(
            fact=fact,
            sentence=_sentence(fact.fact, registry),
            expires_at=expiries.get(fact.pk),
            against=_sentence(core[fact.suspended_by], registry) if fact.suspended_by in core else "",
            draft_fact=there.id if draft and (there := repeated(draft, fact.fact)) else "",
            taken_back=fact.pk in taken_back,
            used=fact.pk in used,
        )
        for fact in facts
    ]


def _sentence(fact: Fact, registry: Mapping[str, values.Predicate]) -> str:
    return sentence(fact, registry.get(fact.predicate))


def fact_for(character: Character, pk: int) -> LearnedFact:
    """One of the character's learned facts; 404 if there is none."""
    message = f"{character.name} has no such learned fact. See the list of learned facts."
    return first_or_404(facts_of(character).filter(pk=pk), message)
