"""Objections to approving: unlearnable statements, private names, and bad verdicts, which need a reason."""

from collections.abc import Iterable

from django.db.models import QuerySet

from characters.conversations.models import Person
from characters.domain.entities import Entity, EntityMatcher, of_facts
from characters.domain.sheet import Sheet
from characters.memory.models import Entity as EntityRow
from characters.profiles.learned import services as learning
from characters.review.models import Proposal, Verdict
from characters.review.words import outcome_text

BAD = "It has a bad verdict ({}). Say why to approve it anyway, or leave it."
KINDS = ("person", "pet")
"""Kinds of entities whose names are private. Places and things belong to nobody."""


class PrivateNames:
    """The names of these people, of their relatives and of their pets, read once."""

    def __init__(self, people: Iterable[Person], sheet: Sheet) -> None:
        self._sheet = sheet
        self._private = EntityMatcher(tuple(_entities(list(people))))

    def within(self, text: str) -> list[str]:
        """Return the private names in `text`, except those that the character's sheet has, too."""
        matches = self._private.find(text)
        if not matches:
            return []
        sheet = EntityMatcher(of_facts(self._sheet.facts, ""))
        public = {match.text.casefold() for match in sheet.find(f"{self._sheet.name} {text}")}
        public.add(self._sheet.name.casefold())
        return [match.text for match in matches if match.text.casefold() not in public]


def _entities(people: list[Person]) -> Iterable[Entity]:
    for person in people:
        yield Entity(person.graph_id, person.name, "person", tuple(person.name.split()))
    for row in EntityRow.objects.filter(person__in=people, kind__in=KINDS).prefetch_related("aliases"):
        aliases = tuple(alias.text for alias in row.aliases.all() if not alias.text.startswith("my "))
        yield Entity(row.graph_id, row.name, row.kind, aliases)  # type: ignore[arg-type]


def why_not(row: Proposal) -> str:
    """Return why approving it unchanged would be refused, as a sentence; empty if it wouldn't be, or it is decided."""
    if not row.is_undecided:
        return ""
    refused = learning.why_not(row.character, predicate=row.predicate, object=row.object)
    return refused or names_private(row, row.character.sheet)


def names_private(row: Proposal, sheet: Sheet | None) -> str:
    """Return that it names somebody known only from the people it was said to; empty if it doesn't."""
    if sheet and (names := PrivateNames(row.listeners, sheet).within(learning.cleaned(row.object))):
        return f"It names {names[0]}, known only from the person it was said to. Edit it, or reject it."
    return ""


def unreasoned(verdicts: QuerySet[Verdict]) -> dict[int, str]:
    """Return, by proposal with a bad verdict, why it isn't approved without a reason."""
    checks: dict[int, list[str]] = {}
    bad = verdicts.filter(outcome=Verdict.Outcome.BAD).order_by("position")
    for pk, check in bad.values_list("proposal", "check_name"):
        checks.setdefault(pk, []).append(outcome_text(check, Verdict.Outcome.BAD))
    return {pk: BAD.format(", ".join(texts)) for pk, texts in checks.items()}
