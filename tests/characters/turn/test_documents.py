from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from characters.turn.choice import Hit
from characters.turn.documents import Documents, documents
from characters.turn.probe import Probe
from characters.turn.request import Base, Budgets, Chunk
from tests.characters.turn.world import World, count, request

WORDS = "amber birch cedar delta ember fjord grove heath islet jetty knoll larch marsh north ocean plain quarry".split()


def sentences(n: int) -> list[str]:
    return [f"Part {i} is about {WORDS[i % len(WORDS)]} and nothing else." for i in range(n)]


def hit(chunk: str, similarity: float = 0.6, kind: Any = "message") -> Hit:
    base, document, index = chunk.split("/")
    return Hit("a phrase", base, chunk, similarity, 0.4, kind, document, "", int(index))


def documents_of(
    world: World, *hits: Hit, primary: str = "a", supplemental: tuple[str, ...] = (), **changes: Any
) -> Documents:
    probed = Probe(hits=tuple(hits), primary=primary, supplemental=supplemental)
    return documents(world.request("Tell me about it all", **changes), probed, world.readers())


def test_a_hit_is_completed_by_the_chunks_beside_it() -> None:
    world = World({"a": {"doc.md": sentences(6)}})
    result = documents_of(world, hit("a/doc.md/3"), bases=(Base("a", "verified", 0.4, 1, "a"),))
    (passage,) = result.used
    assert (passage.provenance, passage.phrase) == ("verified", "a phrase")
    assert (world.queries, world.embedded) == ([], []), "a base that was probed is not asked again"
    assert passage.chunks == ("a/doc.md/2", "a/doc.md/3", "a/doc.md/4")
    assert (passage.first, passage.last) == (2, 4)
    assert passage.text.index("Part 2") < passage.text.index("Part 3") < passage.text.index("Part 4")
    assert passage.quote == sentences(6)[3]
    assert result.neighbours == 2
    assert passage.why == "a hit and 2 neighbours"


def test_passages_stand_best_first_and_a_phrase_weighs_less_than_the_message() -> None:
    world = World({"a": {"one.md": sentences(1), "two.md": sentences(1), "three.md": sentences(1)}})
    result = documents_of(
        world, hit("a/one.md/0", 0.6, "name"), hit("a/two.md/0", 0.55), hit("a/three.md/0", 0.75, "name")
    )
    assert [passage.document for passage in result.used] == ["three.md", "two.md", "one.md"]


def test_only_the_bases_that_the_message_is_about_are_quoted_each_in_its_section() -> None:
    world = World({slug: {"doc.md": sentences(1)} for slug in "abc"})
    hits = (hit("a/doc.md/0"), hit("b/doc.md/0"), hit("c/doc.md/0"))
    result = documents_of(world, *hits, primary="b", supplemental=("a",))
    assert {passage.base: passage.section for passage in result.used} == {"b": "primary", "a": "supplemental"}


def test_what_exceeds_the_budget_of_its_section_is_dropped_and_says_by_how_much() -> None:
    world = World({"a": {f"{n}.md": [" ".join(WORDS[n : n + 5])] for n in range(3)}})
    result = documents_of(world, *(hit(f"a/{n}.md/0", 0.9 - n / 10) for n in range(3)), budgets=Budgets(primary=14))
    assert [passage.document for passage in result.used] == ["0.md", "1.md"]
    assert [(passage.document, passage.why) for passage in result.dropped] == [
        ("2.md", "4 tokens over the section's 14")
    ]


def test_what_is_deleted_or_switched_off_is_left_out_of_the_neighbours_too() -> None:
    world = World({"a": {"doc.md": sentences(3), "other.md": sentences(6)}}, gone={"a/doc.md/1"})
    result = documents_of(world, hit("a/doc.md/1"), hit("a/other.md/3"), off=frozenset({"chunk:a/other.md/2"}))
    assert [passage.chunks for passage in result.used] == [("a/other.md/3", "a/other.md/4")]


# Chunks that overlap


def of_chunks(texts: Sequence[str]) -> Documents:
    """What is quoted of consecutive chunks of one document, all hits."""
    chunks = {f"a/d/{i}": Chunk(f"a/d/{i}", "a", "d", "", i, text, count(text)) for i, text in enumerate(texts)}
    world = World({})
    base = Base("a", "curated", 0.4, 1, "a")
    readers = world.readers(chunks=lambda ids: {key: chunks[key] for key in ids})
    probed = Probe(hits=tuple(hit(key) for key in chunks), primary="a")
    return documents(request("All of it", bases=(base,), budgets=Budgets(primary=10_000)), probed, readers)


@settings(max_examples=60)
@given(st.integers(0, 2**30), st.integers(2, 4), st.integers(16, 60))
def test_chunks_of_one_text_join_to_that_text(seed: int, parts: int, overlap: int) -> None:
    tokens = [f"{WORDS[(seed + i * i) % len(WORDS)]}{i}" for i in range(60)]  # no two stretches alike
    text = " ".join(tokens)
    size = len(text) // parts + 1
    chunks = [text[max(0, start - overlap) : start + size] for start in range(0, len(text), size)]
    (passage,) = of_chunks(chunks).used
    assert passage.text == text


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 9), st.floats(0.4, 1)), min_size=1, max_size=8), st.integers(1, 80))
def test_chunks_are_in_order_never_twice_and_within_budget(hits: list[tuple[int, float]], budget: int) -> None:
    world = World({"a": {"doc.md": sentences(10)}})
    result = documents_of(world, *(hit(f"a/doc.md/{i}", s) for i, s in hits), budgets=Budgets(primary=budget))
    everything = (*result.used, *result.dropped)
    chunks = [chunk for passage in everything for chunk in passage.chunks]
    assert len(chunks) == len(set(chunks))
    for passage in everything:
        assert [int(chunk.rpartition("/")[2]) for chunk in passage.chunks] == [*range(passage.first, passage.last + 1)]
    assert sum(passage.tokens for passage in result.used[1:]) <= budget
    assert result.used
