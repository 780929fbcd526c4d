"""Whatever somebody sends: a clear refusal or a normal turn, stored as it came, shown as text, never an error page."""

import re
from html import unescape

import pytest
from django.test import Client

from characters.conversations.models import Conversation, Turn
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from tests.fixtures.talk import Lead
from tests.scripted_model import ScriptedModel
from tests.turns import answered, asked

HTMX = {"HX-Request": "true"}
BEGIN = "/playground/with/tomasz/begin/"
EMPTY = "The message is empty. Write something first."
UNSTORABLE = "The message contains a null byte or half of a character, which can't be stored. Remove it."


def assert_shown_as_text(client: Client, turn: Turn, page: str = "") -> None:
    html = client.get(f"/playground/turns/{turn.pk}/{page}").content.decode()
    shown = html.split('data-by="user">')[1].split("</div>")[0]
    assert set(re.findall(r"<(\w+)", shown)) <= {"b", "p", "br"}
    text = unescape(re.sub(r"<[^>]*>", "", shown))
    assert "".join(text.split()) == "".join((turn.conversation.person.name + turn.message.text).split())


@pytest.fixture
def offline(to_model: Lead) -> None:
    """The offline responder: it answers each message from what was assembled."""
    to_model(llm_base_url="")


@pytest.fixture
def waiting(tester: User, resting: Character) -> Turn:
    """A turn that nobody answers."""
    return asked(tester, resting)


# Refused


def test_a_message_that_cannot_be_taken_is_refused_with_a_sentence(tester_client: Client, waiting: Turn) -> None:
    say = f"/playground/conversations/{waiting.conversation.pk}/say/"
    for message, sentence in (
        ("", EMPTY),
        (" \n\t\u2003", EMPTY),
        ("a" * 8_001, "The message has 8,001 characters; at most 8,000 are allowed. Shorten it."),
        ("a\0b", UNSTORABLE),
    ):
        for path in (BEGIN, say):
            page = tester_client.post(path, {"message": message})
            fragment = tester_client.post(path, {"message": message}, headers=HTMX)
            for answer in (page, fragment):
                assert answer.status_code == 422, (path, sentence)
                assert sentence.replace("'", "&#x27;") in answer.content.decode(), path
            assert fragment["HX-Reswap"] == "none", path
            assert "<html" not in fragment.content.decode(), path
    refused = tester_client.post(BEGIN, {"message": "<i>" + "c" * 8_000})
    assert f"&lt;i&gt;{'c' * 8_000}</textarea>" in refused.content.decode(), "it is still in the composer"
    assert Turn.objects.count() == Conversation.objects.count() == 1


# Taken as they are


@pytest.mark.parametrize("step", [20, pytest.param(1, marks=pytest.mark.faults)])
def test_every_naughty_string_is_refused_or_a_normal_turn(
    tester_client: Client, offline: None, naughty_strings: list[str], step: int
) -> None:
    strings = naughty_strings[::step]
    refused = [text for text in strings if tester_client.post(BEGIN, {"message": text}).status_code != 302]
    assert all(not text.strip() for text in refused)
    turns = Turn.objects.with_trace()
    sent = [text.replace("\r\n", "\n") for text in strings if text not in refused]
    assert [new.message.text for new in turns] == sent
    for new in turns:
        assert (new.state, bool(new.text)) == ("done", True), repr(new.message.text)
        assert all(stage.status != "failed" for stage in new.stages.all()), repr(new.message.text)
        assert_shown_as_text(tester_client, new, "article/")


# What a model says is outside text as well


def test_what_a_model_says_is_never_executed(
    tester_client: Client, tester: User, model: ScriptedModel, tomasz: Character
) -> None:
    pixel, here = "![x](http://127.0.0.1:1/pixel.png)", "[here](javascript:alert(1))"
    for reply in ("<script>alert(1)</script>", pixel, here, "{{user}}"):
        model.says(reply)
        turn = answered(asked(tester, tomasz))
        assert turn.text == reply
        page = tester_client.get(f"/playground/turns/{turn.pk}/").content.decode()
        reply_html = page.split('<div class="reply"', 1)[1].split("</div>", 1)[0]
        assert not any(evil in reply_html for evil in ("<script", "<img", 'href="javascript')), reply
        assert ("{{user}}" in reply_html) == (reply == "{{user}}")


def test_a_reply_is_stored_as_it_arrived_and_what_cannot_be_is_replaced(
    tester: User, model: ScriptedModel, tomasz: Character
) -> None:
    for pieces, text in (
        (("Z̤͔ä", "\u202e", "👩‍👩", "‍👧"), "Z̤͔ä\u202e👩‍👩‍👧"),
        (("a\0b",), "a\ufffdb"),
        (("half \ud83d", " of it"), "half \ufffd of it"),
        (("A fox: \ud83e", "\udd8a!"), "A fox: \U0001f98a!"),
    ):
        model.says(*pieces)
        turn = answered(asked(tester, tomasz))
        assert (turn.state, turn.text) == ("done", text)
