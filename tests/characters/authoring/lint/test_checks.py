"""What a sheet says twice or against itself, told by predicates and words."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from characters.authoring.drafts.services import Edit
from characters.authoring.lint import checks
from characters.authoring.lint.checks import LEAST_TURNS, FactUse, fact_use_since, never_used
from characters.authoring.lint.findings import Finding
from characters.conversations.models import Conversation, Message, Stage, Turn, TurnMetrics
from characters.conversations.services import start_conversation
from characters.domain.sheet import Fact, Persona, Predicate
from kgadmin.accounts.models import User
from tests.characters.profiles.sheets import character, sheet
from tests.fixtures.talk import PREDICATES

REGISTRY = {row["name"]: Predicate(**row) for row in json.loads(PREDICATES.read_text())}


def contradictions(*facts: tuple[str, str]) -> list[Finding]:
    return list(checks.contradictions(sheet(*facts), REGISTRY))


Row = tuple[str, str]
AGAINST: list[tuple[Row, Row, str]] = [
    (("HAS_AGE", "26"), ("HAS_AGE", "27"), "HAS_AGE can have only one value, but the draft has “26” and “27”."),
    (("LIKES", "coffee"), ("DISLIKES", "Coffee"), "LIKES and DISLIKES both say “coffee”."),
    (
        ("HAS_SISTER", "Maren, a welder"),
        ("NOTE", "I don't have a sister"),
        "“My sister is Maren, a welder.” and “I don't have a sister.” contradict each other.",
    ),
    (
        ("NOTE", "I was born in Paris"),
        ("BORN_IN", "Berlin"),
        "BORN_IN can have only one value, but the sheet says “I was born in Paris” and “Berlin”.",
    ),
    (
        ("LOVES", "the sea"),
        ("NOTE", "I hate the sea"),
        "LOVES “the sea” and “I hate the sea” contradict each other.",
    ),
    (
        ("NOTE", "I can not drive"),
        ("NOTE", "I drive a taxi"),
        "“I can not drive.” and “I drive a taxi.” contradict each other.",
    ),
]


def test_a_contradiction_is_told_with_a_fix_for_either_side() -> None:
    for first, second, expected in AGAINST:
        (finding,) = contradictions(first, second, ("LIKES", "fog"))
        assert (finding.kind, finding.sentence, finding.facts) == ("contradiction", expected, ("f1", "f2"))
        assert finding.is_contradiction, expected
        assert [fix.edits for fix in finding.fixes] == [(Edit("fact:f2", None),), (Edit("fact:f1", None),)], expected


BOTH_TRUE: list[tuple[Row, Row]] = [
    (("HAS_BROTHER", "Tom"), ("HAS_BROTHER", "Tim")),
    (("LIKES", "coffee"), ("LOVES", "coffee")),
    (("NOTE", "I never swim"), ("NOTE", "I never fly")),
    (("HAS_AGE", "26"), ("FAVORITE_NUMBER", "27")),
    (("LIKES", "fish"), ("DISLIKES", "fish markets")),
    (("LIKES", "the hour before dawn"), ("DISLIKES", "the hour before lunch")),
    (("DISLIKES", "people"), ("LIKES", "people who listen")),
    (("DISLIKES", "the sound of rain"), ("LIKES", "the sound of the sea")),
    (("NOTE", "I have no boat"), ("LIKES", "sitting in a boat")),
    (("NOTE", "I never swim alone"), ("ENJOYS", "to swim with seals")),
    (("NOTE", "I don't drink coffee after noon"), ("NOTE", "I drink coffee in the morning")),
    (("LOVES", "the sea"), ("NOTE", "I hate the sea in winter")),
    (("LIKES", "coffee"), ("DISLIKES", "coffee after noon")),
    (("NOTE", "I don't drink wine"), ("NOTE", "I used to drink wine")),
    (("NOTE", "I have no job"), ("FIRST_JOB", "waiter")),
    (("NOTE", "I was born in Kreuzberg"), ("BORN_IN", "Berlin")),
    (("NOTE", "I was born in Germany"), ("BORN_IN", "Berlin")),
    (("NOTE", "My brother is not like me"), ("HAS_BROTHER", "Tom")),
    (("NOTE", "I don't always drive"), ("DRIVES", "a taxi")),
]


def test_what_may_both_be_true_is_no_contradiction() -> None:
    assert [(one, other) for one, other in BOTH_TRUE if contradictions(one, other)] == []


def test_keeping_one_fact_keeps_the_questions_of_the_others() -> None:
    facts = (Fact("a", "HAS_AGE", "26", ("Are you old?",)), Fact("b", "HAS_AGE", "27", ("Your age?",)))
    (finding,) = checks.single_valued(facts, REGISTRY)
    keep = finding.fixes[0]
    assert keep.label == "Keep “26”"
    merged = {"id": "a", "predicate": "HAS_AGE", "object": "26", "questions": ["Are you old?", "Your age?"]}
    assert keep.edits == (Edit("fact:a", merged), Edit("fact:b", None))


def test_a_fact_that_the_identity_text_states_is_told_with_its_sentence() -> None:
    shown = sheet(
        ("IS_A", "lighthouse keeper"), ("LIKES", "sea glass"), ("HATES", "fog"),
        identity="You are Ann, a lighthouse keeper. You love sea glass. Would you hate fog?",
    )  # fmt: skip
    findings = list(checks.repeated_identity(shown, REGISTRY))
    assert [each.facts for each in findings] == [("f1",), ("f2",)]
    assert "“You love sea glass.”" in findings[1].sentence
    assert findings[1].fixes[0].edits == (Edit("fact:f2", None),)


def test_a_persona_whose_base_is_gone_can_lose_it() -> None:
    day = Persona("day", "By day", "Be brief.", ("sea_notes", "gone"), ("ship",), default=True)
    (finding,) = checks.missing_bases(sheet(personas=(day, Persona("night", "By night", "Low."))), {"sea_notes"})
    assert finding.sentence == "By day uses the base “gone”, which doesn’t exist."
    assert finding.is_contradiction
    (edit,) = finding.fixes[0].edits
    assert (edit.part, edit.value["bases"], edit.value["keywords"]) == ("persona:day", ["sea_notes"], ["ship"])


def test_facts_that_no_turn_used_are_told_once_there_were_enough_turns() -> None:
    shown = sheet(("LIKES", "fog"), ("LIKES", "rain"), ("LIKES", "snow"))
    use = FactUse(LEAST_TURNS, {"f1": 3})
    (finding,) = never_used(shown, use, live={"f1", "f2"})
    assert finding.sentence == "LIKES “rain” was used in none of the last 30 turns that used facts."
    assert list(never_used(shown, FactUse(LEAST_TURNS - 1), live={"f1", "f2"})) == []


LONG_AGO = timezone.now() - timedelta(days=365)


@pytest.fixture
def conversation(tester: User) -> Conversation:
    return start_conversation(character=character(), by=tester)


def say(conversation: Conversation, *facts: str, live: bool = True, status: str = "ok") -> Turn:
    """A turn whose background stage used these facts."""
    message = Message.objects.create(conversation=conversation, role="user", text="Hi")
    turn = Turn.objects.create(message=message, key=f"k{message.pk}", state="done")
    evidence = {"used": [{"id": each, "score": 0.9} for each in facts]}
    Stage.objects.create(
        turn=turn, position=1, name="background", status=status, started_ms=0, elapsed_ms=1, evidence=evidence
    )
    if live:
        TurnMetrics.objects.create(turn=turn, hour=1)
    return turn


def test_each_fact_is_counted_in_the_live_turns_that_used_any(conversation: Conversation) -> None:
    say(conversation, "f1", "f2")
    say(conversation, "f1")
    say(conversation)
    say(conversation, "f1", live=False)
    say(conversation, "f1", status="failed")
    old = say(conversation, "f1")
    Turn.objects.filter(pk=old.pk).update(created_at=LONG_AGO - timedelta(days=1))
    use = fact_use_since(conversation.character_id, LONG_AGO)
    assert (use.turns, use.counts) == (2, {"f1": 2, "f2": 1})
    assert fact_use_since(conversation.character_id + 1, LONG_AGO).turns == 0
