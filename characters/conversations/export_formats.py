"""The three formats of an export, each as one generator of messages and refused lines."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from pydantic import TypeAdapter

from characters.conversations.services import MAX_MESSAGE
from characters.profiles.documents import is_storable

MAX_ID = 200
MAX_NAME = 100
DATES = ("at", "timestamp", "created_at", "date")
SPOKEN = {"user": "user", "human": "user", "assistant": "assistant", "character": "assistant", "bot": "assistant"}
UNSPOKEN = {"system", "developer", "tool", "function"}
EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
TOLERANCE = timedelta(days=1)
"""A clock may go ahead, and a date without a zone is taken as UTC."""
HEAD = {"user_name", "character_name", "chat_metadata", "create_date"}
"""Keys of a SillyTavern chat's first line."""

_DATE = TypeAdapter(datetime)
_TAVERN = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2}) ?@ ?(\d{1,2})h ?(\d{1,2})m ?(\d{1,2})s(?: ?\d{1,3}ms)?", re.ASCII)
"""SillyTavern: "2024-07-12@01h31m37s", older "2023-6-3 @20h 1m 22s 123ms"."""
_IN_WORDS = ("%B %d, %Y %I:%M%p", "%b %d, %Y %I:%M%p")
"""SillyTavern: "June 19, 2023 4:13pm"."""

Document = dict[str, Any]
Documents = Iterator[tuple[int, Document]]
Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Exported:
    """A message of an export. `person` is the id of the person as the export names them, `name` who said it."""

    line: int
    conversation: str
    role: Role
    text: str
    at: datetime | None
    name: str = ""
    person: str = ""


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """A line, or a part of one, that can't be taken."""

    line: int
    reason: str


class RefusalError(ValueError):
    """A line that can't be taken; the text is the reason."""


def format_of(document: Document) -> str:
    """The format that this object shows; empty where it could be of any."""
    if isinstance(document.get("messages"), list):
        return "openai"
    if "mes" in document or HEAD & document.keys():
        return "sillytavern"
    return "lines" if "role" in document else ""


def read_lines(documents: Documents, stem: str, now: datetime) -> Iterator[Exported | RefusedLine]:
    """Our own: {"conversation", "role", "text" or "content", "at"?, "person"?, "name"?} on each line."""
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
        at=_date(document, now),
        name=_label(document.get("name"), "name", MAX_NAME),
        person=_label(document.get("person"), "person", MAX_ID),
    )


def read_openai(documents: Documents, stem: str, now: datetime) -> Iterator[Exported | RefusedLine]:
    """{"messages": [{"role", "content"}, ...]} on each line.

    Without an id a conversation is known again by its first exchange, and by how many before it began so.
    """
    beginnings: Counter[str] = Counter()
    for number, document in documents:
        turns = document.get("messages")
        if not isinstance(turns, list):
            yield RefusedLine(number, "no “messages” list, unlike the other lines")
            continue
        items = list(_turns(number, turns, document, now))
        spoken = [item for item in items if isinstance(item, Exported)]
        yield from (item for item in items if isinstance(item, RefusedLine))
        try:
            conversation = _label(document.get("conversation", document.get("id")), "conversation", MAX_ID)
        except RefusalError as error:
            yield RefusedLine(number, str(error))
            continue
        if not conversation and spoken:
            beginning = _beginning(spoken)
            beginnings[beginning] += 1
            conversation = f"{beginning}-{beginnings[beginning]}"
        for message in spoken:
            yield replace(message, conversation=conversation)


def _turns(number: int, turns: Sequence[Any], document: Document, now: datetime) -> Iterator[Exported | RefusedLine]:
    shared = {key: document[key] for key in ("person", *DATES) if key in document}
    for place, turn in enumerate(turns, 1):
        try:
            if not isinstance(turn, dict):
                raise RefusalError("not a JSON object")
            yield _message(number, {**shared, **turn}, "", now)
        except RefusalError as error:
            yield RefusedLine(number, f"message {place}: {error}")


def _beginning(messages: Sequence[Exported]) -> str:
    texts = [next((each.text for each in messages if each.role == role), "") for role in ("user", "assistant")]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def read_sillytavern(documents: Documents, stem: str, now: datetime) -> Iterator[Exported | RefusedLine]:
    """A chat: perhaps a first line with names, then {name, is_user, is_system, send_date, mes} on each line.

    Of several swipes, `mes` is the one that was kept. In a group's chat one character is taken: the one whom the first
    line names, else who said most.
    """
    listed = list(documents)
    head = listed.pop(0)[1] if listed and "mes" not in listed[0][1] and HEAD & listed[0][1].keys() else {}
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
    """An id that stays when a chat grows: its own, else the date when it was started."""
    metadata = head.get("chat_metadata")
    integrity = metadata.get("integrity") if isinstance(metadata, dict) else None
    for value in (integrity, head.get("create_date")):
        if isinstance(value, str | int) and is_storable(str(value)) and 0 < len(str(value).strip()) <= MAX_ID:
            return str(value).strip()
    return ""


def _main_speaker(head: Document, documents: Sequence[tuple[int, Document]]) -> str:
    """Newer versions write "unused" for the name in the first line."""
    named = head.get("character_name")
    names = Counter(
        str(document.get("name", "")).strip()
        for _, document in documents
        if document.get("is_user") is not True and document.get("is_system") is not True
    )
    if isinstance(named, str) and named.strip() in names:
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
    if isinstance(value, list):  # OpenAI's parts: texts between pictures
        parts = [part.get("text") for part in value if isinstance(part, dict) and part.get("type") == "text"]
        value = "\n".join(part for part in parts if isinstance(part, str))
    if not isinstance(value, str) or not value.strip():
        raise RefusalError("no text")
    if len(value) > MAX_MESSAGE:
        raise RefusalError(f"{len(value):,} characters; at most {MAX_MESSAGE:,} are allowed")
    if not is_storable(value):
        raise RefusalError("a null byte or half of a character, which can't be stored")
    return value


def _label(value: object, what: str, longest: int) -> str:
    """An id or a name."""
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
    """The moment that `value` names, or None: nothing there, nothing readable, before 1990 or after `now`.

    Takes seconds and milliseconds since 1970, ISO 8601 and SillyTavern's formats. Without a zone it is UTC.
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
    """Raises `ValueError`."""
    if isinstance(value, str):
        if tavern := _TAVERN.fullmatch(value):
            year, month, day, hour, minute, second = map(int, tavern.groups())
            return datetime(year, month, day, hour, minute, second, tzinfo=UTC)
        for form in _IN_WORDS:
            with suppress(ValueError):
                return datetime.strptime(re.sub(r" (?=[AaPp][Mm]$)", "", value), form).replace(tzinfo=UTC)
    return _DATE.validate_python(value)


def _date(document: Document, now: datetime) -> datetime | None:
    return next(filter(None, (read_date(document.get(key), now) for key in DATES)), None)
