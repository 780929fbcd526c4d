"""What comes to mind, what stays silent, and what is learned: whole turns of the demo's people on real engines."""

from typing import Any

import pytest

from characters.conversations.models import Person, Turn
from characters.memory.models import UserFact
from characters.profiles.models import Character
from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from kgadmin.projection import services as projection
from tests.engines.worlds import Ask
from tests.turns import evidence

NAMING = (
    "How's Luna doing in the cold?",
    "Luna knocked the plant over again",
    "My dad rang this morning",
    "I drove past the Lantern Theatre",
    "It rains in Seattle, as always",
    "My sister sent a parcel",
    "Hannah is visiting on Sunday",
    "We had fish tacos at the pier",
    "I went swimming before work",
    "Rory did the lake again",
    "There was a talk on ocean conservation",
    "Walt repainted the name on the bow",
    "My cat is asleep on the amplifier",
    "I soldered a new cable with my soldering iron",
    "Luna's new trick: opening the fridge",
    "Dad's knee is better",
)
"""Messages of Mark's that name something the graph knows of him; none of them asks."""

SILENT = (
    "Hi there!",
    "Thanks, that was lovely",
    "It's raining again here",
    "I had a sandwich",
    "Tell me a joke",
    "There is a lunar eclipse next week",
    "He planned it badly",
    "Somebody parked in my spot",
)
"""Messages in which nothing is named that the graph knows of Mark."""


def used(turn: Turn, stage: str) -> list[dict[str, Any]]:
    result: Any = evidence(turn, stage).get("used", [])
    return list(result)


def sentences(turn: Turn, stage: str) -> list[str]:
    return [each["sentence"] for each in used(turn, stage)]


def section(turn: Turn, name: str) -> str:
    return next((each["text"] for each in turn.prompt["sections"] if each["name"] == name), "")


def test_marks_cat_comes_to_mind_in_natural_words(ask: Ask) -> None:
    turn = ask("elena", "How's Luna doing in the cold?", "Mark")
    (luna,) = used(turn, "ambient")
    assert luna["sentence"].startswith("Mark has a cat called Luna")
    assert luna["score"] >= 0.5
    assert "HAS_PET" not in section(turn, "connections")
    assert "These came to mind by themselves" in section(turn, "connections")
    assert any("gets stiff in the cold" in each["text"] for each in used(turn, "memory"))


def test_half_of_what_names_something_known_has_ambient_context(ask: Ask) -> None:
    result = {message: bool(used(ask("elena", message, "Mark"), "ambient")) for message in NAMING}
    share = sum(result.values()) / len(result)
    print(f"ambient context in {share:.0%} of {len(result)} turns that name something known")
    assert share >= 0.5, [message for message, has in result.items() if not has]


@pytest.mark.parametrize("message", SILENT)
def test_what_names_nothing_known_stays_silent(ask: Ask, message: str) -> None:
    turn = ask("elena", message, "Mark")
    assert sentences(turn, "ambient") == []
    assert not evidence(turn, "user_facts").get("used")


def test_tell_me_about_myself_answers_from_marks_facts(ask: Ask) -> None:
    turn = ask("elena", "Tell me about myself", "Mark")
    assert {"Mark lives in Seattle.", "Mark works as a sound engineer."} <= set(sentences(turn, "user_facts"))
    assert "You and Mark have ocean conservation in common." in section(turn, "memory")
    assert "Mark lives in Seattle." in turn.text


def test_both_families_values_are_there_and_told_apart(ask: Ask) -> None:
    turn = ask("elena", "Your family values vs. my family values", "Mark")
    assert "Mark values family." in section(turn, "memory")
    assert "My father is a commercial fisherman" in section(turn, "background")
    assert "Mark" not in section(turn, "background")


def test_a_wish_that_was_taken_back_comes_with_its_correction(ask: Ask) -> None:
    turn = ask("elena", "Should I go to yoga for my back?", "Mark")
    shown = section(turn, "memory")
    assert "I want to start yoga" in shown
    assert "I changed my mind, no yoga" in shown
    assert not UserFact.objects.current().filter(person__name="Mark", predicate="WANTS", text__contains="yoga").exists()


def test_what_is_told_is_learned_with_evidence_and_used_in_the_next_turn(ask: Ask) -> None:
    shown = ask("elena", "I've moved to Portland, and Luna got a brother called Sol", "Noor", live=True)
    for job in Job.objects.open():
        runner.run(job.pk)
    while projection.sweep():
        continue
    noor = Person.objects.get(name="Noor")
    elena = Character.objects.get(slug="elena")
    facts = UserFact.objects.of(noor.pk, elena.pk)
    of_noor = facts.filter(subject=None)
    portland = of_noor.current().get(predicate="LIVES_IN")
    assert portland.text == "Portland"
    assert [str(each) for each in portland.evidence.all()] == ["Portland"]
    assert portland.evidence.get().message_id == shown.message_id
    toronto = of_noor.get(predicate="LIVES_IN", text="Toronto")
    assert (toronto.state, toronto.closed_at) == ("closed", shown.message.at)
    assert facts.current().get(predicate="HAS_BROTHER", subject__name="Luna").object.name == "Sol"
    asked = ask("elena", "What is Luna's brother called?", "Noor")
    assert "Luna's brother is Sol." in str(asked.prompt)
    assert "Noor lives in Portland." in sentences(ask("elena", "Where do I live?", "Noor"), "user_facts")
    again = ask("elena", "Sol is afraid of the hoover", "Noor")
    assert sentences(again, "ambient") == ["Luna's brother is Sol."]
