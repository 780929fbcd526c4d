"""Which of the things that a character knows of a person does a text name?"""

from collections.abc import Sequence

from characters.conversations.models import Person
from characters.domain.entities import Entity as Named
from characters.domain.entities import EntityMatcher, fold, key
from characters.memory.models import Entity
from characters.people.pages import entities_known_to, number
from characters.profiles.models import Character


def known_entities(person: Person, character: Character) -> list[Entity]:
    """What this character knows of the person by name, what comes up most first."""
    return sorted(entities_known_to(person, character), key=lambda entity: (-_often(entity), entity.name))


def asked_about(text: str, known: Sequence[Entity]) -> list[Entity]:
    """The entity with this id ("12", "entity:12"), else those that a text names."""
    pk = number(text.removeprefix("entity:"))
    return [entity for entity in known if entity.pk == pk] or entities_in(text, known)


def entities_in(text: str, known: Sequence[Entity]) -> list[Entity]:
    """The entities that a text names, or is the name of, whatever its case: it is typed into a search box."""
    exact = [entity for entity in known if key(text) in {entity.key, *(alias.key for alias in entity.aliases.all())}]
    if exact or not text.strip():
        return exact
    named = tuple(Named(str(entity.pk), entity.name, "thing", _aliases(entity)) for entity in known)
    found = [int(id_) for each in EntityMatcher(named).find(text) for id_ in each.entities]
    by_pk = {entity.pk: entity for entity in known}
    return [by_pk[pk] for pk in dict.fromkeys(found)]


def suggested(text: str, known: Sequence[Entity]) -> list[Entity]:
    """The entities whose name holds a text; all if there is none."""
    return [entity for entity in known if fold(text) in entity.key] or list(known)


def _aliases(entity: Entity) -> tuple[str, ...]:
    return tuple(alias.text for alias in entity.aliases.all())


def _often(entity: Entity) -> int:
    return int(getattr(entity, "mention_count", 0))
