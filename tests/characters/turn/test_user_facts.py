from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from characters.domain.sheet import Fact
from characters.turn.assemble import embed_texts
from characters.turn.background import Background
from characters.turn.intent import EXAMPLES, classify
from characters.turn.probe import Probe
from characters.turn.request import HistoryMessage
from characters.turn.user_facts import UserFacts, user_facts
from tests.characters.turn.kirsten import KIRSTEN, asked, fact, known, readers
from tests.characters.turn.world import OSKAR, World, embed

WITH_BELLS = replace(OSKAR, facts=(*OSKAR.facts, Fact("bells", "LIKES", "the town hall's bells")))


def run(message: str, facts: Sequence[Any] = KIRSTEN, **changes: Any) -> UserFacts:
    world = World()
    request = asked(world, message, **changes)
    vectors = embed_texts(request, (message,), embed)
    intent = classify(request, Probe(), vectors.message, {kind: embed(texts) for kind, texts in EXAMPLES.items()})
    people = known(facts, request.sheet)
    return user_facts(request, people, vectors, readers(world).person_questions, intent, Background())


def sentences(result: UserFacts) -> list[str]:
    return [each.sentence for each in result.used]


def test_a_question_about_the_person_finds_the_fact() -> None:
    for message, first in (
        ("Where do I live?", "Kirsten lives in Halmstad."),
        ("What is my job?", "Kirsten works as a glass blower."),
        ("What's my cat called?", "Kirsten has a cat called Luna."),
        ("What does my mother have?", "Kirsten's mother has a boat."),
    ):
        result = run(message)
        assert sentences(result)[0] == first
        assert len(result.used) <= 3, message
    off = run("Where do I live?", off=frozenset({"user_fact:3"}))
    assert {each.id: each.why for each in off.dropped}["user_fact:3"] == "switched off"


def test_tell_me_about_myself_takes_of_every_family() -> None:
    result = run("Tell me about myself")
    assert result.broad
    expected = {"Kirsten lives in Halmstad.", "Kirsten works as a glass blower.", "Kirsten values family."}
    assert expected <= set(sentences(result))
    assert len(result.used) <= 8
    assert not any("mother is mother" in sentence for sentence in sentences(result))


def test_a_set_that_is_asked_for_is_told_whole() -> None:
    pets = tuple(fact(20 + place, "HAS_PET", name) for place, name in enumerate("Ada Bo Cy Dot Ed Flo".split()))
    result = run("Which pets do I have?", (*KIRSTEN[2:4], *pets))
    assert {each.id for each in result.used} >= {each.id for each in pets}


def test_what_the_person_took_back_is_not_said_before_it_is_read_and_stays_known_by_others() -> None:
    taken = run("I don't live in Halmstad any more", KIRSTEN)
    assert taken.taken_back == {"user_fact:3"}
    history = (HistoryMessage("user", "I don't live in Halmstad any more"), HistoryMessage("assistant", "Oh."))
    for unread, is_shown in ((1, False), (0, True)):
        result = run("Where do I live?", KIRSTEN, history=history, unread_messages=unread)
        assert ("Kirsten lives in Halmstad." in sentences(result)) is is_shown, unread


def test_both_sides_are_asked_for() -> None:
    result = run("Your family values vs. my family values")
    assert "Kirsten values family." in sentences(result)
    assert result.gate == "it asks about both sides"


def test_what_doesnt_ask_about_the_person_finds_none() -> None:
    for message in ("Good morning!", "My cat is asleep", "What do lanterns cost?", "I moved to Torvik", "How are you?"):
        result = run(message)
        assert not result.used, message
        assert result.skipped, message


def test_common_ground_is_by_entity_and_shown_where_it_bears_on_the_message() -> None:
    (shared,) = run("Tell me about myself", sheet=WITH_BELLS).common
    assert shared.sentence == "You and Kirsten have the town hall's bells in common."
    assert (shared.person_fact, shared.character_fact) == ("user_fact:8", "fact:bells")
    assert run("Have you heard the town hall's bells?", sheet=WITH_BELLS).common
    elsewhere = run("Where do I live?", sheet=WITH_BELLS)
    assert not elsewhere.common
    assert elsewhere.common_dropped[0].why == "not relevant to the message"
    two_pets_of_a_name = replace(OSKAR, facts=(Fact("pet", "HAS_PET", "Luna"),))
    assert not run("Tell me about myself", sheet=two_pets_of_a_name).common


def test_common_ground_is_what_has_the_same_roots() -> None:
    sheet = replace(OSKAR, facts=(*OSKAR.facts, Fact("craft", "WORKS_AS", "tram engineer")))
    (shared,) = run(
        "Tell me about myself", (*KIRSTEN[:-1], fact(40, "INTERESTED_IN", "tram engineering")), sheet=sheet
    ).common
    assert shared.sentence == "You and Kirsten have tram engineering (tram engineer, in your case) in common."
    assert not run("Tell me about myself", (fact(40, "INTERESTED_IN", "trams"),), sheet=sheet).common


def test_what_somebody_of_theirs_likes_is_no_common_ground() -> None:
    mothers = fact(8, "LIKES", "the town hall's bells", "mother")
    result = run("Tell me about myself", (*KIRSTEN[:-1], mothers), sheet=WITH_BELLS)
    assert (result.common, result.common_dropped) == ((), ())
