"""Labelled messages: typed, from a CSV file, or from a real turn."""

import hashlib
from collections.abc import Iterator, Sequence

from django.db import transaction

from characters.conversations.access import turn_for
from characters.conversations.models import Turn
from kgadmin.accounts.models import User
from kgadmin.knowledge.models import KnowledgeBase, KnowledgeBaseQuerySet
from kgadmin.knowledge.reading.tables import csv_rows
from kgadmin.rest.actions import Refused
from playground.routing.forms import NO_BASE, LabelIn
from playground.routing.models import MAX_TEXT, Label

MAX_BYTES, MAX_ROWS = 1_000_000, 2_000
HEADERS = {"message", "text", "question"}
"""First words of a first line that names the columns."""


def save(text: str, base: KnowledgeBase | None, *, by: User | None, turn: Turn | None = None) -> Label:
    """Label a message, anew if it has a label. `turn` is the real turn that it comes from; a label that was typed
    stays so, and isn't forgotten with anybody's talk.
    """
    text = " ".join(text.split())[:MAX_TEXT]
    if not text:
        raise Refused("Enter the message.", field="text")
    key = hashlib.sha256(text.casefold().encode()).hexdigest()
    defaults: dict[str, object] = {"text": text, "base": base, "created_by": by}
    if turn and not Label.objects.filter(key=key, message=None).exists():
        defaults |= {"message": turn.message, "chosen": _chosen_by(turn)}
    return Label.objects.update_or_create(key=key, defaults=defaults)[0]


def save_from(asked: LabelIn, bases: KnowledgeBaseQuerySet, *, by: User) -> Label:
    """Label what was typed, or a turn's message. 404 for a turn that the user may not read; raises `Refused`."""
    turn = turn_for(by, asked.turn) if asked.turn else None
    return save(turn.message.text if turn else asked.text, base_named(asked.base, bases), by=by, turn=turn)


def _chosen_by(turn: Turn) -> str:
    evidence = turn.stages.filter(name="probe").values_list("evidence", flat=True).first() or {}
    return str(evidence.get("primary") or "")


def base_named(name: str, bases: KnowledgeBaseQuerySet) -> KnowledgeBase | None:
    """Return the base of this slug or title, None for "none". Raises `Refused` for any other."""
    asked = name.strip().casefold()
    slugs = {title.casefold(): slug for slug, title in bases.names().items()}
    base = bases.filter(slug=slugs.get(asked, name.strip())).first()
    if base is None and asked in {"", NO_BASE}:
        return None
    if base is None:
        raise Refused(f"There is no knowledge base “{name.strip()[:60]}”. Use its short name, its title, or “none”.")
    return base


def import_csv(content: bytes, bases: KnowledgeBaseQuerySet, *, by: User | None) -> int:
    """Label the messages of a CSV file (message, base) and return how many; all or none. Raises `Refused`."""
    if len(content) > MAX_BYTES:
        raise Refused(f"The file is too large: it may have {MAX_BYTES // 1_000_000} MB.", status=413)
    rows = list(_rows(content))
    if not rows:
        raise Refused("There is no message in this file.")
    if len(rows) > MAX_ROWS:
        raise Refused(f"These are {len(rows)} rows; at most {MAX_ROWS} can be added together.")
    labelled: dict[str, tuple[int, KnowledgeBase | None]] = {}
    with transaction.atomic():
        for line, cells in rows:
            try:
                label = save(cells[0], base_named(cells[1], bases), by=by)
                first, base = labelled.setdefault(label.key, (line, label.base))
                if base != label.base:
                    raise Refused(f"Line {first} has the same message with another base.")
            except Refused as error:
                raise Refused(f"Line {line}: {error} Nothing was added.") from None
    return len(rows)


def _rows(content: bytes) -> Iterator[tuple[int, Sequence[str]]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused("The file isn't UTF-8 text. Save it as CSV with UTF-8 encoding.") from None
    rows = [(line, cells) for line, cells in csv_rows(text) if any(cells)]
    if rows and rows[0][1][0].strip().casefold() in HEADERS:
        del rows[0]
    for line, cells in rows:
        if len(cells) < 2:
            raise Refused(f"Line {line} has one column; there must be two: the message, and its base.")
        if len(cells[0]) > MAX_TEXT:
            raise Refused(f"Line {line} has a message of more than {MAX_TEXT:,} characters. Shorten it.")
        yield line, [cell.replace("\0", "") for cell in cells]
