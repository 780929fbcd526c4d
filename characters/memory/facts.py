"""Add, correct and forget facts that a character knows about a person."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from characters.conversations.models import Acquaintance, Person
from characters.domain.people import is_registered, person_predicate, sentence
from characters.memory.entities import delete_fact, delete_unused, entity_named, log_act, spread_change
from characters.memory.models import Entity, Mention, UserFact, UserFactQuerySet
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.audit.models import Detail, Entry
from kgadmin.rest.actions import Refused

MAX_OBJECT = 200
CORRECTED = "corrected"
"""The log's verb."""


@transaction.atomic
def add(
    *, person: Person, character: Character, predicate: str, text: str, by: User | None, subject: Entity | None = None
) -> UserFact:
    """Add a fact by hand; of a single-valued predicate it closes the previous one. Raises `Refused`."""
    now, text = timezone.now(), _checked(text)
    person.hold()
    entity = _object(person, subject, predicate, text)
    _make_room(UserFact.objects.of(person.pk, character.pk), subject, predicate, entity, now)
    fact = UserFact.objects.create(
        person=person,
        character=character,
        subject=subject,
        predicate=predicate,
        object=entity,
        text=text,
        confidence=1.0,
        origin=UserFact.Origin.OPERATOR,
        first_seen=now,
        last_seen=now,
    )
    Acquaintance.objects.get_or_create(person=person, character=character)
    log_act("added", fact, by=by, after=_words(fact))
    spread_change(fact.person, fact.character)
    return fact


def correct(
    *,
    fact: UserFact,
    text: str,
    by: User | None,
    predicate: str | None = None,
    about: Entity | Person | None = None,
) -> UserFact:
    """Correct a fact; its evidence stays. `about` is whom it is about instead. Raises `Refused`."""
    text, predicate, about = _checked(text), predicate or fact.predicate, about or fact.subject or fact.person
    return _rewrite(fact, text, predicate, about, by, confidence=1.0, origin=UserFact.Origin.OPERATOR)


@transaction.atomic
def _rewrite(
    fact: UserFact,
    text: str,
    predicate: str,
    about: Entity | Person,
    by: User | None,
    *,
    may_close: bool = True,
    **more: object,
) -> UserFact:
    """Save what a fact says and whom it is about, with these other fields, and log it, if that changes anything.
    Raises `Refused`.
    """
    _hold(fact)
    subject = about if isinstance(about, Entity) else None
    fields = {"predicate": predicate, "subject": subject, "text": text, **more}
    if all(getattr(fact, name) == value for name, value in fields.items()):
        return fact
    ends, words = [pk for pk in (fact.object_id, fact.subject_id) if pk], _words(fact)
    entity = _object(fact.person, subject, predicate, text)
    if more.get("state", fact.state) == UserFact.State.CURRENT:
        others = UserFact.objects.of(fact.person_id, fact.character_id).exclude(pk=fact.pk)
        _make_room(others, subject, predicate, entity, timezone.now(), may_close=may_close)
    UserFact.objects.filter(pk=fact.pk).update(object=entity, vector=None, **fields)
    fact.refresh_from_db()
    elsewhere = Mention.objects.exclude(message__evidence__fact=fact)
    left = Entity.objects.filter(pk__in=ends).exclude(mentions__in=elsewhere)
    delete_unused(fact.person, left, spare=fact)  # its own words stay in the log: it can be undone
    log_act(CORRECTED, fact, by=by, before=words, after=_words(fact))
    spread_change(fact.person, fact.character)
    return fact


@transaction.atomic
def set_aside(*, fact: UserFact, by: User | None) -> UserFact:
    """End a fact that is about the character itself: nothing of it is known of the person from now on."""
    _hold(fact)
    if fact.state == UserFact.State.CLOSED:
        return fact
    words = _words(fact)
    UserFact.objects.filter(pk=fact.pk).update(state=UserFact.State.CLOSED, closed_at=timezone.now())
    fact.refresh_from_db()
    log_act(CORRECTED, fact, by=by, before=words, after=_words(fact) | {"about": fact.character.name})
    spread_change(fact.person, fact.character)
    return fact


def last_correction(fact: UserFact) -> Detail | None:
    """Return what a fact was before and after it was last corrected; None if it never was, or that was forgotten."""
    entry = Entry.objects.filter(subject=fact.graph_id, verb=CORRECTED).select_related("detail").first()
    return entry.detail if entry and entry.detail.before else None


@transaction.atomic
def undo(*, fact: UserFact, by: User | None) -> UserFact:
    """Make a fact what it was before it was last corrected; once more, and it is as it was. A fact that ended since
    stays in the past, and what was said since isn't overridden. Raises `Refused`.
    """
    _hold(fact)
    last = last_correction(fact)
    if last is None:
        raise Refused("There is nothing to undo: this fact was never corrected, or that was forgotten.", status=409)
    before = last.before
    state = before.get("state", fact.state) if fact.state == last.after.get("state", fact.state) else fact.state
    about: Entity | Person = fact.person if before.get("about") == "" else fact.subject or fact.person
    if before.get("about"):
        about, _ = entity_named(fact.person, before["about"], before["kind"])
    more = {name: read(before[name]) for name, read in {"origin": str, "confidence": float}.items() if name in before}
    more |= {"state": state, "closed_at": None if state == UserFact.State.CURRENT else fact.closed_at or timezone.now()}
    return _rewrite(fact, before["object"], before["predicate"], about, by, may_close=False, **more)


@transaction.atomic
def forget(*, fact: UserFact, by: User | None) -> None:
    """Delete a fact for good. Messages are read once, so it doesn't return; the log keeps only id and predicate."""
    fact.person.hold()
    spread_change(fact.person, fact.character)
    delete_fact(fact)
    log_act("forgot", fact, by=by, before={"predicate": fact.predicate})
    delete_unused(fact.person, Entity.objects.filter(pk__in=[fact.subject_id, fact.object_id]))


def _hold(fact: UserFact) -> None:
    """Lock what is known of the person, and read the fact as it is then."""
    fact.person.hold()
    fact.refresh_from_db()


def _words(fact: UserFact) -> dict[str, str]:
    about = {"about": fact.subject.name, "kind": fact.subject.kind} if fact.subject else {"about": ""}
    source = {"origin": fact.origin, "confidence": f"{fact.confidence:.4f}", "state": fact.state}
    return {"predicate": fact.predicate, "object": fact.text, **about, **source}


def _checked(text: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise Refused("The fact is empty. Write what it says.")
    if len(text) > MAX_OBJECT:
        raise Refused(f"That has {len(text)} characters; at most {MAX_OBJECT} are allowed. Shorten it.")
    return text


def _object(person: Person, subject: Entity | None, predicate: str, text: str) -> Entity:
    """Return the entity that a fact names, created if needed. Raises `Refused`."""
    if not is_registered(predicate):
        raise Refused("There is no such predicate. Choose one that applies to people.")
    entity, _ = entity_named(person, text, person_predicate(predicate).kind)
    if subject == entity:
        raise Refused(f"{entity.name} can't be subject and object of one fact. Write something else.")
    return entity


def _make_room(
    others: UserFactQuerySet,
    subject: Entity | None,
    predicate: str,
    entity: Entity,
    now: datetime,
    *,
    may_close: bool = True,
) -> None:
    """Close which of the others contradict a fact that becomes current now. Raises `Refused`."""
    current = others.current().filter(subject=subject)
    if current.filter(predicate=predicate, object=entity).exists():
        raise Refused("This is already known. Write something else, or leave it.")
    contradicting = current.otherwise(predicate, entity)
    if not may_close and (known := contradicting.first()):
        what = sentence(known.person.name, known.predicate, known.text, subject=subject.name if subject else "")
        raise Refused(f"Known since then: {what}. Correct or forget that first.", status=409)
    contradicting.update(state=UserFact.State.CLOSED, closed_at=now)
