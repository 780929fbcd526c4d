"""Reading an export of conversations: what it holds, and which lines can't be taken. Nothing is saved here."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath

from characters.conversations import export_formats as formats
from characters.conversations.export_formats import Document, Exported, RefusedLine
from kgadmin.rest.actions import Refused

MAX_BYTES = 20_000_000
MAX_LINES = 50_000
"""Of a file; and messages, where a line holds several."""

READERS: Mapping[str, Callable[[Iterator[tuple[int, Document]], str, datetime], Iterator[Exported | RefusedLine]]] = {
    "lines": formats.read_lines,
    "openai": formats.read_openai,
    "sillytavern": formats.read_sillytavern,
}
LABELS = {
    "lines": "One message per line",
    "openai": "One conversation per line (OpenAI)",
    "sillytavern": "SillyTavern chat",
}


@dataclass(frozen=True, slots=True)
class Export:
    """What a file holds: its messages in their order, and the lines that can't be taken."""

    format: str
    messages: tuple[Exported, ...]
    refused: tuple[RefusedLine, ...]


def read(content: bytes, name: str, now: datetime) -> Export:
    """The messages of a .jsonl file, in any of the three formats. Raises `Refused`."""
    lines = _lines(content)
    documents: list[tuple[int, Document]] = []
    refused: list[RefusedLine] = []
    for number, line in lines:
        document = _document(line)
        if isinstance(document, str):
            refused.append(RefusedLine(number, document))
        else:
            documents.append((number, document))
    if not documents:
        raise Refused("No line of the file is a JSON object. Export the chat as JSONL: one object on each line.")
    kind = next(filter(None, (formats.format_of(document) for _, document in documents)), "lines")
    messages: list[Exported] = []
    stem = PurePath(name).stem[:100] or "import"  # what a conversation is called that has no id of its own
    for item in READERS[kind](iter(documents), stem, now):
        if isinstance(item, RefusedLine):
            refused.append(item)
        else:
            messages.append(item)
    if len(messages) > MAX_LINES:
        raise Refused(f"The file has {len(messages):,} messages; at most {MAX_LINES:,} are allowed. {_SPLIT}")
    return Export(kind, tuple(messages), tuple(sorted(refused, key=lambda each: each.line)))


_SPLIT = "Split it and import the parts one after another; nothing is duplicated."


def _lines(content: bytes) -> list[tuple[int, bytes]]:
    """The lines that hold something, with their numbers."""
    if len(content) > MAX_BYTES:
        raise Refused(too_large(len(content)))
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Refused("The file is UTF-16. Save it as UTF-8, then upload it again.")
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    filled = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not filled:
        raise Refused("The file is empty. Choose the file that was exported.")
    if len(filled) > MAX_LINES:
        raise Refused(f"The file has {len(filled):,} lines; at most {MAX_LINES:,} are allowed. {_SPLIT}")
    return filled


def too_large(size: int) -> str:
    """The sentence for a file that isn't read because of its size."""
    return f"The file has {size / 1e6:.1f} MB; at most {MAX_BYTES // 1_000_000} are allowed. {_SPLIT}"


def _document(line: bytes) -> Document | str:
    """The object of a line, or why there is none."""
    try:
        document = json.loads(line.decode())
    except UnicodeDecodeError:
        return "not UTF-8 text"
    except (ValueError, RecursionError):
        return "not JSON: the line is broken or cut off"
    return document if isinstance(document, dict) else "not a JSON object"
