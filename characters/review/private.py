"""Who and what of a person's a statement of hers names: that is theirs, and nothing that others may hear of."""

from collections.abc import Iterable

from characters.conversations.models import Person
from characters.domain import sheet_entities
from characters.domain.entities import Entity, EntityMatcher
from characters.domain.sheet import Sheet
from characters.memory.models import Entity as EntityRow

KINDS = ("person", "pet")
"""Kinds of entities that belong to somebody. A place or a thing belongs to nobody."""


class Names:
    """The names of these people, of their relatives and of their pets, read once."""

    def __init__(self, people: Iterable[Person], sheet: Sheet) -> None:
        self._sheet = sheet
        self._theirs = EntityMatcher(tuple(_entities(list(people))))

    def within(self, text: str) -> list[str]:
        """Those that stand in `text`, but for what the character's sheet names, too."""
        found = self._theirs.find(text)
        hers = self._hers(text) if found else set()
        return [each.text for each in found if each.text.casefold() not in hers]

    def _hers(self, text: str) -> set[str]:
        own = EntityMatcher(sheet_entities.entities(self._sheet.facts, ""))
        return {found.text.casefold() for found in own.find(f"{self._sheet.name} {text}")} | {
            self._sheet.name.casefold()
        }


def _entities(people: list[Person]) -> Iterable[Entity]:
    for person in people:
        yield Entity(person.graph_id, person.name, "person", tuple(person.name.split()))
    rows = EntityRow.objects.filter(person__in=people, kind__in=KINDS).prefetch_related("aliases")
    for row in rows:
        aliases = tuple(alias.text for alias in row.aliases.all() if not alias.text.startswith("my "))
        yield Entity(row.graph_id, row.name, row.kind, aliases)  # type: ignore[arg-type]
