"""Statements of a character about herself: what counts, what doesn't, and where it stands."""

import json
from collections.abc import Mapping

from characters.domain.sheet import Predicate
from characters.language.claims.mask import earnest
from characters.language.claims.patterns import extract
from characters.language.sentences import HIDDEN
from kgadmin.config import ROOT
from tests.characters.turn.world import REGISTRY

Registered = Mapping[str, Predicate]
NAUGHTY: list[str] = json.loads((ROOT / "tests/data/blns.json").read_text())


def claims(reply: str, asked: str = "", registered: Registered = REGISTRY) -> list[tuple[str, str]]:
    return [(each.predicate, each.object) for each in extract(reply, registered, "Elena", asked)]


def test_a_claim_knows_its_words_and_its_sentence_in_the_reply() -> None:
    reply = "*grins* Well… I’ve **always** loved *staghorn* coral 🪸! Dr. Vega taught me."
    (claim,) = extract(reply, REGISTRY, "Elena")
    assert (claim.predicate, claim.object) == ("LOVES", "staghorn coral")
    assert reply[claim.start : claim.end] == "I’ve **always** loved *staghorn* coral"
    assert "loved *staghorn* coral" in claim.sentence
    assert "Vega" not in claim.sentence


def test_a_hedge_is_said_and_lowers_the_certainty() -> None:
    (plain,) = extract("I like jazz.", REGISTRY, "Elena")
    (hedged,) = extract("I guess I like jazz.", REGISTRY, "Elena")
    assert (plain.hedged, hedged.hedged) == (False, True)
    assert hedged.certainty < plain.certainty <= 1


def test_a_list_gives_a_claim_for_each_of_its_items() -> None:
    assert claims("I love rain, old maps, and hate snow.") == [
        ("LOVES", "rain"), ("HATES", "snow")
    ]  # fmt: skip
    assert claims("I love rain, old maps and the cello.") == [
        ("LOVES", "rain"), ("LOVES", "old maps"), ("LOVES", "the cello")
    ]  # fmt: skip
    assert claims("I love fish and chips.") == [("LOVES", "fish and chips")]


def test_the_items_below_a_line_are_what_the_line_says_of_them() -> None:
    reply = "Here are some things I enjoy:\n1. **Diving at dawn** – the light!\n2. Café con leche\n\nAnd you?\n- Rain"
    assert claims(reply) == [("ENJOYS", "Diving at dawn"), ("ENJOYS", "Café con leche")]


def test_her_own_question_is_answered_by_her_next_words() -> None:
    assert claims("My favourite season? Autumn, hands down.") == [("FAVORITE_SEASON", "Autumn")]


def test_a_question_that_is_only_a_tag_leaves_the_statement_standing() -> None:
    assert claims("I love jazz, don't you?") == [("LOVES", "jazz")]
    assert claims("I love jazz, right?") == []


def test_the_same_statement_twice_is_one_claim() -> None:
    assert claims("I love rain. Did I say? I love Rain!") == [("LOVES", "rain")]


def test_only_registered_predicates_come_out_and_a_near_one_stands_in() -> None:
    few = {name: REGISTRY[name] for name in ("LIKES", "DISLIKES")}
    assert claims("I love rain. I hate snow. My favourite coral is staghorn. I live in Bern.", registered=few) == [
        ("LIKES", "rain"), ("DISLIKES", "snow"), ("LIKES", "staghorn")
    ]  # fmt: skip
    assert claims("I love rain.", registered={}) == []


def test_the_question_gives_a_short_answer_its_meaning() -> None:
    asked = "Nice day! What's your favorite coral?"
    assert claims("Oh, that's easy. Staghorn, always.", asked) == [("FAVORITE_CORAL", "Staghorn")]
    assert claims("Staghorn, always.") == []
    assert claims("Staghorn, always.", "What is the hardest coral?") == []
    assert claims("Staghorn? Never heard of it.", asked) == []


def test_it_means_what_was_asked_about_only_where_that_is_plain() -> None:
    (claim,) = extract("Honestly, I loathe it.", REGISTRY, "Elena", "What do you think of brutalism?")
    assert (claim.predicate, claim.object, claim.certainty) == ("HATES", "brutalism", 0.7)
    assert claims("I love it.", "Tell me a joke.") == []
    assert claims("I love it.", "Do you like it here?") == []


def test_masking_keeps_every_place_and_naughty_strings_never_raise() -> None:
    for text in NAUGHTY:
        for reply in (text, f"I love {text}.", f"My favourite book is {text}", f"“{text}” I love rain."):
            assert len(earnest(reply, text)) == len(reply)
            for claim in extract(reply, REGISTRY, text, asked=f"What's your favourite {text}? {text}"):
                assert 0 <= claim.start < claim.end <= len(reply)
                assert 0 < len(claim.object) <= 200
                assert 0 <= claim.certainty <= 1


def test_words_that_are_not_hers_in_earnest_are_hidden() -> None:
    for reply in (
        "She said “I love rum” to me",
        'A voice: "I love rum\nand I love gin" it said',
        "A voice said 'I don't love rum'.",
        "> I love rum",
        "`I love rum`",
        "```\nI love rum\n```",
        "*I love rum, I think*",
        "J'adore le rhum (I love rum)",
        "Captain Jack: I love rum",
        "As a poem? Here's a poem: I love rum",
        "Let's pretend. I love rum",
        "I love rum. Just kidding!",
        "I love rum... not!",
    ):
        text = earnest(reply, "Elena")
        assert "love rum" not in text, reply
        assert len(text) == len(reply), reply
        assert text.count("\n") == reply.count("\n"), reply


def test_what_she_says_herself_stays() -> None:
    for reply in (
        "I love rum", "**I love rum**", "Elena Vance: I love rum", "Elena: I love rum", "*nods slowly* I love rum",
        "It's 5 o'clock, the dogs' bowls are full, and I love rum", "Confession: I love rum",
    ):  # fmt: skip
        assert "I love rum" in earnest(reply, "Elena Vance"), reply


def test_a_title_keeps_its_words_without_its_marks() -> None:
    assert earnest('I adore "Middlemarch"', "Elena") == "I adore  Middlemarch "
    assert HIDDEN in earnest('I adore "the way that I walk"', "Elena")
