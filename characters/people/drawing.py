"""Draw a small graph: the seeds in the middle, everything else on rings by hops. Same graph, same picture.

`templates/people/_drawing.html` renders the result of `layout`. Units are CSS pixels: the picture's text stays readable
on a phone, where a large picture is scrolled.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from characters.people.labels import Box, Label, Labels, shortened

SEED_RADIUS, RADIUS = 10.0, 7.0
RING = 112.0
"""Distance between two rings, with room for the words on an edge."""
ARC = 40.0
"""Least arc of a node on its ring."""
MIDDLE = 62.0
"""Distance of several seeds from the middle."""
SQUEEZE = 0.86
"""Horizontal squeeze of the rings: words need room at the sides, and a phone is narrow."""
MARGIN = 14.0
BEND = 30.0
"""Distance between two edges of the same two nodes."""
ALONG = (0.5, 0.58, 0.42, 0.66, 0.34, 0.74, 0.26)
"""Positions for a label along its edge, from 0 to 1, the preferred first."""
COVERED = 0.06
"""Covered share of a label above which it isn't drawn: the edge has it in its title."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node to draw. `kind` is "person", "character" or an entity's kind; `named`: the message names it."""

    id: str
    name: str
    kind: str = "thing"
    named: bool = False
    href: str = ""
    """Target of a click on it; empty: none."""
    hint: str = ""
    """What the click does: "Open Luna"."""


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge to draw, between the ids of two nodes. An edge that isn't `used` is drawn faint."""

    id: str
    subject: str
    predicate: str
    """The predicate in words: "has a pet"."""
    object: str
    used: bool = True
    directed: bool = True
    current: bool = False
    href: str = ""
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class PlacedNode:
    """A node with its position; `ring` is its hops from the nearest seed."""

    node: Node
    ring: int
    x: float
    y: float
    radius: float
    label: Label

    @property
    def left(self) -> float:
        return round(self.x - self.radius, 1)

    @property
    def top(self) -> float:
        return round(self.y - self.radius, 1)

    @property
    def size(self) -> float:
        return 2 * self.radius


@dataclass(frozen=True, slots=True)
class PlacedEdge:
    """An edge as a path from rim to rim; without a label if there is no room for one."""

    edge: Edge
    path: str
    label: Label | None


@dataclass(frozen=True, slots=True)
class Drawing:
    """The picture. `id` makes its parts unique on a page, `description` says it in words."""

    id: str
    title: str
    nodes: tuple[PlacedNode, ...]
    edges: tuple[PlacedEdge, ...]
    x: int
    y: int
    width: int
    height: int

    @property
    def has_links(self) -> bool:
        """Return whether anything in it is a link."""
        return any(placed.node.href for placed in self.nodes) or any(placed.edge.href for placed in self.edges)

    @property
    def description(self) -> str:
        """Return the edges as sentences."""
        names = {placed.node.id: placed.node.name for placed in self.nodes}
        sentences = [
            edge.sentence or f"{names[edge.subject]} {edge.predicate} {names[edge.object]}"
            for edge in (placed.edge for placed in self.edges)
        ]
        return " ".join(f"{sentence.rstrip('.')}." for sentence in sentences)


Point = tuple[float, float]


def layout(
    nodes: Sequence[Node], edges: Sequence[Edge], seeds: Sequence[str], *, id_: str = "drawing", title: str = ""
) -> Drawing:
    """Place nodes and edges. Edges without both ends are left out; without nodes, the picture is empty."""
    known = {node.id for node in nodes}
    drawn = [edge for edge in edges if edge.subject in known and edge.object in known]
    middle = [seed for seed in dict.fromkeys(seeds) if seed in known] or [node.id for node in nodes[:1]]
    rings, children = _tree(nodes, drawn, middle)
    points = _places(rings, children, middle)
    labels = Labels(Box.around(*points[node.id], _radius(node.id, middle)) for node in nodes)
    placed = tuple(_placed(node, rings[node.id], points[node.id], labels, middle) for node in nodes)
    paths = tuple(_drawn_edges(drawn, points, labels, middle))
    box = Box.round([labels.taken, [Box.around(*point, SEED_RADIUS) for point in points.values()]], MARGIN)
    return Drawing(id_, title, placed, paths, *box.corner, *box.size)


def _radius(id_: str, seeds: Sequence[str]) -> float:
    return SEED_RADIUS if id_ in seeds else RADIUS


def _tree(
    nodes: Sequence[Node], edges: Sequence[Edge], seeds: Sequence[str]
) -> tuple[dict[str, int], dict[str, list[str]]]:
    """Return the ring of each node, and its children on the next ring; unconnected nodes hang on a seed."""
    beside: defaultdict[str, list[str]] = defaultdict(list)
    for edge in edges:
        beside[edge.subject].append(edge.object)
        beside[edge.object].append(edge.subject)
    rings = dict.fromkeys(seeds, 0)
    children: defaultdict[str, list[str]] = defaultdict(list)
    queue = list(seeds)
    for id_ in queue:  # grows while it is read: breadth first
        for other in beside[id_]:
            if other not in rings:
                rings[other] = rings[id_] + 1
                children[id_].append(other)
                queue.append(other)
    for node in nodes:
        if node.id not in rings:
            rings[node.id] = 1
            children[seeds[0]].append(node.id)
    return rings, children


def _places(rings: Mapping[str, int], children: Mapping[str, list[str]], seeds: Sequence[str]) -> dict[str, Point]:
    """Return the position of every node: in the middle of its sector, which is part of its parent's."""
    angles: dict[str, float] = {}
    wedges = list(zip(seeds, _parts(-math.pi, math.pi, seeds, children), strict=True))
    for id_, (start, end) in wedges:  # grows while it is read
        angles[id_] = (start + end) / 2
        below = children.get(id_, [])
        wedges.extend(zip(below, _parts(start, end, below, children), strict=True))
    radii = _radii(rings, angles)
    return {
        id_: (round(SQUEEZE * radii[rings[id_]] * math.cos(angle), 1), round(radii[rings[id_]] * math.sin(angle), 1))
        for id_, angle in angles.items()
    }


def _parts(start: float, end: float, ids: Sequence[str], children: Mapping[str, list[str]]) -> Iterable[Point]:
    weights = [_leaves(id_, children) ** 0.75 for id_ in ids]
    sums = [sum(weights[:count]) / (sum(weights) or 1) for count in range(len(ids) + 1)]
    return [(start + (end - start) * before, start + (end - start) * after) for before, after in pairwise(sums)]


def _leaves(id_: str, children: Mapping[str, list[str]]) -> int:
    return sum(_leaves(child, children) for child in children.get(id_, [])) or 1


def _radii(rings: Mapping[str, int], angles: Mapping[str, float]) -> list[float]:
    """Return the radius of each ring: outside the previous one, and so wide that neighbours don't touch."""
    radii: list[float] = []
    for ring in range(max(rings.values(), default=-1) + 1):
        on_it = sorted(angles[id_] for id_ in rings if rings[id_] == ring)
        gaps = [after - before for before, after in pairwise([*on_it, on_it[0] + math.tau])]
        least = MIDDLE if len(on_it) > 1 else 0.0
        radii.append(max(ARC / min(gaps) if len(on_it) > 1 else 0.0, radii[-1] + RING if radii else least))
    return radii


def _placed(node: Node, ring: int, point: Point, labels: Labels, seeds: Sequence[str]) -> PlacedNode:
    radius = _radius(node.id, seeds)
    label = labels.beside(shortened(node.name), *point, radius)
    return PlacedNode(node, ring, *point, radius, label)


def _drawn_edges(
    edges: Sequence[Edge], points: Mapping[str, Point], labels: Labels, seeds: Sequence[str]
) -> Iterable[PlacedEdge]:
    """Return the edges as curves; those of the same two nodes are bent apart."""
    beside: defaultdict[frozenset[str], list[Edge]] = defaultdict(list)
    for edge in edges:
        beside[frozenset((edge.subject, edge.object))].append(edge)
    for edge in edges:
        same = beside[frozenset((edge.subject, edge.object))]
        bend = (same.index(edge) - (len(same) - 1) / 2) * BEND
        bend = -bend if edge.subject > edge.object else bend  # bent to one side, whichever way each of them points
        ends = points[edge.subject], points[edge.object]
        curve = _curve(*ends, bend, _radius(edge.subject, seeds) + 2, _radius(edge.object, seeds) + 4)
        label = labels.along(shortened(edge.predicate), [_at(curve, t) for t in ALONG], COVERED)
        start, control, end = ((round(x, 1), round(y, 1)) for x, y in curve)
        path = f"M{start[0]} {start[1]}Q{control[0]} {control[1]} {end[0]} {end[1]}"
        yield PlacedEdge(edge, path, label)


def _curve(start: Point, end: Point, bend: float, gap_before: float, gap_after: float) -> tuple[Point, Point, Point]:
    """Return start, control and end of a quadratic curve from rim to rim, with its middle `bend` off the line."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    if not length:  # an edge from a node to itself: a loop above it
        return (start[0] - 6, start[1] - 8), (start[0], start[1] - 54), (start[0] + 6, start[1] - 8)
    control = ((start[0] + end[0]) / 2 - dy / length * bend * 2, (start[1] + end[1]) / 2 + dx / length * bend * 2)
    return _towards(start, control, gap_before), control, _towards(end, control, gap_after)


def _towards(start: Point, end: Point, distance: float) -> Point:
    length = math.dist(start, end) or 1.0
    return start[0] + (end[0] - start[0]) * distance / length, start[1] + (end[1] - start[1]) * distance / length


def _at(curve: tuple[Point, Point, Point], t: float) -> Point:
    (x0, y0), (x1, y1), (x2, y2) = curve
    rest = 1 - t
    return rest**2 * x0 + 2 * rest * t * x1 + t**2 * x2, rest**2 * y0 + 2 * rest * t * y1 + t**2 * y2
