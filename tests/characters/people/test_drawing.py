from itertools import combinations
from math import dist

from django.template.loader import render_to_string

from characters.people.drawing import Drawing, Edge, Node, PlacedNode, layout
from characters.people.labels import Box

MARK, LUNA, CAT, SOL = (
    Node("person:1", "Mark", "person"),
    Node("e1", "Luna", "pet"),
    Node("e2", "cat"),
    Node("e3", "Sol"),
)
HAS, IS_A, BROTHER = (
    Edge("f1", "person:1", "has a pet", "e1"),
    Edge("f2", "e1", "is a", "e2"),
    Edge("f3", "e1", "has a brother", "e3"),
)


def test_the_seed_stands_in_the_middle_and_its_neighbours_on_a_ring() -> None:
    drawing = layout([MARK, LUNA, CAT], [HAS, IS_A], ["e1"])
    assert (node(drawing, "e1").x, node(drawing, "e1").y, node(drawing, "e1").ring) == (0, 0, 0)
    assert {node(drawing, id_).ring for id_ in ("person:1", "e2")} == {1}


def test_edges_between_the_same_two_nodes_are_bent_apart() -> None:
    both = [HAS, Edge("f5", "person:1", "likes", "e1"), Edge("f6", "e1", "likes", "person:1")]
    paths = [placed.path for placed in layout([MARK, LUNA], both, ["e1"]).edges]
    middles = {path.split("Q")[1].split(" ")[1] for path in paths}
    assert len(middles) == 3


def test_sixty_nodes_do_not_touch() -> None:
    nodes = [Node(f"e{index}", f"Entity {index}") for index in range(60)]
    edges = [Edge(f"f{index}", f"e{index // 6}", "knows", f"e{index}") for index in range(1, 60)]
    drawing = layout(nodes, edges, ["e0"])
    assert all(dist(point(node), point(other)) >= 2 * node.radius for node, other in combinations(drawing.nodes, 2))


def test_names_of_few_nodes_do_not_cover_each_other() -> None:
    nodes = [MARK, LUNA, CAT, SOL, *(Node(f"x{index}", "Pike Place Market") for index in range(6))]
    edges = [HAS, IS_A, BROTHER, *(Edge(f"g{index}", "e1", "was at", f"x{index}") for index in range(6))]
    boxes = [Box.of(placed.label) for placed in layout(nodes, edges, ["e1"]).nodes]
    assert all(box.common(other) == 0 for box, other in combinations(boxes, 2))


def test_everything_lies_inside_of_the_picture() -> None:
    drawing = layout([MARK, LUNA, CAT, SOL], [HAS, IS_A, BROTHER], ["e1"])
    frame = Box(drawing.x, drawing.y, drawing.x + drawing.width, drawing.y + drawing.height)
    for placed in drawing.nodes:
        box = Box.of(placed.label)
        assert box.common(frame) > 0.99 * (box.right - box.left) * (box.bottom - box.top)


def test_the_description_says_every_edge() -> None:
    drawing = layout([MARK, LUNA, CAT], [HAS, Edge("f2", "e1", "is a", "e2", sentence="Luna is a cat")], ["e1"])
    assert drawing.description == "Mark has a pet Luna. Luna is a cat."


def test_names_are_escaped() -> None:
    drawing = layout([Node("e1", "<script>alert(1)</script>")], [], ["e1"])
    assert "<script>" not in render_to_string("people/_drawing.html", {"drawing": drawing})


def node(drawing: Drawing, id_: str) -> PlacedNode:
    return next(placed for placed in drawing.nodes if placed.node.id == id_)


def point(placed: PlacedNode) -> tuple[float, float]:
    return placed.x, placed.y
