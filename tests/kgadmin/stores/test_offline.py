import asyncio

import pytest

from kgadmin.stores.errors import StoreError
from kgadmin.stores.language_model import ChatMessage, ChatRequest, CompletionRequest, Grounding, Usage
from kgadmin.stores.offline import PASSAGE_CHARACTERS, OfflineResponder, answer, shorten

FACTS = ("I grew up in Monterey.", "My father fished for a living.")


def test_facts_are_said_as_they_are() -> None:
    assert answer("How's your family?", Grounding("Elena", FACTS)) == " ".join(FACTS)


def test_documents_are_quoted_by_name_behind_the_facts() -> None:
    said = answer("What happened?", Grounding("Elena", FACTS, (("Lab log", "The sheet was updated on Monday."),)))
    assert said.split("\n\n") == [" ".join(FACTS), "Lab log says: The sheet was updated on Monday."]


@pytest.mark.parametrize("asked", ["Hi there", "hello!", "Good morning, dear Elena", " *Hey*, you "])
def test_a_greeting_is_greeted(asked: str) -> None:
    assert answer(asked, Grounding("Elena")) == "Hello, I'm Elena. What would you like to know?"


@pytest.mark.parametrize("asked", ["Do you know Rust?", "His name?", "", "Hello, where is the key?", "Heyday of jazz"])
def test_with_nothing_to_say_it_says_so(asked: str) -> None:
    assert answer(asked, Grounding("Elena")) == "I have nothing on that in my notes."


def test_a_long_passage_ends_with_a_sentence() -> None:
    short = shorten("Dr. Smith dived at dawn. " * 40)
    assert short.endswith("Dr. Smith dived at dawn.")
    assert 300 < len(short) <= PASSAGE_CHARACTERS


def test_a_first_sentence_that_is_too_long_is_cut_between_words() -> None:
    assert shorten("reef " * 200, 20) == "reef reef reef reef…"


def test_markdown_becomes_plain_lines() -> None:
    assert shorten("## Reef\n\n- warm\n- shallow") == "Reef warm shallow"


def test_a_table_becomes_sentences() -> None:
    table = "| | |\n| --- | --- |\n| Level | 5, since May |\n| Axe | +7 | sharp |\n\nSo it was."
    assert shorten(table) == "Level: 5, since May. Axe: +7, sharp. So it was."


def test_the_answer_arrives_word_by_word() -> None:
    request = ChatRequest((ChatMessage("user", "Hi"),), Grounding("Elena", FACTS), max_tokens=100)

    async def pieces() -> list[str]:
        return [piece async for piece in OfflineResponder().stream(request, Usage())]

    heard = asyncio.run(pieces())
    assert "".join(heard) == " ".join(FACTS)
    assert len(heard) == 11


def test_paragraphs_survive_the_stream() -> None:
    grounding = Grounding("Elena", FACTS, (("Lab log", "Monday."),))
    request = ChatRequest((ChatMessage("user", "What?"),), grounding, max_tokens=100)

    async def whole() -> str:
        return "".join([piece async for piece in OfflineResponder().stream(request, Usage())])

    assert asyncio.run(whole()) == answer("What?", grounding)


def test_it_judges_nothing() -> None:
    request = CompletionRequest((ChatMessage("user", "Is this true?"),), "verdict", {"type": "object"}, max_tokens=10)
    responder = OfflineResponder()
    assert not responder.judges
    with pytest.raises(StoreError, match="No language model is connected") as failed:
        responder.complete(request)
    assert not failed.value.retryable


def test_what_is_known_of_the_person_and_what_they_said_comes_before_documents() -> None:
    grounding = Grounding(
        "Elena",
        passages=(("reef.md", "Corals sleep by day."),),
        known=("Mark has a cat called Luna.",),
        recalled=(("three weeks ago", "Luna hid under the stove."),),
    )
    said = answer("How's Luna?", grounding)
    assert said.split("\n\n") == [
        "Mark has a cat called Luna.",
        "Three weeks ago you said: “Luna hid under the stove.”",
        "reef.md says: Corals sleep by day.",
    ]
