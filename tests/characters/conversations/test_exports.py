"""Reading an export: its format, what is taken, and what is refused by which line."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from characters.conversations import exports
from characters.conversations.exports import Export, read_date
from kgadmin.rest.actions import Refused
from tests.characters.conversations.export_files import chat, jsonl, line, mes

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
NOON = datetime(2024, 7, 12, 12, 5, tzinfo=UTC)


def read(content: bytes, name: str = "talks.jsonl") -> Export:
    return exports.read(content, name, NOW)


def reasons(export: Export) -> list[tuple[int, str]]:
    return [(each.line, each.reason) for each in export.refused]


def test_our_own_lines_are_read() -> None:
    export = read(jsonl(line("Hi", at=1, person="p7", name="Ana"), line("Hello", "assistant", at=2, name="Elena")))
    first, second = export.messages
    assert export.format == "lines"
    assert (first.conversation, first.role, first.text, first.person, first.name) == ("c1", "user", "Hi", "p7", "Ana")
    assert (second.role, second.name, second.person) == ("assistant", "Elena", "")
    assert first.at == datetime(2023, 11, 14, 22, 14, 20, tzinfo=UTC)
    assert not export.refused


def test_content_is_another_word_for_text_and_a_file_without_conversations_is_one() -> None:
    (message,) = read(jsonl({"role": "user", "content": "Hi"}), "my chat.jsonl").messages
    assert (message.text, message.conversation, message.at) == ("Hi", "my chat", None)


BROKEN: list[tuple[Any, str]] = [
    (b'{"conversation": "c1", "role": "user", "te', "not JSON"),
    (b"\xff\xfe\xfa", "not UTF-8"),
    (b'["user", "Hi"]', "not a JSON object"),
    (line(""), "no text"),
    (line("x" * 8_001), "8,001 characters; at most 8,000"),
    (line("a\0b"), "a null byte"),
    (line("Hi", "wizard"), "unknown role “wizard”"),
    (line("Hi", "system"), "role “system”"),
    ({"conversation": "c1", "text": "Hi"}, "no role"),
    (line("Hi", person="p8"), "the conversation is with p7"),
]


def test_a_bad_line_is_refused_with_its_number_and_the_rest_is_taken() -> None:
    for broken, reason in BROKEN:
        export = read(jsonl(line("Hi", person="p7"), broken, line("Bye")))
        assert [each.text for each in export.messages] == ["Hi", "Bye"], reason
        ((number, message),) = reasons(export)
        assert (number, reason in message) == (2, True), (reason, message)


def test_empty_lines_count_as_lines_and_are_no_mistake() -> None:
    export = read(b"\xef\xbb\xbf" + jsonl(line("Hi")) + b"\r\n\r\n  \n" + jsonl(line("Bye")) + b"\n")
    assert [each.line for each in export.messages] == [1, 4]
    assert not export.refused


def test_a_file_that_cannot_be_read_is_refused_with_a_sentence() -> None:
    for content, message in (
        (b"", "The file is empty."),
        (b"\n \n", "The file is empty."),
        (b"not json at all", "No line of the file is a JSON object."),
        (b"\xff\xfeh\x00", "The file is UTF-16."),
        (b"{}\n" * (exports.MAX_LINES + 1), "The file has 50,001 lines; at most 50,000 are allowed."),
    ):
        with pytest.raises(Refused) as caught:
            read(content)
        assert str(caught.value).startswith(message)


def test_a_chat_of_sillytavern_is_read() -> None:
    export = read(
        chat(
            mes("Hello, stranger.", by="Elena", at="2024-7-12 @1h 31m 37s 12ms"),
            mes("Hi!", swipes=["Hi!", "Hey!"], extra={"api": "x"}),
            mes("Note", by="System", is_system=True),
            mes("I am Bo.", by="Bo"),
        )
    )
    assert export.format == "sillytavern"
    assert [(each.role, each.text, each.name) for each in export.messages] == [
        ("assistant", "Hello, stranger.", "Elena"),
        ("user", "Hi!", "Ana"),
    ]
    assert {each.conversation for each in export.messages} == {"2024-07-12@01h31m37s"}
    assert all(each.at for each in export.messages)
    assert reasons(export) == [
        (4, "hidden from the chat, or a system line"),
        (5, "said by Bo, but the chat is with Elena"),
    ]


def test_newer_chats_have_an_id_of_their_own_and_no_names() -> None:
    export = read(
        chat(
            mes("Hi!", at="2025-09-01T10:00:00.000Z"),
            mes("Hello.", by="Elena"),
            user_name="unused",
            character_name="unused",
            chat_metadata={"integrity": "0b1f-77"},
        )
    )
    assert len(export.messages) == 2
    assert {each.conversation for each in export.messages} == {"0b1f-77"}


def test_a_date_is_read_in_every_form() -> None:
    for value in (
        "2024-07-12T12:05:00Z",
        "2024-07-12T14:05:00+02:00",
        "2024-07-12 12:05",
        1720785900,
        1720785900000,
        "1720785900",
        "July 12, 2024 12:05pm",
        "July 12, 2024 12:05 PM",
        "Jul 12, 2024 12:05pm",
        "2024-07-12@12h05m00s",
        "2024-7-12 @12h 5m 0s 123ms",
    ):
        assert read_date(value, NOW) == NOON, value


def test_what_is_no_date_is_none() -> None:
    words: list[Any] = ["", "yesterday", "Smarch 1, 2024 1:00pm", "2024-13-40", "2024-99-99@99h99m99s", "9" * 60]
    numbers: list[Any] = [None, True, float("nan"), float("inf"), 10**30, -5, 0, [], {"at": 1}]
    for value in [*words, *numbers, "1969-12-31T23:59:59Z", (NOW + timedelta(days=2)).isoformat()]:
        assert read_date(value, NOW) is None, value
