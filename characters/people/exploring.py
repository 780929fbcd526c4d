"""What a character remembers about something: a walk through the graph, drawn, with the messages behind each edge."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from characters.conversations.models import Message, Person
from characters.memory import graph
from characters.memory.models import Entity, Mention, UserFact
from characters.people import drawing
from characters.people.facts import FactView, Quote, fact_views
from characters.people.pages import number
from characters.profiles.models import Character

MAX_HOPS = 3
MAX_NODES = 60
MAX_OPEN = 30
MOST_MESSAGES = 20
"""Messages that are shown behind one edge, the newest."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks: around which entity, how far, which nodes are opened, which edge is looked at."""

    person: Person
    character: Character
    about: Entity
    hops: int = 1
    opened: tuple[str, ...] = ()
    edge: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str], person: Person, character: Character, about: Entity) -> "Asked":
        """Out of an address; what can't be asked is left out."""
        hops = min(MAX_HOPS, max(1, number(query.get("hops", "")) or 1))
        opened = tuple(
            each
            for each in dict.fromkeys(query.get("open", "").split(","))
            if each == person.graph_id or (each.startswith("entity:") and number(each.removeprefix("entity:")))
        )
        return cls(person, character, about, hops, opened[:MAX_OPEN], query.get("edge", ""))

    @property
    def address(self) -> str:
        """The query of the address that asks this."""
        query = {"character": self.character.slug, "about": str(self.about.pk), "hops": str(self.hops)}
        if self.opened:
            query["open"] = ",".join(self.opened)
        return f"?{urlencode(query | ({'edge': self.edge} if self.edge else {}), safe=':,')}"

    def toggled(self, node: str) -> str:
        """The address with this node opened, or closed if it is open."""
        kept = tuple(each for each in self.opened if each != node)
        return replace(self, opened=kept if node in self.opened else (*kept, node)[-MAX_OPEN:], edge="").address


@dataclass(frozen=True, slots=True)
class Behind:
    """The messages behind the edge that is looked at, newest first."""

    sentence: str
    quotes: Sequence[Quote]
    more: int
    by_hand: bool = False
    """Whether somebody wrote the fact by hand, so that there may be no message."""


class Reached(NamedTuple):
    """A node in words; `open`: all that hangs on it was reached."""

    id: str
    name: str
    open: bool


class Row(NamedTuple):
    """An edge in words, with how often it came up."""

    edge: drawing.Edge
    note: str


@dataclass(frozen=True)
class Exploration:
    """What a walk found, with the names that the rows give; what only the graph still holds is left out."""

    asked: Asked
    found: graph.Explored

    @cached_property
    def entities(self) -> Mapping[int, Entity]:
        """The reached entities of this person."""
        return self.asked.person.entities.in_bulk(_keys(self.found.nodes, "entity:"))

    @cached_property
    def facts(self) -> Mapping[str, FactView]:
        """The reached facts that hold today."""
        rows = UserFact.objects.of(self.asked.person.pk, self.asked.character.pk).current()
        views = fact_views(self.asked.person, rows.filter(pk__in=_keys(self.found.ties, "user_fact:")))
        return {view.fact.graph_id: view for view in views}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The name of each reached node whose row is still there."""
        person = {self.asked.person.graph_id: self.asked.person.name}
        return {entity.graph_id: entity.name for entity in self.entities.values()} | person

    @cached_property
    def ties(self) -> Mapping[str, graph.Tie]:
        """The reached edges whose ends and facts are still there."""
        return {
            id_: tie
            for id_, tie in self.found.ties.items()
            if tie.subject in self.names and tie.object in self.names and (not tie.fact or tie.fact in self.facts)
        }

    @cached_property
    def nodes(self) -> Sequence[str]:
        """The reached nodes that still hang on an edge, nearest first."""
        tied = {end for tie in self.ties.values() for end in (tie.subject, tie.object)}
        return [id_ for id_ in self.found.nodes if id_ in tied]

    @cached_property
    def edges(self) -> Sequence[drawing.Edge]:
        """The edges as they are drawn and listed."""
        return [self._edge(tie) for tie in self.ties.values()]

    @cached_property
    def picture(self) -> drawing.Drawing:
        """The drawn graph."""
        title = f"What {self.asked.character.name} remembers about {self.asked.about.name}"
        nodes = [self._node(id_) for id_ in self.nodes]
        return drawing.layout(nodes, self.edges, [self.asked.about.graph_id], id_="explored-graph", title=title)

    @property
    def hops(self) -> Iterable[tuple[int, str]]:
        """Numbers of hops that can be chosen, and the address of each."""
        return [(each, replace(self.asked, hops=each, edge="").address) for each in range(1, MAX_HOPS + 1)]

    @property
    def middle(self) -> Reached:
        """Where the walk began."""
        return Reached(self.asked.about.graph_id, self.asked.about.name, open=True)

    @property
    def reached(self) -> Sequence[Reached]:
        """The nodes in words."""
        return [Reached(id_, self.names[id_], id_ in self.found.open) for id_ in self.nodes]

    @property
    def rows(self) -> Sequence[Row]:
        """The edges in words."""
        return [Row(edge, self._note(self.ties[edge.id])) for edge in self.edges]

    @property
    def behind(self) -> Behind | None:
        """The messages behind the edge that is looked at."""
        tie = self.ties.get(self.asked.edge)
        if tie is None:
            return None
        return _behind_fact(self.asked, tie.fact) if tie.fact else self._behind_pair(tie)

    def _edge(self, tie: graph.Tie) -> drawing.Edge:
        is_fact = bool(tie.fact)
        return drawing.Edge(
            id=tie.id,
            subject=tie.subject,
            predicate=_words(self.facts[tie.fact]) if is_fact else f"together {tie.count}×",
            object=tie.object,
            used=is_fact,
            directed=is_fact,
            current=tie.id == self.asked.edge,
            href=replace(self.asked, edge=tie.id).address,
            sentence=self._sentence(tie),
        )

    def _sentence(self, tie: graph.Tie) -> str:
        if tie.fact:
            return self.facts[tie.fact].sentence
        return f"{self.names[tie.subject]} and {self.names[tie.object]} came up together"

    def _note(self, tie: graph.Tie) -> str:
        if not tie.fact:
            return f"in {tie.count} message{'s' * (tie.count != 1)}"
        fact = self.facts[tie.fact].fact
        often = "once" if fact.mentions == 1 else f"{fact.mentions} times"
        return f"came up {often}, last on {fact.last_seen:%-d %B %Y}"

    def _node(self, id_: str) -> drawing.Node:
        """A node leads to its neighbours: it opens, or closes again; what the hops opened becomes the middle."""
        name, asked = self.names[id_], self.asked
        is_seed = id_ == asked.about.graph_id
        kind = self.entities[_key(id_)].kind if id_.startswith("entity:") else "person"
        if is_seed:
            return drawing.Node(id_, name, kind, named=True)
        if id_ in asked.opened or id_ not in self.found.open:
            hint = f"{'Close' if id_ in asked.opened else 'Open'} {name}"
            return drawing.Node(id_, name, kind, id_ in asked.opened, asked.toggled(id_), hint)
        middle = replace(asked, about=self.entities[_key(id_)], opened=(), edge="")
        return drawing.Node(id_, name, kind, href=middle.address, hint=f"Start from {name}")

    def _behind_pair(self, tie: graph.Tie) -> Behind:
        mentions = Mention.objects.filter(entity__person=self.asked.person)
        rows = Message.objects.of(self.asked.person.pk, self.asked.character.pk)
        for end in (tie.subject, tie.object):
            rows = rows.filter(pk__in=mentions.filter(entity=_key(end)).values("message"))
        shown = rows.select_related("conversation").order_by("-at", "-pk")[:MOST_MESSAGES]
        quotes = [Quote(message, message.text, "", "") for message in shown]
        return Behind(self._sentence(tie), quotes, max(0, rows.count() - len(quotes)))


def explore(asked: Asked) -> Exploration:
    """Walk from the entity, at most `MAX_NODES` far and wide. Raises `StoreError`."""
    found = graph.explore(
        owner=asked.person.graph_id,
        character=asked.character.graph_id,
        seeds=[asked.about.graph_id],
        hops=asked.hops,
        opened=asked.opened,
        most=MAX_NODES,
    )
    return Exploration(asked, found)


def _behind_fact(asked: Asked, fact: str) -> Behind:
    (view,) = fact_views(asked.person, UserFact.objects.filter(pk=_key(fact)), quotes=MOST_MESSAGES)
    return Behind(view.sentence, view.quotes, view.more, view.fact.origin == UserFact.Origin.OPERATOR)


def _words(view: FactView) -> str:
    return view.fact.predicate.lower().replace("_", " ")


def _key(id_: str) -> int:
    return int(id_.rpartition(":")[2])


def _keys(found: Iterable[str], kind: str) -> list[int]:
    return [_key(id_) for id_ in found if id_.startswith(kind)]
