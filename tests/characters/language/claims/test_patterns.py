"""Statements of a character about herself: what counts, what doesn't, and where it stands."""

import json

import pytest

from characters.domain.sheet import Predicate
from characters.language.claims.masking import earnest
from characters.language.claims.patterns import extract
from kgadmin.config import ROOT

Registered = dict[str, Predicate]
NAUGHTY: list[str] = json.loads((ROOT / "tests/data/blns.json").read_text())


def found(reply: str, registered: Registered, asked: str = "") -> list[tuple[str, str]]:
    return [(each.predicate, each.object) for each in extract(reply, registered, "Elena", asked)]


def test_a_claim_knows_its_words_and_its_sentence_in_the_reply(registered: Registered) -> None:
    reply = "*grins* Well… I’ve **always** loved *staghorn* coral 🪸! Dr. Vega taught me."
    (claim,) = extract(reply, registered, "Elena")
    assert (claim.predicate, claim.object) == ("LOVES", "staghorn coral")
    assert reply[claim.start : claim.end] == "I’ve **always** loved *staghorn* coral"
    assert "loved *staghorn* coral" in claim.sentence
    assert "Vega" not in claim.sentence


def test_a_hedge_is_said_and_lowers_the_certainty(registered: Registered) -> None:
    (plain,) = extract("I like jazz.", registered, "Elena")
    (hedged,) = extract("I guess I like jazz.", registered, "Elena")
    assert (plain.hedged, hedged.hedged) == (False, True)
    assert hedged.certainty < plain.certainty <= 1


def test_a_list_gives_a_claim_for_each_of_its_items(registered: Registered) -> None:
    assert found("I love rain, old maps, and hate snow.", registered) == [
        ("LOVES", "rain"), ("HATES", "snow")
    ]  # fmt: skip
    assert found("I love rain, old maps and the cello.", registered) == [
        ("LOVES", "rain"), ("LOVES", "old maps"), ("LOVES", "the cello")
    ]  # fmt: skip
    assert found("I love fish and chips.", registered) == [("LOVES", "fish and chips")]


def test_the_items_below_a_line_are_what_the_line_says_of_them(registered: Registered) -> None:
    reply = "Here are some things I enjoy:\n1. **Diving at dawn** – the light!\n2. Café con leche\n\nAnd you?\n- Rain"
    assert found(reply, registered) == [("ENJOYS", "Diving at dawn"), ("ENJOYS", "Café con leche")]


def test_her_own_question_is_answered_by_her_next_words(registered: Registered) -> None:
    assert found("My favourite season? Autumn, hands down.", registered) == [("FAVORITE_SEASON", "Autumn")]
    assert found("Jazz? I can't stand it.", registered) == [("HATES", "Jazz")]


def test_a_question_that_is_only_a_tag_leaves_the_statement_standing(registered: Registered) -> None:
    assert found("I love jazz, don't you?", registered) == [("LOVES", "jazz")]
    assert found("I love jazz, right?", registered) == []


def test_the_same_statement_twice_is_one_claim(registered: Registered) -> None:
    assert found("I love rain. Did I say? I love Rain!", registered) == [("LOVES", "rain")]


def test_only_registered_predicates_come_out_and_a_near_one_stands_in(registered: Registered) -> None:
    few = {name: registered[name] for name in ("LIKES", "DISLIKES")}
    assert found("I love rain. I hate snow. My favourite coral is staghorn. I live in Bern.", few) == [
        ("LIKES", "rain"), ("DISLIKES", "snow"), ("LIKES", "staghorn")
    ]  # fmt: skip
    assert found("I love rain.", {}) == []


def test_the_question_gives_a_short_answer_its_meaning(registered: Registered) -> None:
    asked = "Nice day! What's your favorite coral?"
    assert found("Oh, that's easy. Staghorn, always.", registered, asked) == [("FAVORITE_CORAL", "Staghorn")]
    assert found("Staghorn, always.", registered) == []
    assert found("Staghorn, always.", registered, "What is the hardest coral?") == []
    assert found("Staghorn? Never heard of it.", registered, asked) == []


def test_it_means_what_was_asked_about_only_where_that_is_plain(registered: Registered) -> None:
    (claim,) = extract("Honestly, I loathe it.", registered, "Elena", "What do you think of brutalism?")
    assert (claim.predicate, claim.object, claim.certainty) == ("HATES", "brutalism", 0.7)
    assert found("I love it.", registered, "Tell me a joke.") == []
    assert found("I love it.", registered, "Do you like it here?") == []


def test_a_speaker_label_of_her_own_is_hers_and_another_is_not(registered: Registered) -> None:
    assert found("Elena: I love rain.\nCaptain Jack: I love rum.", registered) == [("LOVES", "rain")]


def test_a_frame_hides_what_follows_but_not_what_came_before(registered: Registered) -> None:
    reply = "I love rain. Here's a poem for you:\nI love the sun\nand I hate the rain"
    assert found(reply, registered) == [("LOVES", "rain")]


def test_a_jest_takes_back_the_whole_reply(registered: Registered) -> None:
    assert found("I love rain. I hate snow. Only joking!", registered) == []


@pytest.mark.parametrize(
    "reply",
    [
        "I love " + "coral " * 200,
        "I love " + "x" * 201 + ".",
        "I love you " * 50,
        "",
        " \n\n",
        "I love",
        "My favourite",
        "I",
    ],
    ids=lambda reply: reply[:12],
)
def test_what_is_too_long_or_empty_is_no_claim(registered: Registered, reply: str) -> None:
    assert found(reply, registered) == []


def test_masking_keeps_every_place_and_naughty_strings_never_raise(registered: Registered) -> None:
    for text in NAUGHTY:
        for reply in (text, f"I love {text}.", f"My favourite book is {text}", f"“{text}” I love rain."):
            assert len(earnest(reply, text)) == len(reply)
            for claim in extract(reply, registered, text, asked=f"What's your favourite {text}? {text}"):
                assert 0 <= claim.start < claim.end <= len(reply)
                assert 0 < len(claim.object) <= 200
                assert 0 <= claim.certainty <= 1
