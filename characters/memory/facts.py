"""Add, correct and forget facts that a character knows about a person."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from characters.conversations.models import Acquaintance, Person
from characters.domain.people import is_registered, person_predicate
from characters.memory.entities import delete_fact, empty_log, entity_named, log_act, spread_change
from characters.memory.models import Entity, UserFact
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
    entity = _make_room(person, character, subject, predicate, text, now)
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
    source = {"confidence": 1.0, "origin": UserFact.Origin.OPERATOR}
    return _rewrite(fact, text, predicate or fact.predicate, about or fact.subject or fact.person, by, **source)


@transaction.atomic
def _rewrite(
    fact: UserFact, text: str, predicate: str, about: Entity | Person, by: User | None, **more: object
) -> UserFact:
    """Save what a fact says and whom it is about, with these other fields, and log it. Raises `Refused`."""
    ends, words = [fact.object, fact.subject], _words(fact)
    text, now = _checked(text), timezone.now()
    subject = about if isinstance(about, Entity) else None
    entity = _make_room(fact.person, fact.character, subject, predicate, text, now, instead_of=fact.pk)
    UserFact.objects.filter(pk=fact.pk).update(
        predicate=predicate, subject=subject, object=entity, text=text, vector=None, **more
    )
    fact.refresh_from_db()
    for end in filter(None, ends):
        _delete_unused(end)
    log_act(CORRECTED, fact, by=by, before=words, after=_words(fact))
    spread_change(fact.person, fact.character)
    return fact


@transaction.atomic
def set_aside(*, fact: UserFact, by: User | None) -> UserFact:
    """End a fact that is about the character itself: nothing of it is known of the person from now on."""
    fact.person.hold()
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
    stays in the past. Raises `Refused`.
    """
    last = last_correction(fact)
    if last is None:
        raise Refused("There is nothing to undo: this fact was never corrected.", status=409)
    before = last.before
    state = before.get("state", fact.state) if fact.state == last.after.get("state", fact.state) else fact.state
    about: Entity | Person = fact.person if before.get("about") == "" else fact.subject or fact.person
    if before.get("about"):
        about, _ = entity_named(fact.person, before["about"], before["kind"])
    more = {name: before[name] for name in ("origin", "confidence") if name in before}
    more |= {"state": state, "closed_at": None if state == UserFact.State.CURRENT else fact.closed_at or timezone.now()}
    return _rewrite(fact, before["object"], before["predicate"], about, by, **more)


@transaction.atomic
def forget(*, fact: UserFact, by: User | None) -> None:
    """Delete a fact for good. Messages are read once, so it doesn't return; the log keeps only id and predicate."""
    fact.person.hold()
    ends = [end for end in (fact.subject, fact.object) if end is not None]
    spread_change(fact.person, fact.character)
    delete_fact(fact)
    log_act("forgot", fact, by=by, before={"predicate": fact.predicate})
    for entity in ends:
        _delete_unused(entity)


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


def _make_room(
    person: Person,
    character: Character,
    subject: Entity | None,
    predicate: str,
    text: str,
    now: datetime,
    *,
    instead_of: int = 0,
) -> Entity:
    """Close what contradicts a fact that becomes current now; return its object. Raises `Refused`."""
    if not is_registered(predicate):
        raise Refused("There is no such predicate. Choose one that applies to people.")
    person.hold()
    entity, _ = entity_named(person, text, person_predicate(predicate).kind)
    if subject == entity:
        raise Refused(f"{entity.name} can't be subject and object of one fact. Write something else.")
    current = UserFact.objects.of(person.pk, character.pk).current().filter(subject=subject).exclude(pk=instead_of)
    if current.filter(predicate=predicate, object=entity).exists():
        raise Refused("This is already known. Write something else, or leave it.")
    current.otherwise(predicate, entity).update(state=UserFact.State.CLOSED, closed_at=now)
    return entity


def _delete_unused(entity: Entity) -> None:
    """Delete an entity without facts, with its mentions and aliases."""
    if UserFact.objects.filter(object=entity).exists() or UserFact.objects.filter(subject=entity).exists():
        return
    empty_log(entity.person_id, [entity.graph_id])
    entity.delete()
