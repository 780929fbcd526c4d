"""Queries of the pages of people: lists with counts, and the progress of reading messages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from django.db.models import Count, Exists, F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404

from characters.conversations.access import people_for
from characters.conversations.models import IMPORTED, TESTER, Acquaintance, Conversation, Message, Person
from characters.domain.entities import key
from characters.memory.models import Entity, Mention, UserFact
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import has_role
from kgadmin.jobs.models import Job
from kgadmin.projection.models import Change
from kgadmin.rest.actions import Refused

MAX_ID = 19
"""Digits of the largest id that a database stores; `number` accepts fewer."""


class PeopleList:
    """The people that a user may see, filtered by the address."""

    KINDS: Mapping[str, str] = {"": "Everyone", "test": "Test people", "real": "Real people", "imported": "Imported"}

    def __init__(self, user: User, *, find: str, kind: str) -> None:
        self.sees_all = has_role(user, "operator")
        self.find = find.replace("\0", "").strip()
        self.kind = kind if kind in self.KINDS and self.sees_all else ""
        self.rows = self._of_kind(people_for(user)).filter(name__icontains=self.find)

    @property
    def kind_name(self) -> str:
        """Return the name of the filtered kind."""
        return self.KINDS[self.kind] if self.sees_all else self.KINDS["test"]

    def _of_kind(self, rows: QuerySet[Person]) -> QuerySet[Person]:
        if self.kind == "test":
            return rows.filter(namespace__startswith=TESTER)
        if self.kind == "real":
            return rows.exclude(namespace__startswith=TESTER)
        return rows.filter(namespace=IMPORTED) if self.kind == "imported" else rows

    @property
    def in_order(self) -> QuerySet[Any]:
        """Return the people, those met last first, each with counts of facts and messages."""
        met = self.rows.annotate(last_met=Max("acquaintances__last_met")).prefetch_related("acquaintances__character")
        counted = met.annotate(
            fact_count=_counted(UserFact.objects.current().filter(person=OuterRef("pk")), "person"),
            message_count=_counted(
                Message.objects.filter(conversation__person=OuterRef("pk"), place__isnull=False), "conversation__person"
            ),
        )
        return counted.order_by(F("last_met").desc(nulls_last=True), "name", "pk")


def _counted(rows: QuerySet[Any], by: str) -> Coalesce:
    count = rows.order_by().values(by).annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(count), 0, output_field=IntegerField())


def character_of(person: Person, slug: str) -> tuple[Character | None, list[Acquaintance]]:
    """Return the character whose memory of the person is shown: the named one, else the one that met them last.

    Also return all acquaintances. 404 for a character that doesn't know the person.
    """
    known_to = list(person.acquaintances.select_related("character"))
    if not slug:
        return (known_to[0].character if known_to else None), known_to
    for acquaintance in known_to:
        if acquaintance.character.slug == slug:
            return acquaintance.character, known_to
    raise Http404(f"No character “{slug}” knows {person.name}. See the person's page.")


def known_to(person: Person, slug: str | None) -> Character:
    """Return the character with this slug, else the one that met the person last; 404 if there is none."""
    character, _ = character_of(person, slug or "")
    if character is None:
        raise Http404(f"No character knows {person.name} yet. Talk as them first.")
    return character


@dataclass(frozen=True, slots=True)
class Reading:
    """Progress of reading a person's messages."""

    unread: int
    job: Job | None

    @classmethod
    def of(cls, person: Person) -> Self:
        unread = Message.objects.unread().filter(conversation__person=person).count()
        return cls(unread, Job.objects.filter(kind="remember", subject=person.graph_id).first())

    @property
    def goes_on(self) -> bool:
        """Return whether facts may arrive within seconds."""
        return self.job is not None and self.job.state in {Job.State.QUEUED, Job.State.RUNNING}

    @property
    def is_stuck(self) -> bool:
        """Return whether messages wait and nobody reads them."""
        return bool(self.unread) and not self.goes_on


def entities_of(person: Person) -> QuerySet[Entity]:
    """Return a person's entities with counts of mentions and current facts, the most named first."""
    current = UserFact.objects.current()
    counted = person.entities.prefetch_related("aliases").annotate(
        # Two counts, each by an index; one over both columns looks at all facts for each entity.
        fact_count=_counted(current.filter(object=OuterRef("pk")), "object")
        + _counted(current.filter(subject=OuterRef("pk")), "subject"),
        mention_count=_counted(Mention.objects.filter(entity=OuterRef("pk")), "entity"),
    )
    return counted.order_by("-mention_count", "-fact_count", "name", "pk")


def facts_naming(entity: Entity) -> QuerySet[UserFact]:
    """Return the facts that name the entity, current ones first."""
    rows = UserFact.objects.filter(Q(object=entity) | Q(subject=entity), person=entity.person_id)
    return rows.order_by("-state", "-last_seen", "pk")


def entities_known_to(person: Person, character: Character) -> QuerySet[Entity]:
    """Return the entities that this character knows: those of its facts, or of messages to it."""
    facts = UserFact.objects.of(person.pk, character.pk).current()
    named = Q(pk__in=facts.values("object")) | Q(pk__in=facts.exclude(subject=None).values("subject"))
    mentions = Mention.objects.filter(entity=OuterRef("pk"), message__conversation__character=character)
    return entities_of(person).filter(named | Q(Exists(mentions)))


def conversations_of(person: Person) -> QuerySet[Conversation]:
    """Return a person's conversations with their counts of messages, the newest first."""
    rows = person.conversations.select_related("character", "owner")
    count = _counted(Message.objects.filter(conversation=OuterRef("pk")), "conversation")
    return rows.annotate(message_count=count).order_by("-updated_at", "-pk")


def what_goes(person: Person) -> dict[str, int]:
    """Return how much of each kind is deleted if the person is forgotten."""
    return {
        "conversations": person.conversations.count(),
        "messages": Message.objects.filter(conversation__person=person).count(),
        "facts": person.facts.count(),
        "entities": person.entities.count(),
        "relations between messages": person.relations.count(),
    }


def check_name(person: Person, typed: str) -> None:
    """Raise `Refused` unless somebody typed the person's name; white space doesn't count."""
    if typed.split() != person.name.split():
        raise Refused(f"Nothing was forgotten: the name you typed isn't the person's, {person.name}.", status=409)


def left_to_forget(was: int) -> dict[str, Any]:
    """Return whether graph or vectors still hold something of a forgotten person; 404 while the person exists."""
    if Person.objects.filter(pk=was).exists():
        raise Http404("This person hasn't been forgotten.")
    return {"was": was, "waits": Change.objects.waits(f"person:{was}")}


def number(text: str) -> int | None:
    """Return an id from an address; None for anything else."""
    return int(text) if text.isdecimal() and text.isascii() and len(text) < MAX_ID else None


def conversation_of(person: Person, conversation_pk: int) -> Conversation:
    """Return a conversation with this person; 404 otherwise."""
    row = conversations_of(person).filter(pk=conversation_pk).first()
    if row is None:
        raise Http404(f"{person.name} had no such conversation. It may have been forgotten.")
    return row


def named(person: Person, find: str) -> QuerySet[Entity]:
    """Return a person's entities whose name contains `find`; all if it is empty."""
    rows = entities_of(person)
    return rows.filter(key__contains=key(find)) if find.strip() else rows


def entity_of(person: Person, entity_pk: int) -> Entity:
    """Return an entity of this person; 404 otherwise."""
    row = entities_of(person).filter(pk=entity_pk).first()
    if row is None:
        raise Http404(f"{person.name} has no such entity. It may have been merged or forgotten.")
    return row


def mentioning(row: Entity) -> QuerySet[Message]:
    """Return the messages that name an entity, the newest first."""
    rows = Message.objects.filter(mentions__entity=row).select_related("conversation__character")
    return rows.order_by("-at", "-pk")


def fact_of(person: Person, fact_pk: int) -> UserFact:
    """Return a fact about this person; 404 otherwise."""
    row = person.facts.select_related("subject", "object", "character", "person").filter(pk=fact_pk).first()
    if row is None:
        raise Http404(f"This fact about {person.name} isn't there any more. It may have been forgotten.")
    return row
