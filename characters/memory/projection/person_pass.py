"""One pass over one person: what is stale is written, then its mark is cleared."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Model

from characters.conversations.models import Message, Person
from characters.memory.models import Entity
from characters.memory.projection import co_mentions, rows, statements, vectors
from characters.memory.projection.burying import bury
from characters.memory.projection.edge_kinds import EDGE_KINDS, EdgeKind
from characters.memory.projection.marks import bury_gone, mark, settle
from characters.memory.projection.rows import Pair, Values
from kgadmin.projection.models import LeaseLostError
from kgadmin.projection.services import Renew, ensure_schema
from kgadmin.stores import wiring
from kgadmin.stores.statement import Statement

BATCH = 250
VECTOR_BATCH = 64
NODES: dict[str, type[Model]] = {"person": Person, "entity": Entity, "message": Message}

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Written:
    """A message that the graph holds now, and that may have no vector yet."""

    pk: int
    version: int
    length: int


class PersonPass:
    """`renew` keeps the lease between the steps."""

    def __init__(self, owner: str, renew: Renew) -> None:
        self.owner = owner
        self.person = rows.person_id(owner)
        self.renew = renew

    def run(self) -> None:
        """Nodes before edges; what points to a node that isn't there yet keeps its mark. Raises `StoreError`."""
        ensure_schema()
        bury(self.owner, self.renew)
        self._write_nodes()
        written = self._write_messages()
        for kind in EDGE_KINDS:
            self._write_edges(kind)
        self._write_vectors(written)

    def _write_nodes(self) -> None:
        """The person and their entities."""
        for person in Person.objects.filter(pk=self.person, stale=True):
            with self._held(Person, "person", [person.pk]):
                wiring.graph().write(statements.WRITE_USER, **rows.user(person))
            settle(Person, self.owner, "person", {person.pk: person.version})
        for batch in _batches(list(Entity.objects.filter(person_id=self.person, stale=True).order_by("pk")), BATCH):
            versions = {entity.pk: entity.version for entity in batch}
            with self._held(Entity, "entity", versions):
                wiring.graph().write(statements.WRITE_ENTITIES, rows=[rows.entity(entity) for entity in batch])
            settle(Entity, self.owner, "entity", versions)

    def _write_messages(self) -> list[Written]:
        """Messages with what they mention, in the graph; their marks stay until they have a vector, too."""
        stale = rows.messages_of(self.person).filter(stale=True).order_by("pk").values_list("pk", flat=True)
        written: list[Written] = []
        for batch in _batches(list(stale), BATCH):
            messages = list(rows.messages_of(self.person).filter(pk__in=batch))
            writing = self._message_statements(messages, rows.mentions(self.person, batch))
            self._write_nodes()  # an entity may have come with the mention that was read just now
            with self._held(Message, "message", batch):
                wiring.graph().write_all(writing)
            written += (Written(message.pk, message.version, len(message.text)) for message in messages)
        return written

    def _message_statements(self, messages: Sequence[Message], mentions: Sequence[Values]) -> list[Statement]:
        values = [rows.message(message) for message in messages]
        return [
            (statements.WRITE_MESSAGES, {"rows": values}),
            (statements.WRITE_SAID, {"rows": rows.said(messages)}),
            *self._answering(messages),
            *self._mentioning(values, mentions),
        ]

    def _answering(self, messages: Sequence[Message]) -> list[Statement]:
        answered = rows.answered(self.person, [message.pk for message in messages])
        ids = [message.graph_id for message in messages]
        return [(statements.DELETE_ANSWERED, {"ids": ids}), (statements.CREATE_ANSWERED, {"rows": answered})]

    def _mentioning(self, values: Sequence[Values], mentions: Sequence[Values]) -> list[Statement]:
        ids = [each["id"] for each in values]
        named: dict[str, list[str]] = defaultdict(list)
        for mention in mentions:
            named[mention["start"]].append(mention["end"])
        pairs: set[Pair] = set().union(*co_mentions.named_in_graph(ids).values())
        pairs = pairs.union(*(co_mentions.pairs_of(named[each["id"]], each["character"]) for each in values))
        return [
            (statements.DELETE_MENTIONS, {"ids": ids}),
            (statements.CREATE_MENTIONS, {"rows": list(mentions)}),
            *co_mentions.rewriting(self.person, pairs),
        ]

    def _write_edges(self, kind: EdgeKind[Any]) -> None:
        stale = kind.of(self.person).filter(stale=True)
        for batch in _batches(list(stale.order_by("pk").values_list("pk", flat=True)), BATCH):
            found = list(stale.filter(pk__in=batch))
            versions = {row.pk: row.version for row in found}
            wanted = {row.pk: kind.values(row) for row in found if kind.is_edge(row)}
            with self._held(kind.model, kind.prefix, versions):
                made = self._replace_edges(kind, [row.graph_id for row in found], list(wanted.values()))
            loose = {pk: values for pk, values in wanted.items() if values["id"] not in made}
            _mark_ends(loose.values())
            settle(
                kind.model,
                self.owner,
                kind.prefix,
                {pk: version for pk, version in versions.items() if pk not in loose},
            )

    def _replace_edges(self, kind: EdgeKind[Any], ids: Sequence[str], wanted: Sequence[Values]) -> set[str]:
        """The ids of the edges that were made: not of those that lack an end."""
        writing: list[Statement] = [(statements.DELETE_EDGES[kind.name], {"ids": list(ids)})]
        if wanted:
            writing.append((kind.create, {"rows": list(wanted)}))
        return {row["id"] for row in wiring.graph().write_all(writing)}

    def _write_vectors(self, written: Sequence[Written]) -> None:
        """The shortest first: a batch of equal lengths is embedded fastest."""
        for batch in _batches(sorted(written, key=lambda each: each.length), VECTOR_BATCH):
            versions = {each.pk: each.version for each in batch}
            with self._held(Message, "message", versions):
                vectors.write(self.person, versions, self.renew)
            settle(Message, self.owner, "message", versions)

    @contextmanager
    def _held(self, model: type[Model], kind: str, keys: Iterable[int]) -> Iterator[None]:
        """Write under the lease. Where it was lost, what another projector did may be undone: let it be done again."""
        try:
            yield
            self.renew()
        except LeaseLostError:
            mark(model, list(keys))
            bury_gone(model, self.owner, kind, list(keys))
            raise


def _mark_ends(values: Iterable[Values]) -> None:
    """Have the ends of edges written that the graph should hold and doesn't."""
    for each in values:
        for end in (each["start"], each["end"]):
            kind, _, pk = end.partition(":")
            mark(NODES[kind], [int(pk)])


def _batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    return (items[start : start + size] for start in range(0, len(items), size))
