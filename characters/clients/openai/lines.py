"""The messages of a request as plain lines: their texts, and what of them nobody can use."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

Role = Literal["system", "user", "assistant"]

_ROLES: Mapping[str, Role] = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}
_PARTS = {"text", "input_text", "output_text"}
_IN_BRACKETS = re.compile(r"\s*\[[^\]]+\]\s*")
_NAMES_OF_PARTS = {"image_url": "images", "input_image": "images", "input_audio": "audio"}


class ClientLine(NamedTuple):
    """A message of a request: its role and its text."""

    role: Role
    text: str
    name: str = ""


def plain_lines(messages: Sequence[Mapping[str, Any]]) -> tuple[list[ClientLine], list[str]]:
    """Return the messages that have text, and the names of what was passed over: roles, kinds of parts."""
    lines: list[ClientLine] = []
    passed_over: list[str] = []
    for message in messages:
        role, name = _ROLES.get(str(message.get("role"))), message.get("name")
        if role is None:
            passed_over.append(f"{message.get('role')} messages")
            continue
        if message.get("tool_calls") or message.get("function_call"):
            passed_over.append("tool calls")
        text = _text(message.get("content"), passed_over)
        if text.strip() or (role == "user" and message is messages[-1]):  # a picture alone isn't a wish to go on
            lines.append(ClientLine(role, text, name if isinstance(name, str) else ""))
    return _instructions_apart(lines), passed_over


def _text(content: Any, passed_over: list[str]) -> str:
    """Return the text of a message's content, its parts joined."""
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    texts: list[str] = []
    for part in content:
        kind, text = (part.get("type"), part.get("text")) if isinstance(part, Mapping) else ("text", part)
        if kind in _PARTS and isinstance(text, str):
            texts.append(text)
        else:
            passed_over.append(_NAMES_OF_PARTS.get(str(kind), str(kind)))
    return "\n".join(texts)


def _instructions_apart(lines: list[ClientLine]) -> list[ClientLine]:
    """Return the lines with those of the user that are in brackets as a whole as the program's, if the first one is.

    Programs that turn system lines into the user's, for models that know no others, begin with “[Start a new chat]”.
    """
    first = next((line for line in lines if line.role == "user"), None)
    if first is None or not _IN_BRACKETS.fullmatch(first.text) or len(lines) == 1:
        return lines
    is_ours = [line.role == "user" and bool(_IN_BRACKETS.fullmatch(line.text)) for line in lines]
    return [line._replace(role="system") if ours else line for line, ours in zip(lines, is_ours, strict=True)]
