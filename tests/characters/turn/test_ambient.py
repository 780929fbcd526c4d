from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from characters.domain.sheet import AmbientSettings, Settings
from characters.turn import ambient as stage
from characters.turn.ambient import Ambient, parts_of
from characters.turn.assemble import embed_texts
from characters.turn.background import Background
from characters.turn.request import Edge
from characters.turn.user_facts import ScoredUserFact, UserFacts
from tests.characters.turn.kirsten import KIRSTEN, asked, at, fact, known, readers, walk
from tests.characters.turn.world import NOW, OSKAR, World, embed


def run(message: str, facts: Sequence[Any] = KIRSTEN, *, theirs: UserFacts | None = None, **changes: Any) -> Ambient:
    request = asked(World(), message, **changes)
    vectors = embed_texts(request, (message,), embed)
    people = known(facts, request.sheet)
    of_sheet = tuple(entity.id for entity in people.character_entities)
    reads = readers(World(), walk=walk(facts, of_sheet))
    return stage.ambient(request, people, reads, vectors, Background(), theirs or UserFacts())


def sentences(result: Ambient) -> list[str]:
    return [each.sentence for each in result.used]


def why(result: Ambient) -> dict[str, str]:
    return {each.id: each.why for each in result.dropped}


def test_the_scores_of_the_specification() -> None:
    """product.md: Luna is named, mentioned once, today, confidence .9, trust .5, no anchor; her neighbour is one hop
    away and was last seen 60 days ago.
    """
    request = asked(World(), "How's Luna?")
    luna = Edge("user_fact:1", "person:4", "entity:luna", 0, "entity:luna", 1, NOW, 0.9)
    parts = parts_of(luna, luna.fact, request, named=True, hops=0, anchor=0.0)
    assert parts.score == pytest.approx(0.35 + 0.20 + 0.0375 + 0.0675 + 0.10) == pytest.approx(0.755)
    cat = Edge("user_fact:2", "entity:luna", "entity:cat", 0, "entity:luna", 1, at(60), 0.9)
    parts = parts_of(cat, cat.fact, request, named=False, hops=1, anchor=0.0)
    assert parts.score == pytest.approx(0.175 + 0.05 + 0.0375 + 0.0675 + 0.10)
    assert stage.ScoreParts(1, 1, 1, 1, 1, 1).score == pytest.approx(1.0)


def test_a_pet_comes_to_mind_as_a_sentence() -> None:
    result = run("How's Luna doing in the cold?")
    assert sentences(result) == ["Kirsten has a cat called Luna."]
    assert result.used[0].score == pytest.approx(0.755)
    assert result.named[0].text == "Luna"
    assert why(result)["user_fact:2"] == "another sentence already says it"


def test_a_relative_is_found_by_my_and_its_belongings_come_along() -> None:
    result = run("My mother is coming over")
    assert sentences(result) == ["Kirsten's mother has a boat."]


def test_a_greeting_and_an_unknown_name_surface_nothing() -> None:
    for message in ("Good morning!", "Have you met Quentin?", "My aunt is coming"):
        result = run(message)
        assert not result.used
        assert result.skipped == "the message mentions nothing known"


def test_what_other_stages_say_is_a_duplicate() -> None:
    luna = run("How's Luna?").used[0]
    user_fact = stage_fact(luna.id)
    assert why(run("How's Luna?", theirs=UserFacts(used=(user_fact,))))[luna.id] == "already in the user facts"


def stage_fact(id_: str) -> ScoredUserFact:
    return ScoredUserFact(id_, "HAS_PET", "entity:luna", "Luna", "Kirsten has a cat called Luna.", 1, 1, 1, 0.9)


def test_what_was_just_said_is_not_said_again_and_is_no_news_later() -> None:
    again = run("And Luna?", shown={"user_fact:1": (3,)}, turn=5)
    assert why(again)["user_fact:1"] == "shown in the last three turns"
    later = run("And Luna?", shown={"user_fact:1": (3,)}, turn=8)
    assert later.used[0].parts.novelty == 0.5
    much_later = run("And Luna?", shown={"user_fact:1": (3,)}, turn=14)
    assert much_later.used[0].parts.novelty == 1.0


def test_who_asks_is_told_again_and_deeper() -> None:
    result = run("What do you remember about Luna?", shown={"user_fact:1": (4,)}, turn=5)
    assert result.explored
    assert result.depth == 3
    assert "Kirsten has a cat called Luna." in sentences(result)


def test_at_most_five_sentences_and_two_hundred_tokens() -> None:
    many = tuple(fact(number, "LIKES", f"Luna number {number}") for number in range(1, 9))
    pets = tuple(fact(number, "OWNS", f"shed {number}", "Luna") for number in range(10, 18))
    result = run("Luna", (*many, *pets, fact(1, "HAS_PET", "Luna")))
    assert len(result.used) == 5
    assert "more than 5" in why(result).values()
    tight = replace(OSKAR, settings=Settings(ambient=AmbientSettings(tokens=20)))
    assert "over 20 tokens" in why(run("Luna", (*pets, fact(1, "HAS_PET", "Luna")), sheet=tight)).values()


def test_knobs_of_the_sheet_change_what_comes_up() -> None:
    def with_knobs(**knobs: Any) -> Ambient:
        return run("How's Luna?", sheet=replace(OSKAR, settings=Settings(ambient=AmbientSettings(**knobs))))

    assert with_knobs(threshold=0.9).used == ()
    assert "user_fact:1" not in {each.id for each in with_knobs(families={"family": 0.5}).used}
    assert with_knobs(families={"family": 1.2}).used[0].score == pytest.approx(0.755 * 1.2)
    assert with_knobs(depth=2).depth == 2


def test_a_fact_that_was_forgotten_a_moment_ago_is_not_said() -> None:
    request = asked(World(), "How's Luna?")
    vectors = embed_texts(request, (request.message,), embed)
    left = known(KIRSTEN[:1])
    result = stage.ambient(request, left, readers(World()), vectors, Background(), UserFacts())
    assert {each.id for each in (*result.used, *result.dropped)} == {"user_fact:1"}


def test_what_she_knows_of_herself_comes_up_by_its_name() -> None:
    result = run("I walked down Kiln Street")
    assert sentences(result) == ["I work at the tram depot on Kiln Street."]
    assert result.used[0].subject == "character:7"
