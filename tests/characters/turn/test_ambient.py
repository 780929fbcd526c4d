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
    of_sheet = tuple(entity.id for entity in people.character_matcher.by_id.values())
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
    luna = Edge("user_fact:1", "person:4", "entity:luna", 0, 1, NOW, 0.9)
    parts = parts_of(luna, luna.fact, request, named=True, hops=0, anchor=0.0)
    assert parts.score == pytest.approx(0.35 + 0.20 + 0.0375 + 0.0675 + 0.10) == pytest.approx(0.755)
    cat = Edge("user_fact:2", "entity:luna", "entity:cat", 0, 1, at(60), 0.9)
    parts = parts_of(cat, cat.fact, request, named=False, hops=1, anchor=0.0)
    assert parts.score == pytest.approx(0.175 + 0.05 + 0.0375 + 0.0675 + 0.10)
    assert stage.ScoreParts(1, 1, 1, 1, 1, 1).score == pytest.approx(1.0)


def test_what_is_named_comes_to_mind_as_a_sentence() -> None:
    result = run("How's Luna doing in the cold?")
    assert sentences(result) == ["Kirsten has a cat called Luna."]
    assert result.used[0].score == pytest.approx(0.755)
    assert result.named[0].text == "Luna"
    assert why(result)["user_fact:2"] == "another sentence already says it"
    assert sentences(run("My mother is coming over")) == ["Kirsten's mother has a boat."]
    of_character = run("I walked down Kiln Street")
    assert sentences(of_character) == ["I work at the tram depot on Kiln Street."]
    assert of_character.used[0].subject == "character:7"


def test_a_greeting_and_an_unknown_name_surface_nothing() -> None:
    for message in ("Good morning!", "Have you met Quentin?", "My aunt is coming"):
        result = run(message)
        assert not result.used
        assert result.skipped == "the message mentions nothing known"


def test_what_other_stages_say_is_a_duplicate() -> None:
    fact_used = ScoredUserFact("user_fact:1", "HAS_PET", "Kirsten has a cat called Luna.", 1, 1, 1, 0.9)
    assert why(run("How's Luna?", theirs=UserFacts(used=(fact_used,))))["user_fact:1"] == "already in the user facts"


def test_what_was_just_said_is_not_said_again_and_is_no_news_later() -> None:
    shown = {"user_fact:1": (3,)}
    assert why(run("And Luna?", shown=shown, turn=5))["user_fact:1"] == "shown in the last three turns"
    for turn, novelty in ((8, 0.5), (14, 1.0)):
        assert run("And Luna?", shown=shown, turn=turn).used[0].parts.novelty == novelty, turn


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
    assert "more than 5 unasked" in why(result).values()
    asked_for = run("What do you remember about Luna?", (*many, *pets, fact(1, "HAS_PET", "Luna")))
    assert len(asked_for.used) > 5, "asked for, as many as the budget has room for"
    tight = replace(OSKAR, settings=Settings(ambient=AmbientSettings(tokens=20)))
    assert "over 20 tokens" in why(run("Luna", (*pets, fact(1, "HAS_PET", "Luna")), sheet=tight)).values()


def test_each_name_brings_its_own_best_first() -> None:
    of_luna = tuple(fact(number, "OWNS", f"shed {number}", "Luna") for number in range(10, 16))
    of_torvik = fact(30, "VISITED", "Torvik", days=200)
    result = run("Luna and I think of Torvik", (*of_luna, fact(1, "HAS_PET", "Luna"), of_torvik))
    assert [each.id for each in result.used if each.id.startswith("user")][:2] == ["user_fact:1", "user_fact:30"]


def test_a_misspelt_name_is_known_and_a_word_of_the_language_is_none() -> None:
    facts = (fact(1, "VISITED", "Halmstad"), fact(2, "HAS_PET", "Bella"))
    assert [each.text for each in run("Back in Halmsatad today", facts).named] == ["Halmsatad"]
    assert not run("Belle and Mario were there", (*facts, fact(3, "HAS_FRIEND", "Maria"))).named
    assert not run("I heard a bell, below the hall", facts).named


def test_what_was_taken_back_a_moment_ago_does_not_come_up() -> None:
    theirs = UserFacts(taken_back=frozenset({"user_fact:1"}))
    assert why(run("Luna died", theirs=theirs))["user_fact:1"] == "taken back a moment ago"


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
