"""Requests as clients make them (tests/data/clients), played in their order against a running program."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openai import InternalServerError, OpenAI, Stream
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from characters.clients.kinds import KINDS
from characters.clients.models import ClientRequest
from characters.conversations.models import Message, Turn
from characters.memory import erasure
from characters.review import examination
from characters.review.models import Proposal
from kgadmin.accounts.models import SpeaksFor
from kgadmin.config import ROOT
from kgadmin.stores.embedder import LocalEmbedder
from tests.characters.clients.openai.conftest import MakeKey
from tests.scripted_model import ScriptedModel
from tests.turns import fresh
from tests.web import WebServer

pytestmark = pytest.mark.xdist_group("web process")

DATA = ROOT / "tests/data/clients"
DOCUMENT = ROOT / "docs/clients.md"
CLIENTS = sorted(path.name for path in DATA.iterdir())


def recorded(client: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The client's requests in their order, with the names of their actions."""
    for path in sorted((DATA / client).glob("*.json")):
        yield path.stem[3:].replace("_", " "), json.loads(Path(path).read_text())


def key_for(client: str, make_key: MakeKey) -> str:
    """A key as the page makes it for that client."""
    kind = KINDS.get(client, KINDS["script"])
    person = "Mark" if kind.speaks_for == SpeaksFor.PERSON else ""
    return make_key(speaks_for=kind.speaks_for, headers=kind.headers, person=person)


def ask(openai: OpenAI, request: dict[str, Any], *, stream: bool) -> str:
    """The reply's text, read by the official client's own parser."""
    sent: dict[str, Any] = {
        "body": request["body"] | {"stream": stream},
        "options": {"headers": request["headers"]},
    }
    if not stream:
        answer = openai.post("/chat/completions", cast_to=ChatCompletion, **sent)
        return answer.choices[0].message.content or ""
    chunks = openai.post(
        "/chat/completions", cast_to=ChatCompletion, stream=True, stream_cls=Stream[ChatCompletionChunk], **sent
    )
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def what_happened(row: ClientRequest) -> str:
    """What the client's page says of the request, in one line."""
    memory = "remembered" if row.turn_id and not row.note else "not remembered"
    passed_over = f"; passed over: {', '.join(row.passed_over)}" if row.passed_over else ""
    return f"{row.get_action_display()}; {memory}{passed_over}"


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("client", CLIENTS)
def test_requests_of_clients_are_understood(
    web: WebServer, web_model: ScriptedModel, make_key: MakeKey, client: str, *, stream: bool
) -> None:
    openai = OpenAI(base_url=f"{web.address}/v1", api_key=key_for(client, make_key), max_retries=0, timeout=30)
    document, before = DOCUMENT.read_text(), None
    for action, request in recorded(client):
        expected = request["expect"]
        if "models" in expected:
            assert [model.id for model in openai.models.list()] == expected["models"]
            continue
        web_model.says(request["model_says"])
        is_chore = expected["action"] == "chore"  # a line of the program's is one only where it isn't streamed
        assert (
            ask(openai, request, stream=request["body"].get("stream", False) if is_chore else stream)
            == request["model_says"]
        ), action
        row = ClientRequest.objects.select_related("turn__message__conversation__person").latest("pk")
        assert row.action == expected["action"], action
        assert bool(row.turn and not row.note) is expected["memory"], (action, row.note)
        assert sorted(row.passed_over) == sorted(expected.get("passed_over", [])), action
        assert f"| {client} | {action} | {what_happened(row)} |" in document, (client, action, what_happened(row))
        sent = web_model.requests[-1].body
        assert {name: sent.get(name) for name in expected.get("sent", {})} == expected.get("sent", {}), action
        if row.turn:
            turn = fresh(row.turn)
            assert turn.reply is not None
            assert turn.reply.text == expected.get("stored", request["model_says"]), action
            assert (turn.reply.place is not None) is expected["memory"], action
            if "person" in expected:
                assert turn.conversation.person.name == expected["person"], action
            if expected.get("same_conversation"):
                assert before is not None
                assert turn.conversation == before.conversation, action
            before = turn if expected["memory"] else before


def test_a_reply_that_goes_on_is_one_message_and_nothing_of_it_is_remembered_twice(
    web: WebServer, web_model: ScriptedModel, make_key: MakeKey
) -> None:
    openai = OpenAI(base_url=f"{web.address}/v1", api_key=make_key(), max_retries=0, timeout=30)
    asked = [{"role": "user", "content": "Who taught you?"}]
    for says, prefill in (("My aunt.", ""), ("Halina", "My aunt. "), (" did.", "My aunt. Halina")):
        web_model.says(says)
        history = [*asked, {"role": "assistant", "content": prefill}] if prefill else asked
        openai.chat.completions.create(model="tomasz", user="7", messages=history)  # type: ignore[arg-type]
    turn = Turn.objects.get()
    assert turn.text == "My aunt. Halina did."
    assert [(each.text, each.place) for each in Message.objects.order_by("pk")] == [
        ("Who taught you?", 1),
        ("My aunt. Halina did.", turn.reply.place if turn.reply else None),
    ]
    *_, prefill_line, nudge = web_model.requests[-1].body["messages"]
    assert prefill_line == {"role": "assistant", "content": "My aunt. Halina"}
    assert nudge["role"] == "user"


def test_what_a_program_put_into_her_mouth_is_never_remembered_as_hers(
    web: WebServer, web_model: ScriptedModel, make_key: MakeKey, embedder: LocalEmbedder
) -> None:
    openai = OpenAI(base_url=f"{web.address}/v1", api_key=make_key(), max_retries=0, timeout=30)
    asked = [{"role": "user", "content": "Where do you live?"}, {"role": "assistant", "content": "I live in Paris"}]
    for says, prefill in ((" and", "I live in Paris"), (" in Rome.", "I live in Paris and")):
        asked[-1]["content"] = prefill
        web_model.says(says)
        openai.chat.completions.create(model="tomasz", user="7", messages=asked)  # type: ignore[arg-type]
    turn = Turn.objects.get()
    assert (turn.text, turn.has_foreign_prefill) == ("I live in Paris and in Rome.", True)
    assert turn.reply is not None
    examination.examine(turn.reply)
    turn.reply.refresh_from_db()
    assert turn.reply.memory == "withheld"
    assert not Proposal.objects.exists()


def test_a_named_conversation_and_an_earlier_reply_go_on_in_their_place_and_a_failed_try_loses_nothing(
    web: WebServer, web_model: ScriptedModel, make_key: MakeKey
) -> None:
    openai = OpenAI(base_url=f"{web.address}/v1", api_key=make_key(), max_retries=0, timeout=30)
    first: list[Any] = [{"role": "user", "content": "Who taught you?"}]
    started = [*first, {"role": "assistant", "content": "My aunt"}]
    later = [*started, {"role": "user", "content": "And when?"}]
    for named in ({"X-Conversation-Id": "room 5"}, {}):
        for messages, says in ((first, "My aunt"), (later, "Long ago."), (started, " Halina.")):
            web_model.says(says)
            openai.chat.completions.create(model="tomasz", user="7", messages=messages, extra_headers=named)
    assert Turn.objects.count() == 4
    assert list(Turn.objects.order_by("pk").values_list("text", flat=True)) == ["My aunt Halina.", "Long ago."] * 2
    web_model.refuses(500).refuses(500)
    with pytest.raises(InternalServerError):
        openai.chat.completions.create(
            model="tomasz", user="7", messages=[*first, {"role": "assistant", "content": "My aunt Halina."}]
        )
    replies = Message.objects.filter(text="My aunt Halina.", conversation__outside_id="")
    assert [reply.place is not None for reply in replies] == [True]


def test_a_quiet_prompt_is_forgotten_with_its_person(
    web: WebServer, web_model: ScriptedModel, make_key: MakeKey
) -> None:
    openai = OpenAI(base_url=f"{web.address}/v1", api_key=make_key(), max_retries=0, timeout=30)
    web_model.says("She would.")
    messages: list[Any] = [
        {"role": "user", "content": "Luna barks."},
        {"role": "assistant", "content": "She may."},
        {"role": "system", "content": "[Write your next reply from the point of view of Mark.]"},
    ]
    openai.chat.completions.create(model="tomasz", user="7", messages=messages)
    row = ClientRequest.objects.get()
    assert (row.action, row.note) == ("quiet", "a quiet prompt")
    assert row.person is not None
    erasure.forget_person(row.person, by=None)
    assert not Turn.objects.exists()
    assert not ClientRequest.objects.exists()


def test_a_reply_that_was_stopped_stands_though_the_program_has_a_word_less_of_it(
    web: WebServer, web_model: ScriptedModel, make_key: MakeKey
) -> None:
    openai = OpenAI(base_url=f"{web.address}/v1", api_key=make_key(), max_retries=0, timeout=30)
    messages: list[Any] = [{"role": "user", "content": "Who taught you?"}]
    web_model.says("My aunt Halina did").says("In spring.")
    openai.chat.completions.create(model="tomasz", user="7", messages=messages)
    messages += [{"role": "assistant", "content": "My aunt Halina"}, {"role": "user", "content": "When was that?"}]
    openai.chat.completions.create(model="tomasz", user="7", messages=messages)
    first, second = Turn.objects.order_by("pk")
    assert second.message.parent == first.reply
    assert Message.objects.filter(place=None).count() == 0
