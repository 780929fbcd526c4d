"""A person's entities: finding them by name, renaming and merging them."""

from collections.abc import Collection, Iterable, Mapping

from django.db import IntegrityError, transaction
from django.db.models import Count, F, Max, QuerySet

from characters.conversations.models import Acquaintance, Person
from characters.domain.entities import key
from characters.domain.people import KIN_WORDS, EntityKind
from characters.memory.models import Alias, Entity, Evidence, Mention, UserFact
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.audit.models import Detail, Entry
from kgadmin.audit.services import Act, record, redact_entries, redact_subjects
from kgadmin.jobs import services as jobs
from kgadmin.projection.tasks import sweep
from kgadmin.rest.actions import Refused

MERGED = "merged"


@transaction.atomic
def rename(*, entity: Entity, name: str, by: User | None) -> None:
    """Rename an entity; the old name stays an alias. Raises `Refused`."""
    entity.person.hold()
    other = Entity.objects.filter(person=entity.person, key=key(name)).exclude(pk=entity.pk).first()
    if other:
        raise Refused(f"There is already an entity called {other.name}. Merge the two instead.")
    if not key(name):
        raise Refused("The name is empty. Enter one.")
    old = entity.name
    entity.aliases.filter(key=key(name)).delete()
    Entity.objects.filter(pk=entity.pk).update(name=name, key=key(name))
    entity.refresh_from_db()
    give_alias(entity, old)
    UserFact.objects.filter(object=entity, text=old).update(text=name, vector=None)
    UserFact.objects.filter(subject=entity).update(vector=None)  # their sentences contain the name
    log_act("renamed", entity, by=by, before={"name": old}, after={"name": name})
    spread_change(entity.person)


@transaction.atomic
def add_alias(*, entity: Entity, text: str, by: User | None) -> None:
    """Add another name by which messages find the entity. Raises `Refused`."""
    alias = text.strip()
    if len(key(text)) < 2:
        raise Refused("An alias needs at least two characters.")
    if not give_alias(entity, alias):
        raise Refused(f"{entity.name} already has that name.")
    log_act("added an alias to", entity, by=by, after={"alias": alias})
    spread_change(entity.person)


@transaction.atomic
def remove_alias(*, alias: Alias, by: User | None) -> None:
    """Remove an alias."""
    entity = alias.entity
    alias.delete()
    log_act("removed an alias from", entity, by=by, before={"alias": alias.text})
    spread_change(entity.person)


@transaction.atomic
def merge(*, into: Entity, other: Entity, by: User | None) -> None:
    """Merge two entities of a person: facts, mentions and names of `other` become `into`'s. Raises `Refused`."""
    if into.pk == other.pk or into.person_id != other.person_id:
        raise Refused("Choose another entity of the same person.")
    into.person.hold()
    log_act(MERGED, other, by=by, before={"name": other.name}, after={"into": into.graph_id})
    fold(into=into, other=other)
    spread_change(into.person)


def fold(*, into: Entity, other: Entity) -> None:
    """Move everything of `other` to `into`, and delete it. Equal facts become one."""
    for fact in UserFact.objects.filter(object=other) | UserFact.objects.filter(subject=other):
        _move(fact, into, other)
    messages = list(Mention.objects.filter(entity=other).values_list("message_id", flat=True))
    Mention.objects.bulk_create((Mention(message_id=pk, entity=into) for pk in messages), ignore_conflicts=True)
    for alias in other.aliases.all():
        give_alias(into, alias.text)
    name = other.name
    other.delete()
    give_alias(into, name)
    for character in Character.objects.filter(acquaintances__person=into.person):
        recount(into.person, character, [into.pk])
    sweep.delay_on_commit()


def _move(fact: UserFact, into: Entity, other: Entity) -> None:
    subject = into if fact.subject_id == other.pk else fact.subject
    target = into if fact.object_id == other.pk else fact.object
    if subject == target:  # it would be a fact about itself
        delete_fact(fact)
        return
    try:
        with transaction.atomic():
            UserFact.objects.filter(pk=fact.pk).update(subject=subject, object=target, vector=None)
    except IntegrityError:  # `into` has the same current fact
        same = UserFact.objects.current().get(
            person=fact.person, character=fact.character, subject=subject, predicate=fact.predicate, object=target
        )
        _give_evidence(fact, same)
        delete_fact(fact)


def _give_evidence(fact: UserFact, same: UserFact) -> None:
    there = same.evidence.values_list("message_id", flat=True)
    Evidence.objects.filter(fact=fact).exclude(message_id__in=list(there)).update(fact=same)
    UserFact.objects.filter(pk=same.pk).update(
        first_seen=min(same.first_seen, fact.first_seen),
        last_seen=max(same.last_seen, fact.last_seen),
        confidence=max(same.confidence, fact.confidence),
    )


def delete_fact(fact: UserFact) -> None:
    """Delete a fact and its text in the audit log; its edge goes with the next sweep."""
    empty_log(fact.person_id, [fact.graph_id])
    UserFact.objects.filter(pk=fact.pk).delete()


def delete_unused(person: Person, entities: QuerySet[Entity], *, spare: UserFact | None = None) -> None:
    """Delete which of a person's entities no fact names any more, and the log's words that name them; not `spare`'s."""
    unused = list(entities.filter(facts_to=None, facts_about=None).prefetch_related("aliases"))
    aliases = {alias.key for entity in unused for alias in entity.aliases.all()}
    names = {entity.key for entity in unused} | aliases
    empty_log(person.pk, [entity.graph_id for entity in unused])
    about_facts = Detail.objects.filter(entry__concerns__person_id=person.pk, entry__subject__startswith="user_fact:")
    others = about_facts.exclude(entry__subject=spare.graph_id) if spare else about_facts
    redact_entries(detail.pk for detail in (others if names else ()) if names & _named(detail))
    Entity.objects.filter(pk__in=[entity.pk for entity in unused]).delete()


def _named(detail: Detail) -> set[str]:
    sides = (detail.before, detail.after)
    return {key(side[end])[:200] for side in sides for end in ("about", "object") if side.get(end)}


def change_known(person: Person, character: Character | None = None) -> None:
    """Count a change to what this character, or every one, knows of the person, which invalidates caches."""
    known = Acquaintance.objects.filter(person=person)
    (known.filter(character=character) if character else known).update(facts_version=F("facts_version") + 1)


def spread_change(person: Person, character: Character | None = None) -> None:
    """Bump the version, note the change for the graph, and start the job that embeds changed sentences."""
    change_known(person, character)
    jobs.start(kind="remember", subject=person.graph_id, by=None)
    sweep.delay_on_commit()


def log_act(
    verb: str,
    of: UserFact | Entity,
    *,
    by: User | None,
    before: Mapping[str, str] | None = None,
    after: Mapping[str, str] | None = None,
) -> None:
    """Log what `by` did to a fact or an entity; forgetting the person empties the entry."""
    character = of.character.graph_id if isinstance(of, UserFact) else ""
    act = Act(verb, of.graph_id, character, before=before or {}, after=after or {})
    record(act, actor=by, people=[of.person_id])


def empty_log(person_id: int, names: Collection[str]) -> None:
    """Empty the log's entries on these facts and entities of a person, and on entities merged into them."""
    merged = Entry.objects.filter(concerns__person_id=person_id, verb=MERGED)
    added = subjects = set(names)
    while added:
        added = set(merged.filter(detail__after__into__in=list(added)).values_list("subject", flat=True)) - subjects
        subjects |= added
    redact_subjects(subjects)


def entity_named(person: Person, name: str, kind: EntityKind) -> tuple[Entity, bool]:
    """Return the person's entity of this name or alias, created if needed, and whether it is new."""
    if entity := find_entity(person, name):
        return entity, False
    return Entity.objects.create(person=person, key=key(name)[:200], name=name[:200], kind=kind), True


def find_entity(person: Person, name: str) -> Entity | None:
    """Find an entity by its name, else by an alias; "sister" also by "my sister", if only one has it."""
    folded = key(name)[:200]
    by_name = Entity.objects.filter(person=person, key=folded).first()
    if by_name:
        return by_name
    is_kin = folded in KIN_WORDS
    aliases = [folded, f"my {folded}"] if is_kin else [folded]
    entities = list(Entity.objects.filter(person=person, aliases__key__in=aliases).order_by("pk").distinct()[:2])
    return entities[0] if len(entities) == 1 or (entities and not is_kin) else None


def give_alias(entity: Entity, text: str) -> bool:
    """Add an alias to an entity; return whether it is new."""
    if key(text) == entity.key:
        return False
    return Alias.objects.get_or_create(entity=entity, key=key(text), defaults={"text": text[:200]})[1]


def shared_aliases(person: Person, texts: Iterable[str]) -> set[str]:
    """Return the names that several entities share, as keys: "my friend" names none of three."""
    aliases = Alias.objects.filter(entity__person=person, key__in={key(text) for text in texts})
    return set(aliases.values_list("key", flat=True).annotate(Count("entity")).filter(entity__count__gt=1))


def recount(person: Person, character: Character, entities: Collection[int]) -> None:
    """Recount in how many messages the objects of facts are mentioned, and when they last were."""
    counted = (
        Mention.objects.filter(
            entity__in=entities, message__conversation__character=character, message__conversation__person=person
        )
        .values("entity")
        .annotate(count=Count("message"), last=Max("message__at"))
    )
    figures = {row["entity"]: (row["count"], row["last"]) for row in counted}
    for fact in UserFact.objects.of(person.pk, character.pk).current().filter(object__in=figures):
        mentions, last = figures[fact.object_id]
        if (fact.mentions, fact.last_seen) != (mentions, max(last, fact.last_seen)):
            UserFact.objects.filter(pk=fact.pk).update(mentions=mentions, last_seen=max(last, fact.last_seen))
