"""`python -m kgadmin.knowledge.reading.child KIND < FILE`: print its sections, or an error, as JSON."""

import json
import resource
import sys
from collections.abc import Sequence
from dataclasses import astuple

from kgadmin.knowledge.reading import html, pdf, tables, word
from kgadmin.knowledge.reading.kinds import Kind, UnreadableError
from kgadmin.knowledge.reading.sections import Section
from kgadmin.knowledge.reading.text import decoded

CPU_SECONDS, MEMORY = 50, 1_000_000_000
MAX_CHARACTERS = 10_000_000


def main(kind: Kind) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        sections, note = _read(kind, sys.stdin.buffer.read())
        if sum(len(section.text) for section in sections) > MAX_CHARACTERS:
            raise UnreadableError(f"The file has more than {MAX_CHARACTERS // 1_000_000} million characters. Split it.")
        if not sections:
            raise UnreadableError("There is no text in this file.")
    except UnreadableError as error:
        print(json.dumps({"error": str(error)}))
    else:
        print(json.dumps({"sections": [astuple(section) for section in sections], "note": note}))


def _read(kind: Kind, content: bytes) -> tuple[Sequence[Section], str]:
    if kind == Kind.PDF:
        return pdf.sections(content)
    if kind == Kind.WORD:
        return word.sections(content)
    if kind == Kind.HTML:
        return list(html.sections(decoded(content, html.declared_encoding(content)))), ""
    return list(tables.csv_sections(content) if kind == Kind.CSV else tables.json_sections(content)), ""


if __name__ == "__main__":
    main(Kind(sys.argv[1]))
