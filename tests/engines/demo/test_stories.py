"""The examples that the product is built from, as whole turns with the demo's content on real engines."""

import json
from typing import Any

import pytest

from characters.conversations.models import Turn
from characters.domain.sheet import Sheet
from characters.profiles.models import Character
from tests.engines.worlds import Ask, background_section, facts
from tests.turns import evidence

FAMILY = {
    "HAS_FATHER", "HAS_MOTHER", "HAS_GRANDMOTHER", "HAS_GRANDFATHER", "HAS_BROTHER", "HAS_SISTER",
    "HAS_HERITAGE", "HAS_ANCESTORS", "HAS_FAMILY_TRADITION", "INHERITED",
}  # fmt: skip
ORIGIN = {"BORN_IN", "GREW_UP_IN", "HAS_HERITAGE", "HAS_ANCESTORS", "HAS_CHILDHOOD"}
TASTE = {"LIKES", "LOVES", "ENJOYS", "HAS_HOBBY"}
INFLUENCE = "How has your family influenced your decision to be a marine biologist?"
ROGUES_END = "What happened at Rogue's End after the Tower Faction arrived?"
LAB_LOG = "Check the lab log for when Rupert's character sheet was last updated"


# Elena about herself


def test_the_family_question_finds_father_and_mother(ask: Ask) -> None:
    turn = ask("elena", INFLUENCE)
    predicates = facts(turn)
    assert {"HAS_FATHER", "HAS_MOTHER"} <= set(predicates)
    assert len(predicates) <= 3
    background: Any = evidence(turn, "background")
    assert background["source"] == "graph"
    assert background["dropped"], "near misses"
    assert {fact["relevance"] for fact in background["used"]} <= {"high", "medium", "low"}
    assert all(0 < fact["score"] <= 1 for fact in background["used"])


def test_facts_stand_in_the_prompt_as_sentences_under_a_permissive_line(ask: Ask) -> None:
    section = background_section(ask("elena", INFLUENCE))
    assert section.startswith("[RELEVANT BACKGROUND]")
    assert "My father is a commercial fisherman turned restaurant owner." in section
    assert "HAS_" not in section
    assert section.splitlines()[-1].endswith("you don't have to.)")


def test_every_question_that_the_demo_offers_is_answered_from_something(ask: Ask) -> None:
    for character in Character.objects.all():
        assert character.sheet is not None
        for question in character.sheet.settings.questions:
            turn = ask(character.slug, question)
            assert facts(turn) or evidence(turn, "documents").get("used"), question


@pytest.mark.parametrize(
    ("message", "allowed"),
    [
        ("Where are you from?", ORIGIN),
        ("How's your family?", FAMILY),
        ("Were you born near the ocean?", ORIGIN),
        ("What do you like?", TASTE),
    ],
)
def test_a_narrow_question_finds_the_few_facts_that_answer_it(ask: Ask, message: str, allowed: set[str]) -> None:
    predicates = facts(ask("elena", message))
    assert 1 <= len(predicates) <= 3
    assert predicates[0] in allowed
    assert sum(predicate in allowed for predicate in predicates) > len(predicates) / 2, predicates


# Knowledge bases


def test_rogues_end_brings_the_persona_of_the_campaign_with_the_hits_that_decided(ask: Ask) -> None:
    turn = ask("elena", ROGUES_END)
    probe: Any = evidence(turn, "probe")
    assert probe["primary"] == "dnd_campaign"
    assert {"Rogue's End", "Tower Faction"} <= {phrase["text"] for phrase in probe["phrases"]}
    assert all(hit["similarity"] >= hit["threshold"] for hit in probe["hits"])
    assert all(hit["similarity"] < hit["threshold"] for hit in probe["near_misses"])
    assert probe["margin"] >= probe["margin_needed"]
    persona = evidence(turn, "persona")
    assert (persona["slug"], persona["margin"]) == ("game-night", probe["margin"])
    assert "D&D campaign" in str(persona["rule"])


def test_rogues_end_is_answered_from_the_campaigns_documents(ask: Ask) -> None:
    turn = ask("elena", ROGUES_END)
    used: Any = evidence(turn, "documents")["used"]
    assert {passage["base"] for passage in used} == {"dnd_campaign"}
    primary = next(each["text"] for each in turn.prompt["sections"] if each["name"] == "primary")
    assert primary.startswith("[PRIMARY CONTEXT - dnd_campaign]")
    assert "Tower Faction" in primary
    assert "says:" in turn.text


def test_the_lab_log_is_about_the_handbook_with_the_campaign_beside_it(ask: Ask) -> None:
    turn = ask("elena", LAB_LOG)
    probe: Any = evidence(turn, "probe")
    assert (probe["primary"], probe["supplemental"]) == ("lab_handbook", ["dnd_campaign"])
    sections = {each["name"]: each["text"] for each in turn.prompt["sections"]}
    assert sections["primary"].startswith("[PRIMARY CONTEXT - lab_handbook]")
    assert sections["supplemental"].startswith("[SUPPLEMENTAL - dnd_campaign]")
    assert evidence(turn, "persona")["slug"] == "lab-mentor"
    assert facts(turn) == []


# One character and the others


def own_words(sheet: Sheet) -> set[str]:
    """What only this sheet says: objects long enough to be nobody else's by chance."""
    return {fact.object for fact in sheet.facts if len(fact.object) >= 15}


def everything_of(turn: Turn) -> str:
    """Everything that the turn left behind, and everything that it sent and said."""
    trace = {stage.name: stage.evidence for stage in turn.stages.all()}
    return json.dumps([trace, turn.prompt, turn.text, turn.carried], ensure_ascii=False)


def test_no_turn_holds_a_fact_of_another_character(ask: Ask) -> None:
    sheets = {character.slug: character.sheet for character in Character.objects.all()}
    questions = [
        "Tell me about yourself",
        "How's your family?",
        "What do you like?",
        "Do you have any pets?",
        INFLUENCE,
    ]
    for slug in sheets:
        others = {words for other, sheet in sheets.items() if other != slug and sheet for words in own_words(sheet)}
        for question in questions:
            text = everything_of(ask(slug, question))
            assert not {words for words in others if words in text}, (slug, question)
