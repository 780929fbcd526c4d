import asyncio

from kgadmin.stores.language_model import ChatMessage, ChatRequest, Grounding, Usage
from kgadmin.stores.offline import OfflineResponder, answer, shorten

FACTS = ("I grew up in Monterey.", "My father fished for a living.")


def test_a_greeting_is_greeted_and_else_it_says_that_it_has_nothing_to_say() -> None:
    for asked in ("Hi there", "hello!", "Good morning, dear Elena", " *Hey*, you "):
        assert answer(asked, Grounding("Elena")) == "Hello, I'm Elena. What would you like to know?", asked
    for asked in ("Do you know Rust?", "His name?", "", "Hello, where is the key?", "Heyday of jazz"):
        assert answer(asked, Grounding("Elena")) == "I have nothing on that in my notes.", asked


def test_markdown_becomes_plain_lines_and_a_table_sentences() -> None:
    assert shorten("## Reef\n\n- warm\n- shallow") == "Reef warm shallow"
    table = "| | |\n| --- | --- |\n| Level | 5, since May |\n| Axe | +7 | sharp |\n\nSo it was."
    assert shorten(table) == "Level: 5, since May. Axe: +7, sharp. So it was."


def test_the_answer_arrives_word_by_word_with_its_paragraphs() -> None:
    grounding = Grounding("Elena", FACTS, (("Lab log", "Monday."),))
    request = ChatRequest((ChatMessage("user", "What?"),), grounding, max_tokens=100)

    async def pieces() -> list[str]:
        return [piece async for piece in OfflineResponder().stream(request, Usage())]

    pieces_sent = asyncio.run(pieces())
    assert "".join(pieces_sent) == answer("What?", grounding)
    assert len(pieces_sent) == 15


def test_facts_come_as_they_are_before_what_is_known_of_the_person_what_they_said_and_documents() -> None:
    grounding = Grounding(
        "Elena",
        FACTS,
        passages=(("reef.md", "Corals sleep by day."),),
        known=("Mark has a cat called Luna.",),
        recalled=(("three weeks ago", "Luna hid under the stove.", " but later, today: “She came out.”"),),
    )
    reply = answer("How's Luna?", grounding)
    assert reply.split("\n\n") == [
        " ".join(FACTS),
        "Mark has a cat called Luna.",
        "Three weeks ago you said: “Luna hid under the stove.” but later, today: “She came out.”",
        "reef.md says: Corals sleep by day.",
    ]
