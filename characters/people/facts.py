"""Facts about a person in sentences, by family, with quotes of the messages that state them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from characters.conversations.models import Message, Person
from characters.domain import people
from characters.domain.entities import fold
from characters.domain.grammar import with_article
from characters.memory import facts
from characters.memory.models import Entity, UserFact
from characters.people.forms import CorrectionIn, FactIn
from characters.people.pages import entity_of, facts_naming
from characters.profiles.models import Character
from kgadmin.accounts.models import User

FACTS_A_PAGE = 100
MOST_PAST = 50
QUOTES, MOST_QUOTES = 1, 200
"""Messages quoted for a fact in a list, and on its own page."""
AROUND = 140
"""Characters of a quoted message on each side of the marked span."""
FAMILIES: Sequence[str] = tuple(dict.fromkeys(each.family for each in people.PERSON_PREDICATES.values()))


@dataclass(frozen=True, slots=True)
class Quote:
    """A message with a marked span, shortened if it is long."""

    message: Message
    before: str
    marked: str
    after: str

    @classmethod
    def of(cls, message: Message, start: int, end: int, around: int = AROUND) -> Self:
        """Return the quote, with at most `around` characters on each side of the span."""
        text = message.text
        before, after = text[:start], text[end:]
        before = before if len(before) <= around else f"…{before[-around:]}"
        after = after if len(after) <= around else f"{after[:around]}…"
        return cls(message, before, text[start:end], after)


@dataclass(frozen=True, slots=True)
class FactView:
    """A fact in words."""

    fact: UserFact
    sentence: str
    quotes: list[Quote]
    more: int = 0
    """Further messages that state it."""

    @property
    def family(self) -> str:
        return people.person_predicate(self.fact.predicate).family


@dataclass(frozen=True, slots=True)
class Family:
    """The facts of one family of predicates."""

    name: str
    facts: list[FactView]


def current_facts(person: Person, character: Character, page: str | None) -> tuple[Page[int], list[Family]]:
    """Return one page of the current facts, by family, in each the newest first."""
    shown = Paginator(current_keys(person, character), FACTS_A_PAGE).get_page(page)
    families: dict[str, list[FactView]] = {}
    for view in views_of(person, list(shown)):
        families.setdefault(view.family, []).append(view)
    return shown, [Family(name, views) for name, views in families.items()]


def current_keys(person: Person, character: Character) -> list[int]:
    """Return the ids of the current facts, in the registry's order of families, in each the newest first."""
    rows = UserFact.objects.of(person.pk, character.pk).current()
    order = {family: place for place, family in enumerate(FAMILIES)}
    keys = sorted(
        rows.values_list("pk", "predicate", "last_seen"),
        key=lambda row: (order.get(people.person_predicate(row[1]).family, len(order)), -row[2].timestamp(), row[0]),
    )
    return [row[0] for row in keys]


def views_of(person: Person, keys: Sequence[int]) -> list[FactView]:
    """Return the facts with these ids, in this order."""
    views = {view.fact.pk: view for view in fact_views(person, person.facts.filter(pk__in=keys))}
    return [views[key] for key in keys if key in views]


def past_facts(person: Person, character: Character) -> list[FactView]:
    """Return the last `MOST_PAST` facts that ended, the last one first."""
    return fact_views(person, closed_facts(person, character)[:MOST_PAST])


def closed_facts(person: Person, character: Character) -> QuerySet[UserFact]:
    """Return the facts that ended, the last one first."""
    closed = UserFact.objects.of(person.pk, character.pk).filter(state=UserFact.State.CLOSED)
    return closed.order_by("-closed_at", "-pk")


def fact_views(person: Person, rows: QuerySet[UserFact], quotes: int = QUOTES) -> list[FactView]:
    """Return facts of a person with their sentences and quotes, in the rows' order."""
    facts = list(
        rows.select_related("subject", "object", "character").prefetch_related("evidence__message__conversation")
    )
    pets = [fact.object_id for fact in facts if fact.predicate == "HAS_PET"]
    kinds = UserFact.objects.current().filter(person=person, subject__in=pets, predicate="IS_A")
    species = {(fact.character_id, fact.subject_id): fact.text for fact in kinds}
    return [_view(person, fact, species.get((fact.character_id, fact.object_id), ""), quotes) for fact in facts]


def _view(person: Person, fact: UserFact, species: str, quotes: int) -> FactView:
    evidence = list(fact.evidence.all())
    newest = [Quote.of(each.message, each.start, each.end) for each in reversed(evidence)][:quotes]
    return FactView(fact, sentence_of(person, fact, species), newest, len(evidence) - len(newest))


def sentence_of(person: Person, fact: UserFact, species: str = "") -> str:
    """Return a fact in words. An entity without a name is called what it is: "Mark has a father"."""
    if fact.predicate.startswith("HAS_") and fold(fact.object.name) in people.KIN_WORDS:
        return f"{fact.subject.name if fact.subject else person.name} has {with_article(fact.object.name)}"
    text = fact.object.name if fact.predicate == "HAS_PET" else fact.text
    subject = fact.subject.name if fact.subject else ""
    return people.sentence(person.name, fact.predicate, text, subject=subject, species=species)


def add(person: Person, character: Character, asked: FactIn, *, by: User) -> UserFact:
    """Add a fact that no message states. Raises `Refused`, and 404 for an entity that isn't the person's."""
    subject = entity_of(person, asked.subject) if asked.subject else None
    return facts.add(
        person=person, character=character, predicate=asked.predicate, text=asked.text, subject=subject, by=by
    )


def correct(fact: UserFact, asked: CorrectionIn, *, by: User) -> UserFact:
    """Correct a fact; one about the character ends. Raises `Refused`, and 404 for an entity that isn't the person's."""
    if asked.about == "character":
        return facts.set_aside(fact=fact, by=by)
    about = entity_of(fact.person, int(asked.about)) if asked.about.isdecimal() else None
    return facts.correct(
        fact=fact,
        text=asked.text,
        predicate=asked.predicate,
        about=fact.person if asked.about == "person" else about,
        by=by,
    )


def fact_view(fact: UserFact) -> FactView:
    """Return one fact with the messages that state it, at most `MOST_QUOTES`."""
    (view,) = fact_views(fact.person, UserFact.objects.filter(pk=fact.pk), quotes=MOST_QUOTES)
    return view


@dataclass(frozen=True, slots=True)
class Moves:
    """What a merge moves to another entity: names, messages that mention only this one, sentences of facts."""

    names: list[str]
    mentions: int
    facts: list[str]


def moves(person: Person, entity: Entity, into: Entity) -> Moves:
    """Return the preview of a merge."""
    mentioned = into.mentions.values("message")
    mentions = entity.mentions.exclude(message__in=mentioned).values("message").distinct().count()
    sentences = [view.sentence for view in fact_views(person, facts_naming(entity))]
    return Moves([entity.name, *(alias.text for alias in entity.aliases.all())], mentions, sentences)
