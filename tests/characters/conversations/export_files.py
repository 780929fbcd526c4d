"""Exports for tests: small ones by hand, large ones with broken lines in them."""

import json
from typing import Any

START = 1_700_000_000


def jsonl(*documents: Any) -> bytes:
    """One line each; what is bytes stays as it is."""
    return b"\n".join(each if isinstance(each, bytes) else json.dumps(each).encode() for each in documents)


def line(text: str, role: str = "user", at: int | str | None = None, **more: Any) -> dict[str, Any]:
    """A line of our own format; `at` a number of minutes after a beginning."""
    moment = START + at * 60 if isinstance(at, int) else at
    return {"conversation": "c1", "role": role, "text": text} | ({} if at is None else {"at": moment}) | more


def talk(count: int, conversation: str = "c1", **more: Any) -> list[dict[str, Any]]:
    """A conversation of so many messages, by turns of both sides."""
    return [
        line(f"{conversation} says {place}", ("user", "assistant")[place % 2], place, conversation=conversation, **more)
        for place in range(count)
    ]


def chat(*messages: dict[str, Any], **head: Any) -> bytes:
    """A chat of SillyTavern."""
    first = {"user_name": "Ana", "character_name": "Elena", "create_date": "2024-07-12@01h31m37s"} | head
    return jsonl(first, *messages)


def mes(text: str, *, by: str = "Ana", at: Any = "July 12, 2024 1:31am", **more: Any) -> dict[str, Any]:
    """A line of such a chat."""
    return {"name": by, "is_user": by == "Ana", "is_system": False, "send_date": at, "mes": text, **more}
