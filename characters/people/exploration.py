"""Explore what a character remembers about an entity: walk the graph, draw it, quote the messages behind an edge."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from characters.conversations.models import Message, Person
from characters.domain.entities import Entity as Named
from characters.domain.entities import EntityMatcher, fold, key
from characters.memory import graph
from characters.memory.models import Entity, Mention, UserFact
from characters.people import drawing
from characters.people.facts import FactView, Quote, fact_views
from characters.people.pages import entities_known_to, number
from characters.profiles.models import Character

MAX_HOPS = 3
MAX_NODES = 60
MAX_OPEN = 30
MOST_MESSAGES = 20
"""Messages shown behind one edge, the newest."""


@dataclass(frozen=True, slots=True)
class Walk:
    """The walk that an address asks for: its entity, hops, expanded nodes, and the edge to explain."""

    person: Person
    character: Character
    about: Entity
    hops: int = 1
    expanded: tuple[str, ...] = ()
    edge: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str], person: Person, character: Character, about: Entity) -> "Walk":
        """Return the walk of an address; invalid values are ignored."""
        hops = min(MAX_HOPS, max(1, number(query.get("hops", "")) or 1))
        expanded = tuple(
            node
            for node in dict.fromkeys(query.get("open", "").split(","))
            if node == person.graph_id or (node.startswith("entity:") and number(node.removeprefix("entity:")))
        )
        return cls(person, character, about, hops, expanded[:MAX_OPEN], query.get("edge", ""))

    @property
    def address(self) -> str:
        """Return the query of its address."""
        query = {"character": self.character.slug, "about": str(self.about.pk), "hops": str(self.hops)}
        if self.expanded:
            query["open"] = ",".join(self.expanded)
        return f"?{urlencode(query | ({'edge': self.edge} if self.edge else {}), safe=':,')}"

    def toggled(self, node: str) -> str:
        """Return the address with this node expanded, or collapsed if it is."""
        others = tuple(other for other in self.expanded if other != node)
        expanded = others if node in self.expanded else (*others, node)[-MAX_OPEN:]
        return replace(self, expanded=expanded, edge="").address


@dataclass(frozen=True, slots=True)
class Behind:
    """The messages behind an edge, the newest first."""

    sentence: str
    quotes: Sequence[Quote]
    more: int
    by_hand: bool = False
    """Whether an operator added the fact, so that there may be no message."""


class Reached(NamedTuple):
    """A node in words; `open`: all its neighbours were reached."""

    id: str
    name: str
    open: bool


class Row(NamedTuple):
    """An edge in words, with its count."""

    edge: drawing.Edge
    note: str


@dataclass(frozen=True)
class Exploration:
    """The nodes and edges that a walk reached, except those whose rows are deleted; names come from the rows."""

    walk: Walk
    explored: graph.Explored

    @cached_property
    def entities(self) -> Mapping[int, Entity]:
        """Return the reached entities of this person."""
        return self.walk.person.entities.in_bulk(_keys(self.explored.nodes, "entity:"))

    @cached_property
    def facts(self) -> Mapping[str, FactView]:
        """Return the reached facts that are current."""
        rows = UserFact.objects.of(self.walk.person.pk, self.walk.character.pk).current()
        views = fact_views(self.walk.person, rows.filter(pk__in=_keys(self.explored.ties, "user_fact:")))
        return {view.fact.graph_id: view for view in views}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Return the name of each reached node that still has a row."""
        person = {self.walk.person.graph_id: self.walk.person.name}
        return {entity.graph_id: entity.name for entity in self.entities.values()} | person

    @cached_property
    def ties(self) -> Mapping[str, graph.Tie]:
        """Return the reached edges whose ends and facts still exist."""
        return {
            id_: tie
            for id_, tie in self.explored.ties.items()
            if tie.subject in self.names and tie.object in self.names and (not tie.fact or tie.fact in self.facts)
        }

    @cached_property
    def nodes(self) -> Sequence[str]:
        """Return the reached nodes that still have an edge, the nearest first."""
        tied = {end for tie in self.ties.values() for end in (tie.subject, tie.object)}
        return [id_ for id_ in self.explored.nodes if id_ in tied]

    @cached_property
    def edges(self) -> Sequence[drawing.Edge]:
        """Return the edges to draw and list."""
        return [self._edge(tie) for tie in self.ties.values()]

    @cached_property
    def picture(self) -> drawing.Drawing:
        """Return the drawn graph."""
        title = f"What {self.walk.character.name} remembers about {self.walk.about.name}"
        nodes = [self._node(id_) for id_ in self.nodes]
        return drawing.layout(nodes, self.edges, [self.walk.about.graph_id], id_="explored-graph", title=title)

    @property
    def hops(self) -> Iterable[tuple[int, str]]:
        """Return the choices of hops, with the address of each."""
        return [(hops, replace(self.walk, hops=hops, edge="").address) for hops in range(1, MAX_HOPS + 1)]

    @property
    def middle(self) -> Reached:
        """Return the node where the walk began."""
        return Reached(self.walk.about.graph_id, self.walk.about.name, open=True)

    @property
    def reached(self) -> Sequence[Reached]:
        """Return the nodes in words."""
        return [Reached(id_, self.names[id_], id_ in self.explored.open) for id_ in self.nodes]

    @property
    def rows(self) -> Sequence[Row]:
        """Return the edges in words."""
        return [Row(edge, self._note(self.ties[edge.id])) for edge in self.edges]

    @property
    def behind(self) -> Behind | None:
        """Return the messages behind the edge that the walk explains."""
        tie = self.ties.get(self.walk.edge)
        if tie is None:
            return None
        return _behind_fact(self.walk, tie.fact) if tie.fact else self._behind_pair(tie)

    def _edge(self, tie: graph.Tie) -> drawing.Edge:
        is_fact = bool(tie.fact)
        return drawing.Edge(
            id=tie.id,
            subject=tie.subject,
            predicate=_predicate(self.facts[tie.fact]) if is_fact else f"together {tie.count}×",
            object=tie.object,
            used=is_fact,
            directed=is_fact,
            current=tie.id == self.walk.edge,
            href=replace(self.walk, edge=tie.id).address,
            sentence=self._sentence(tie),
        )

    def _sentence(self, tie: graph.Tie) -> str:
        if tie.fact:
            return self.facts[tie.fact].sentence
        return f"{self.names[tie.subject]} and {self.names[tie.object]} were mentioned together"

    def _note(self, tie: graph.Tie) -> str:
        if not tie.fact:
            return f"in {tie.count} message{'s' * (tie.count != 1)}"
        fact = self.facts[tie.fact].fact
        often = "once" if fact.mentions == 1 else f"{fact.mentions} times"
        return f"came up {often}, last on {fact.last_seen:%-d %B %Y}"

    def _node(self, id_: str) -> drawing.Node:
        """Return a node to draw. A click expands or collapses it; if the hops expanded it, the walk starts from it."""
        name, walk = self.names[id_], self.walk
        kind = self.entities[_key(id_)].kind if id_.startswith("entity:") else "person"
        if id_ == walk.about.graph_id:
            return drawing.Node(id_, name, kind, named=True)
        if id_ in walk.expanded or id_ not in self.explored.open:
            hint = f"{'Close' if id_ in walk.expanded else 'Open'} {name}"
            return drawing.Node(id_, name, kind, id_ in walk.expanded, walk.toggled(id_), hint)
        middle = replace(walk, about=self.entities[_key(id_)], expanded=(), edge="")
        return drawing.Node(id_, name, kind, href=middle.address, hint=f"Start from {name}")

    def _behind_pair(self, tie: graph.Tie) -> Behind:
        mentions = Mention.objects.filter(entity__person=self.walk.person)
        rows = Message.objects.of(self.walk.person.pk, self.walk.character.pk)
        for end in (tie.subject, tie.object):
            rows = rows.filter(pk__in=mentions.filter(entity=_key(end)).values("message"))
        shown = rows.select_related("conversation").order_by("-at", "-pk")[:MOST_MESSAGES]
        quotes = [Quote(message, message.text, "", "") for message in shown]
        return Behind(self._sentence(tie), quotes, max(0, rows.count() - len(quotes)))


def explore(walk: Walk) -> Exploration:
    """Walk from the entity to at most `MAX_NODES` nodes. Raises `StoreError`."""
    explored = graph.explore(
        owner=walk.person.graph_id,
        character=walk.character.graph_id,
        seeds=[walk.about.graph_id],
        hops=walk.hops,
        expanded=walk.expanded,
        most=MAX_NODES,
    )
    return Exploration(walk, explored)


def _behind_fact(walk: Walk, fact: str) -> Behind:
    (view,) = fact_views(walk.person, UserFact.objects.filter(pk=_key(fact)), quotes=MOST_MESSAGES)
    return Behind(view.sentence, view.quotes, view.more, view.fact.origin == UserFact.Origin.OPERATOR)


def _predicate(view: FactView) -> str:
    return view.fact.predicate.lower().replace("_", " ")


def _key(id_: str) -> int:
    return int(id_.rpartition(":")[2])


def _keys(ids: Iterable[str], kind: str) -> list[int]:
    return [_key(id_) for id_ in ids if id_.startswith(kind)]


def known_entities(person: Person, character: Character) -> list[Entity]:
    """Return the entities that this character knows, the most mentioned first."""
    rows = entities_known_to(person, character)
    return list(rows.order_by("-mention_count", "name"))  # type: ignore[misc]


def entities_for(text: str, known: Sequence[Entity]) -> list[Entity]:
    """Return the entity with this id ("12", "entity:12"), else those that a text names."""
    pk = number(text.removeprefix("entity:"))
    return [entity for entity in known if entity.pk == pk] or entities_in(text, known)


def entities_in(text: str, known: Sequence[Entity]) -> list[Entity]:
    """Return the entities whose name the text is, or else that it names; case doesn't count, as in any search box."""
    exact = [entity for entity in known if key(text) in {entity.key, *(alias.key for alias in entity.aliases.all())}]
    if exact or not text.strip():
        return exact
    named = tuple(
        Named(str(entity.pk), entity.name, "thing", tuple(alias.text for alias in entity.aliases.all()))
        for entity in known
    )
    pks = [int(id_) for match in EntityMatcher(named).find(text) for id_ in match.entities]
    by_pk = {entity.pk: entity for entity in known}
    return [by_pk[pk] for pk in dict.fromkeys(pks)]


def suggested(text: str, known: Sequence[Entity]) -> list[Entity]:
    """Return the entities whose name contains a text; all if there is none."""
    return [entity for entity in known if fold(text) in entity.key] or list(known)
