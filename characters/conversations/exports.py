"""Read an export of conversations, in either format: its messages, and the lines that are refused."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import PurePath
from typing import Any, Literal

from pydantic import TypeAdapter

from characters.conversations.services import MAX_MESSAGE
from characters.profiles.documents import is_storable
from kgadmin.rest.actions import Refused

MAX_BYTES = 20_000_000
MAX_LINES = 50_000
SPLIT = "Split it and import the parts one after another; nothing is duplicated."
MAX_ID = 200
MAX_NAME = 100
DATES = ("at", "timestamp", "created_at", "date")
SPOKEN = {"user": "user", "human": "user", "assistant": "assistant", "character": "assistant", "bot": "assistant"}
UNSPOKEN = {"system", "developer", "tool", "function"}
EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
TOLERANCE = timedelta(days=1)
"""Tolerance for dates in the future: a clock may be ahead, and a date without a zone is taken as UTC."""
HEAD = {"user_name", "character_name", "chat_metadata", "create_date"}
"""Keys of a SillyTavern chat's first line."""

_DATE = TypeAdapter(datetime)
_TAVERN = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2}) ?@ ?(\d{1,2})h ?(\d{1,2})m ?(\d{1,2})s(?: ?\d{1,3}ms)?", re.ASCII)
"""SillyTavern: "2024-07-12@01h31m37s", older "2023-6-3 @20h 1m 22s 123ms"."""
_IN_WORDS = ("%B %d, %Y %I:%M%p", "%b %d, %Y %I:%M%p")
"""SillyTavern: "June 19, 2023 4:13pm"."""

Document = dict[str, Any]
Documents = Sequence[tuple[int, Document]]
Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Exported:
    """A message of an export. `person` is the person's id in the export, `name` the speaker's."""

    line: int
    conversation: str
    role: Role
    text: str
    at: datetime | None
    name: str = ""
    person: str = ""


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """A line that is refused."""

    line: int
    reason: str


class RefusalError(ValueError):
    """A refused line; the text is the reason."""


def format_of(document: Document) -> str:
    """Return the format that this object shows, or empty if it could be either."""
    if "mes" in document or HEAD & document.keys():
        return "sillytavern"
    return "lines" if "role" in document else ""


def read_lines(documents: Documents, stem: str, now: datetime) -> Iterator[Exported | RefusedLine]:
    """Read our own format: {"conversation", "role", "text" or "content", "at"?, "person"?, "name"?} on each line."""
    whose: dict[str, str] = {}
    for number, document in documents:
        try:
            message = _message(number, document, stem, now)
            of = whose.setdefault(message.conversation, message.person) or message.person
            whose[message.conversation] = of
            if message.person and message.person != of:
                raise RefusalError(f"the conversation is with {of}, but this line is from {message.person}")
        except RefusalError as error:
            yield RefusedLine(number, str(error))
        else:
            yield message


def _message(number: int, document: Document, stem: str, now: datetime) -> Exported:
    return Exported(
        line=number,
        conversation=_label(document.get("conversation"), "conversation", MAX_ID) or stem,
        role=_role(document.get("role")),
        text=_text(document.get("text") or document.get("content")),
        at=next(filter(None, (read_date(document.get(key), now) for key in DATES)), None),
        name=_label(document.get("name"), "name", MAX_NAME),
        person=_label(document.get("person"), "person", MAX_ID),
    )


def read_sillytavern(documents: Documents, stem: str, now: datetime) -> Iterator[Exported | RefusedLine]:
    """Read a chat: optionally a first line with names, then {name, is_user, is_system, send_date, mes} on each line.
    Of a group's chat one character is read: the one named by the first line, else the one with most messages.
    """
    first = documents[0][1]
    head = first if "mes" not in first and HEAD & first.keys() else {}
    listed = documents[1:] if head else documents
    conversation = _chat_id(head) or stem
    character = _main_speaker(head, listed)
    for number, document in listed:
        try:
            yield _chat_message(number, document, conversation, character, now)
        except RefusalError as error:
            yield RefusedLine(number, str(error))


def _chat_message(number: int, document: Document, conversation: str, character: str, now: datetime) -> Exported:
    if document.get("is_system") is True:
        raise RefusalError("hidden from the chat, or a system line")
    by_user = document.get("is_user") is True
    name = _label(document.get("name"), "name", MAX_NAME)
    if not by_user and character and name and name != character:
        raise RefusalError(f"said by {name}, but the chat is with {character}")
    return Exported(
        line=number,
        conversation=conversation,
        role="user" if by_user else "assistant",
        text=_text(document.get("mes")),
        at=read_date(document.get("send_date"), now),
        name=name,
    )


def _chat_id(head: Document) -> str:
    """Return an id that stays when a chat grows: its own, else the date when it started."""
    metadata = head.get("chat_metadata")
    integrity = metadata.get("integrity") if isinstance(metadata, dict) else None
    for value in (integrity, head.get("create_date")):
        if isinstance(value, str | int) and is_storable(str(value)) and 0 < len(str(value).strip()) <= MAX_ID:
            return str(value).strip()
    return ""


def _main_speaker(head: Document, documents: Documents) -> str:
    named = head.get("character_name")
    names = Counter(
        str(document.get("name", "")).strip()
        for _, document in documents
        if document.get("is_user") is not True and document.get("is_system") is not True
    )
    if isinstance(named, str) and named.strip() in names:  # newer versions write "unused" for it
        return named.strip()
    return names.most_common(1)[0][0] if names else ""


def _role(value: object) -> Role:
    role = value.strip().lower() if isinstance(value, str) else ""
    if role in UNSPOKEN:
        raise RefusalError(f"role “{role}”: said by neither side")
    if role not in SPOKEN:
        raise RefusalError(f"unknown role “{role[:40]}”" if role and is_storable(role) else "no role")
    return SPOKEN[role]  # type: ignore[return-value]


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise RefusalError("no text")
    if len(value) > MAX_MESSAGE:
        raise RefusalError(f"{len(value):,} characters; at most {MAX_MESSAGE:,} are allowed")
    if not is_storable(value):
        raise RefusalError("a null byte or half of a character, which can't be stored")
    return value


def _label(value: object, what: str, longest: int) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise RefusalError(f"“{what}” isn't text")
    label = str(value).strip()
    if len(label) > longest:
        raise RefusalError(f"“{what}” has more than {longest} characters")
    if not is_storable(label):
        raise RefusalError(f"“{what}” contains a null byte or half of a character")
    return label


def read_date(value: object, now: datetime) -> datetime | None:
    """Return a moment written as seconds or milliseconds since 1970, ISO 8601 (UTC without a zone) or as SillyTavern
    does. None if it is unreadable, before 1990, or after `now`.
    """
    if isinstance(value, bool):
        return None
    try:
        moment = _parsed(value.strip() if isinstance(value, str) else value)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC) if EARLIEST <= moment <= now + TOLERANCE else None


def _parsed(value: object) -> datetime:
    if isinstance(value, str):
        if tavern := _TAVERN.fullmatch(value):
            year, month, day, hour, minute, second = map(int, tavern.groups())
            return datetime(year, month, day, hour, minute, second, tzinfo=UTC)
        for form in _IN_WORDS:
            with suppress(ValueError):
                return datetime.strptime(re.sub(r" (?=[AaPp][Mm]$)", "", value), form).replace(tzinfo=UTC)
    return _DATE.validate_python(value)


LABELS = {"lines": "One message per line", "sillytavern": "SillyTavern chat"}


@dataclass(frozen=True, slots=True)
class Export:
    """The contents of a file: its messages in order, and the refused lines."""

    format: str
    messages: tuple[Exported, ...]
    refused: tuple[RefusedLine, ...]


def read(content: bytes, name: str, now: datetime) -> Export:
    """Read the messages of a .jsonl file, in either format. Raises `Refused`."""
    objects = [(number, _document(line)) for number, line in _lines(content)]
    documents = [(number, document) for number, document in objects if isinstance(document, dict)]
    if not documents:
        raise Refused("No line of the file is a JSON object. Export the chat as JSONL: one object on each line.")
    kind = next(filter(None, (format_of(document) for _, document in documents)), "lines")
    stem = PurePath(name).stem[:100] or "import"  # what a conversation is called that has no id of its own
    items = list((read_lines if kind == "lines" else read_sillytavern)(documents, stem, now))
    refused = [item for item in items if isinstance(item, RefusedLine)]
    refused += [RefusedLine(number, reason) for number, reason in objects if isinstance(reason, str)]
    messages = tuple(item for item in items if isinstance(item, Exported))
    return Export(kind, messages, tuple(sorted(refused, key=lambda each: each.line)))


def _lines(content: bytes) -> list[tuple[int, bytes]]:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Refused("The file is UTF-16. Save it as UTF-8, then upload it again.")
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    filled = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not filled:
        raise Refused("The file is empty. Choose the file that was exported.")
    if len(filled) > MAX_LINES:
        raise Refused(f"The file has {len(filled):,} lines; at most {MAX_LINES:,} are allowed. {SPLIT}")
    return filled


def _document(line: bytes) -> Document | str:
    try:
        document = json.loads(line.decode())
    except UnicodeDecodeError:
        return "not UTF-8 text"
    except (ValueError, RecursionError):
        return "not JSON: the line is broken or cut off"
    return document if isinstance(document, dict) else "not a JSON object"
