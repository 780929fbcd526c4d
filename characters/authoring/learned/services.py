"""Learned facts as their page and the API show them, and what editors do with them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import Edit
from characters.domain import sheet as values
from characters.domain.facts import sentence
from characters.domain.sheet import Fact
from characters.profiles.learned import services as learned
from characters.profiles.learned.services import repeated
from characters.profiles.models import Character, Draft, LearnedFact, LearnedFactQuerySet, Predicate
from kgadmin import locks
from kgadmin.accounts.models import User
from kgadmin.audit.services import Act, record
from kgadmin.rest.actions import Refused, first_or_404

Verb = Literal["pin", "unpin", "archive", "restore", "promote"]
State = LearnedFact.State
SHOWN = (State.ACTIVE, State.SUSPENDED, State.ARCHIVED)
"""States that are shown: a fact whose approval was undone was never learned."""


@dataclass(frozen=True, slots=True)
class Row:
    """A learned fact with what its page shows beside it."""

    fact: LearnedFact
    sentence: str
    expires_at: datetime | None
    against: str
    """The core fact that suspends it, as a sentence."""
    draft_fact: str
    """The id of the draft's fact that says the same."""
    taken_back: bool
    """Whether no reply that said it is remembered any more."""
    used: bool
    """Whether turns use it: an active fact isn't used above the most that the character may have."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Numbers of the learned facts and core facts in use."""

    used: int
    most: int
    core: int

    @property
    def percent(self) -> int:
        """Percentage of learned facts among all facts in use."""
        every = self.used + self.core
        return round(100 * self.used / every) if every else 0


def facts_of(character: Character, *states: LearnedFact.State) -> LearnedFactQuerySet:
    """Return the learned facts in these states, or in all of `SHOWN`: pinned ones first, then the newest."""
    rows = LearnedFact.objects.filter(character=character, state__in=states or SHOWN)
    return rows.select_related("predicate", "character").defer("vectors").order_by("-pinned", "-learned_at", "-pk")


def figures(character: Character) -> Figures:
    """Return the figures at the head of the page."""
    live = character.sheet
    if live is None:
        return Figures(0, 0, 0)
    return Figures(len(character.learned.in_use(live)), live.settings.most_learned, len(live.facts))


def rows(character: Character, facts: list[LearnedFact], *, with_draft: bool) -> list[Row]:
    """Return facts with what is shown beside them; `with_draft` adds the draft's facts, which only editors may see."""
    live = character.sheet
    registry = Predicate.objects.registry()
    used = {fact.pk for fact in character.learned.in_use(live)} if live else set()
    draft = drafts.draft_of(character).sheet if with_draft and facts else None
    expiries = learned.expiries(facts)
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
    """Return one of the character's learned facts; 404 if there is none."""
    message = f"{character.name} has no such learned fact. See the list of learned facts."
    return first_or_404(facts_of(character).filter(pk=pk), message)


def act(fact: LearnedFact, verb: str, *, by: User | None, tab: str = "") -> str:
    """Do what `verb`, one of `Verb`, says; return a sentence that says what was done. Raises `Refused`."""
    if verb == "promote":
        return f"In the draft as {promote(fact, by=by, tab=tab)}. It stays learned until you publish the draft."
    if verb in ("pin", "unpin"):
        learned.pin(fact, pinned=verb == "pin", by=by)
        return "Pinned: it won’t be archived for its age." if verb == "pin" else "No longer pinned."
    if verb not in ("archive", "restore"):
        raise Refused("Choose pin, archive, restore or promote.")
    learned.change(fact, State.ARCHIVED if verb == "archive" else State.ACTIVE, by=by)
    return f"Archived: {fact}. It is no longer used." if verb == "archive" else f"In use again: {fact}."


def left_in_draft(character: Character, fact: Fact) -> str:
    """Return the id of the draft's unpublished fact that says the same, or an empty string."""
    draft, live = Draft.objects.filter(character=character).first(), character.sheet
    there = repeated(draft.sheet, fact) if draft else None
    return there.id if there and not (live and repeated(live, fact)) else ""


@locks.atomic(Refused)
def promote(fact: LearnedFact, *, by: User | None, tab: str = "") -> str:
    """Add a fact to the draft and return its id there; it stays learned until publishing. Raises `Refused`."""
    Character.objects.select_for_update().get(pk=fact.character_id)  # an undo of its approval waits, or came first
    now = LearnedFact.objects.select_related("predicate", "character").get(pk=fact.pk)
    if now.state == State.TAKEN_BACK:
        raise Refused("Its approval has been undone, so nothing was added.")
    draft = drafts.draft_of(now.character)
    if there := repeated(draft.sheet, now.fact):
        return there.id

    def added(draft: Draft) -> list[Edit]:
        fact_id = drafts.next_fact_id(draft)
        row = {"id": fact_id, "predicate": now.predicate.name, "object": now.object, "questions": []}
        return [Edit(f"fact:{fact_id}", row)]

    fact_id = str(drafts.change(now.character, added, by=by, tab=tab).document["facts"][-1]["id"])
    after = {"draft": fact_id, "predicate": now.predicate.name, "object": now.object}
    record(Act("promoted", learned.graph_name(now), now.character.graph_id, after=after), actor=by)
    return fact_id
