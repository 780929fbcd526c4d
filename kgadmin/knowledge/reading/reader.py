"""Read a file in a child process with limits, since hostile files need hours or all memory; text is read here."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from kgadmin.config import ROOT
from kgadmin.knowledge.reading.kinds import Kind, UnreadableError
from kgadmin.knowledge.reading.markdown import sections as markdown_sections
from kgadmin.knowledge.reading.sections import Section
from kgadmin.knowledge.reading.text import readable

SECONDS = 60


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: sections, and a sentence about what couldn't be."""

    sections: tuple[Section, ...]
    note: str = ""


def read(kind: Kind, content: bytes) -> Reading:
    """Return the sections of a file. Raises `UnreadableError`."""
    if kind == Kind.MARKDOWN:
        text = readable(content)
        return Reading(tuple(markdown_sections(text)) or (Section((), text),))
    if kind == Kind.TEXT:
        return Reading((Section((), readable(content)),))
    return _in_child(kind, content)


def _in_child(kind: Kind, content: bytes) -> Reading:
    command = [sys.executable, "-m", "kgadmin.knowledge.reading.child", kind.value]
    try:
        done = subprocess.run(command, input=content, capture_output=True, cwd=ROOT, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise UnreadableError(f"The file took more than {SECONDS} s to read. Split it, or save it as text.") from None
    if done.returncode:
        raise UnreadableError("The file took too much time or memory to read. Split it, or save it as text.")
    answer = json.loads(done.stdout)
    if error := answer.get("error"):
        raise UnreadableError(error)
    return Reading(tuple(_storable(*section) for section in answer["sections"]), answer["note"])


def _storable(path: Sequence[str], text: str, place: str) -> Section:
    """Return a section that every store can hold: files may have null characters and halves of characters."""
    path, text = [_plain(heading) for heading in path], _plain(text)
    return Section(tuple(path), text, place)


def _plain(text: str) -> str:
    return text.replace("\0", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
