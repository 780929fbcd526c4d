"""Save what a message says about a person: entities, facts, their evidence, and the facts they close."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from characters.conversations.models import Message, Person
from characters.domain.entities import EntityMatcher, key
from characters.domain.people import KIN, KIN_WORDS, EntityKind, Statement, person_predicate
from characters.memory.entities import (
    change_known,
    entity_named,
    find_entity,
    fold,
    give_alias,
    recount,
    shared_aliases,
)
from characters.memory.models import Entity, Evidence, Mention, UserFact, UserFactQuerySet
from kgadmin.projection.tasks import sweep


@transaction.atomic
def learn(
    *, message: Message, statements: Sequence[Statement], matcher: EntityMatcher, origin: UserFact.Origin
) -> bool:
    """Save a message's statements once; return whether anything new is known. `matcher` has the known entities.

    The lock on the person's row lets one reader at a time through.
    """
    if Person.objects.select_for_update().filter(pk=message.conversation.person_id).first() is None:
        return False
    if not Message.objects.unread().filter(pk=message.pk).update(facts_read_at=timezone.now()):
        return False
    writing = _Writing(message, origin)
    # Statements about the person come first: Luna must be a pet before "Luna is a cat" can make her "my cat". What ends
    # comes last: "our dog Pixel died" says that there was one.
    for statement in sorted(statements, key=lambda statement: (statement.ends, bool(statement.subject))):
        writing.take(statement)
    matches = matcher.find(message.text, limit=50)
    shared = shared_aliases(writing.person, [each.text for each in matches])
    meant = (each.entities for each in matches if key(each.text) not in shared)
    named = {int(id_.rpartition(":")[2]) for ids in meant for id_ in ids}
    there = Entity.objects.filter(person=writing.person, pk__in=named | writing.entities)
    mentioned = set(there.values_list("pk", flat=True))  # a known entity may have been merged into another
    mentions = (Mention(message=message, entity_id=entity) for entity in mentioned)
    Mention.objects.bulk_create(mentions, ignore_conflicts=True)
    recount(writing.person, writing.character, mentioned)
    if writing.is_new:
        change_known(writing.person, writing.character)
    if writing.is_new or mentioned:
        sweep.delay_on_commit()
    return writing.is_new


def _is_about(fact: UserFact, text: str, named: Entity | None) -> bool:
    """Return whether the text names the fact's object: "yoga" ends the wish to "start yoga"."""
    if named:
        return fact.object_id == named.pk
    return fact.predicate == "WANTS" and f" {key(text)} " in f" {fact.object.key} "


class _Writing:
    """Saves the statements of one message."""

    def __init__(self, message: Message, origin: UserFact.Origin) -> None:
        self.message, self.origin = message, origin
        self.person, self.character = message.conversation.person, message.conversation.character
        self.is_new = False
        self.entities: set[int] = set()

    def take(self, statement: Statement) -> None:
        subject = self._subject(statement.subject) if statement.subject else None
        if statement.ends:
            self._end(statement, subject)
            return
        if statement.predicate == "NAMED" and subject is None and self._is_own_name(statement.object):
            return  # that Wilbo Tanqueray is called Wilbo says nothing
        entity = self._entity(statement.object, statement.kind)
        if entity == subject:
            return  # nobody is their own brother
        if subject is None:
            self._replace_nameless(statement.predicate, entity)
        fact = self._fact(statement, subject, entity)
        Evidence.objects.get_or_create(
            fact=fact, message=self.message, defaults={"start": statement.start, "end": statement.end}
        )
        self._name(statement, subject, entity)

    def _is_own_name(self, name: str) -> bool:
        return set(key(name).split()) <= set(key(self.person.name).split())

    def _entity(self, name: str, kind: EntityKind) -> Entity:
        entity, is_new = entity_named(self.person, name, kind)
        self.is_new |= is_new
        self.entities.add(entity.pk)
        return entity

    def _subject(self, name: str) -> Entity:
        """Return the entity of a statement's subject; for a nameless relative also save the fact that there is one."""
        entity = self._entity(name, "person")
        kin = next((kin for kin, words in KIN.items() if key(name) in words), "")
        if kin and entity.key in KIN_WORDS:
            self.take(Statement(f"HAS_{kin}", entity.name, 0, len(self.message.text), kind="person"))
        return entity

    def _fact(self, statement: Statement, subject: Entity | None, entity: Entity) -> UserFact:
        """Return the statement's fact: the existing one, or a new one."""
        same = self._same(statement.predicate, subject, entity)
        at = self.message.at
        if same:
            UserFact.objects.filter(pk=same.pk).update(
                first_seen=min(same.first_seen, at),
                last_seen=max(same.last_seen, at),
                confidence=max(same.confidence, statement.confidence),
            )
            return same
        newer = self._close_others(statement, subject, entity)
        fact = UserFact.objects.create(
            person=self.person,
            character=self.character,
            subject=subject,
            predicate=statement.predicate,
            object=entity,
            text=statement.object[:300],
            confidence=statement.confidence,
            origin=self.origin,
            state=UserFact.State.CLOSED if newer else UserFact.State.CURRENT,
            first_seen=at,
            last_seen=at,
            closed_at=newer,
        )
        self.is_new = True
        return fact

    def _same(self, predicate: str, subject: Entity | None, entity: Entity) -> UserFact | None:
        """Return the same fact if it is current, or ended after this message was written."""
        known = UserFact.objects.of(self.person.pk, self.character.pk)
        same = known.filter(predicate=predicate, subject=subject, object=entity)
        ended_since = Q(state=UserFact.State.CLOSED, closed_at__gt=self.message.at)
        return (
            same.filter(Q(state=UserFact.State.CURRENT) | ended_since)
            .order_by(F("closed_at").asc(nulls_last=True))
            .first()
        )

    def _close_others(self, statement: Statement, subject: Entity | None, entity: Entity) -> datetime | None:
        """Close facts that the new one contradicts; if one is newer, return when it began: the new one ends then."""
        others = self._all_current(subject).otherwise(statement.predicate, entity)
        newer = others.filter(first_seen__gt=self.message.at).order_by("first_seen").first()
        if newer:
            return newer.first_seen
        self._close(others)
        return None

    def _end(self, statement: Statement, subject: Entity | None) -> None:
        """Close what is no longer true; without an object, everything of that predicate."""
        ended = self._current(statement.predicate, subject).filter(first_seen__lte=self.message.at)
        if statement.object:
            named = find_entity(self.person, statement.object)
            ends = [fact.pk for fact in ended.select_related("object") if _is_about(fact, statement.object, named)]
            ended = ended.filter(pk__in=ends)
            if named and statement.predicate == "HAS_PET" and ends:
                self._close(self._all_current(named))
        if statement.predicate == "HAS_PARTNER":  # "we separated" ends a marriage, too
            for predicate in ("HAS_WIFE", "HAS_HUSBAND"):
                self._end(replace(statement, predicate=predicate), subject)
        self._close(ended)

    def _close(self, facts: QuerySet[UserFact]) -> None:
        self.is_new |= bool(facts.update(state=UserFact.State.CLOSED, closed_at=self.message.at))

    def _name(self, statement: Statement, subject: Entity | None, entity: Entity) -> None:
        """Add the aliases by which the person will refer to it: "my father", "my cat"."""
        for word in KIN.get(statement.predicate.removeprefix("HAS_"), ()) if subject is None else ():
            self.is_new |= give_alias(entity, f"my {word}")
        pets = self._current("HAS_PET", None).filter(object=subject)
        if subject is not None and statement.predicate == "IS_A" and pets.exists():
            self.is_new |= give_alias(subject, f"my {statement.object}")

    def _replace_nameless(self, predicate: str, entity: Entity) -> None:
        """Merge a nameless relative ("father") into the entity that now has a name."""
        kin = KIN.get(predicate.removeprefix("HAS_"), ())
        if not kin or entity.key in KIN_WORDS or person_predicate(predicate).many:
            return
        nameless = Entity.objects.filter(person=self.person, key__in=kin).exclude(pk=entity.pk).first()
        if nameless:
            fold(into=entity, other=nameless)
            self.entities.discard(nameless.pk)

    def _current(self, predicate: str, subject: Entity | None) -> QuerySet[UserFact]:
        return self._all_current(subject).filter(predicate=predicate)

    def _all_current(self, subject: Entity | None) -> UserFactQuerySet:
        return UserFact.objects.of(self.person.pk, self.character.pk).current().filter(subject=subject)
