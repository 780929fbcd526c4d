"""Finding a person's entities by their names, giving them names, and counting where they came up."""

from collections.abc import Collection, Iterable

from django.db.models import Count, Max

from characters.conversations.models import Person
from characters.domain.entities import key
from characters.domain.people import KIN_WORDS, EntityKind
from characters.memory.models import Alias, Entity, Mention, UserFact
from characters.profiles.models import Character


def entity_named(person: Person, name: str, kind: EntityKind) -> tuple[Entity, bool]:
    """The person's entity of this name or alias, made if there is none; whether it is new."""
    if entity := find_entity(person, name):
        return entity, False
    return Entity.objects.create(person=person, key=key(name)[:200], name=name[:200], kind=kind), True


def find_entity(person: Person, name: str) -> Entity | None:
    """By its name, else by an alias; "father" also by "my father", "sister" only if there is one."""
    folded = key(name)[:200]
    by_name = Entity.objects.filter(person=person, key=folded).first()
    if by_name:
        return by_name
    is_kin = folded in KIN_WORDS
    aliases = [folded, f"my {folded}"] if is_kin else [folded]
    entities = list(Entity.objects.filter(person=person, aliases__key__in=aliases).order_by("pk").distinct()[:2])
    return entities[0] if len(entities) == 1 or (entities and not is_kin) else None


def give_alias(entity: Entity, text: str) -> bool:
    """Give an entity a further name; whether it is new."""
    if key(text) == entity.key:
        return False
    return Alias.objects.get_or_create(entity=entity, key=key(text), defaults={"text": text[:200]})[1]


def shared_aliases(person: Person, texts: Iterable[str]) -> set[str]:
    """Which of these names several entities share, as keys: "my friend" names none of three."""
    aliases = Alias.objects.filter(entity__person=person, key__in={key(text) for text in texts})
    return set(aliases.values_list("key", flat=True).annotate(Count("entity")).filter(entity__count__gt=1))


def recount(person: Person, character: Character, entities: Collection[int]) -> None:
    """Count again in how many messages the objects of facts came up, and when they last did."""
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
