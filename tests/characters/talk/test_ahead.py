"""What was begun ahead is what the stages ask for, and nothing else."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from characters.talk.ahead import Ahead
from characters.turn.assemble import assemble
from characters.turn.request import Edge, Known, TurnRequest, Vectors
from kgadmin.stores.errors import StoreError
from tests.characters.turn.kirsten import asked, readers, walk
from tests.characters.turn.test_assemble import StrictRecorder
from tests.characters.turn.world import World, embed

MESSAGE = "How is Luna? I saw the Lantern Gate."


def test_a_turn_with_what_was_begun_is_the_turn_without_it_and_asks_the_graph_once() -> None:
    walks: list[Sequence[str]] = []

    def walking(request: TurnRequest, seeds: Sequence[str], hops: int, limit: int) -> Sequence[Edge]:
        walks.append(seeds)
        return walk()(request, seeds, hops, limit)  # type: ignore[no-any-return]

    request, plain = asked(World(), MESSAGE), replace(readers(World()), walk=walking)
    expected = assemble(request, plain, StrictRecorder())
    walks.clear()
    ahead = Ahead(MESSAGE, plain)
    ahead.begin_walk(request)
    assert assemble(request, ahead.readers, StrictRecorder()) == expected
    assert walks == [["entity:luna"]]
    other = asked(World(), "Do you remember the town hall's bells?", sheet=request.sheet)
    assert assemble(other, ahead.readers, StrictRecorder()) == assemble(other, plain, StrictRecorder())


def test_a_failure_of_what_was_begun_is_its_stages_own() -> None:
    tries: list[int] = []

    def failing(texts: Sequence[str]) -> Vectors:
        tries.append(len(texts))
        if len(tries) == 1:
            raise StoreError("The embedder can't be loaded.")
        return embed(texts)

    ahead = Ahead(MESSAGE, replace(readers(World()), embed=failing))
    assert len(ahead.readers.embed([MESSAGE])) == 1
    ahead = Ahead(MESSAGE, replace(readers(World()), walk=lambda *_: pytest.fail("not asked for")))
    ahead.begin_walk(asked(World(), "Nobody that I know."))
    ahead = Ahead(MESSAGE, replace(readers(World()), known=lambda _: broken()))
    ahead.begin_walk(asked(World(), MESSAGE))
    with pytest.raises(ValueError, match="A mistake"):
        ahead.readers.known(asked(World(), MESSAGE))


def broken() -> Known:
    raise ValueError("A mistake.")
