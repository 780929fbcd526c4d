"""Vectors of a sheet's texts: one blob per revision and one per draft, made once.

A draft's vectors are made while it is edited, and a revision takes over those of the draft and of the revision before,
so publishing finds them ready. Missing ones are made and saved in parts: interrupted work isn't repeated.
"""

import io
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from django.db.models.functions import Length
from numpy.typing import NDArray

from characters.domain.facts import all_texts
from characters.domain.sheet import Sheet
from characters.profiles.models import Character, Draft, LearnedFact, Predicate, Revision
from kgadmin.projection.services import Renew, no_lease
from kgadmin.stores import wiring

TextVectors = dict[str, NDArray[np.float32]]
Version = tuple[tuple[int, int, str], ...]
Row = Revision | Draft | LearnedFact

PART = 512
"""Texts that are embedded and saved at once."""


def read(row: Row) -> TextVectors:
    """Return the vectors by text; empty if they aren't today's embedder's."""
    embedder = wiring.embedder()
    if not row.vectors or embedder.state == "down" or row.embedder != embedder.id:
        return {}
    with np.load(io.BytesIO(row.vectors), allow_pickle=False) as stored:
        return dict(zip(_texts_in(stored), stored["vectors"], strict=True))


def read_before(revision: Revision) -> TextVectors:
    """Return the vectors of the newest earlier revision that has some, and of the draft, by text."""
    earlier = revision.character.revisions.filter(number__lt=revision.number, vectors__isnull=False).first()
    draft = Draft.objects.filter(character_id=revision.character_id, vectors__isnull=False).first()
    return {**(read(earlier) if earlier else {}), **(read(draft) if draft else {})}


def read_learned(facts: Iterable[LearnedFact]) -> TextVectors:
    """Return the vectors of learned facts."""
    return {text: vector for fact in facts for text, vector in read(fact).items()}


def version(character: int, revision: int | None = None) -> Version:
    """Return a value that changes with the vectors of draft, learned facts and the newest two revisions.

    Later revisions than `revision` don't count. Reads sizes, not vectors.
    """
    rows = Revision.objects.filter(character_id=character, vectors__isnull=False)
    rows = rows if revision is None else rows.filter(number__lte=revision)
    drafts = Draft.objects.filter(character_id=character, vectors__isnull=False)
    learned = LearnedFact.objects.active().filter(character_id=character, vectors__isnull=False)
    return (
        *rows.values_list("number", Length("vectors"), "embedder")[:2],
        *drafts.values_list("pk", Length("vectors"), "embedder"),
        *learned.values_list("pk", Length("vectors"), "embedder"),
    )


def ensure(revision: Revision, renew: Renew = no_lease) -> None:
    """Make missing vectors. Raises `StoreError` if the embedder can't."""
    _complete(revision, revision.sheet, lambda: read_before(revision), renew)


def ensure_draft(draft: Draft) -> None:
    """Make missing vectors of a draft, so that publishing finds them. Raises `StoreError`."""
    live = draft.character.live_revision
    _complete(draft, draft.sheet, lambda: read(live) if live else {})


def ensure_learned(character: Character, renew: Renew = no_lease) -> None:
    """Make missing vectors of learned facts. Raises `StoreError`."""
    live = character.live_revision
    for row in LearnedFact.objects.active().filter(character=character).select_related("predicate"):
        sheet = Sheet(character.name, "", facts=(row.fact,))
        _complete(row, sheet, lambda: read(live) if live else {}, renew)


def of_texts(
    character: Character,
    texts: Iterable[str],
    *,
    most: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> TextVectors:
    """Return the vectors of draft and live revision, and of up to `most` missing texts. Raises `StoreError`."""
    draft, live = Draft.objects.filter(character=character).first(), character.live_revision
    known = {**(read(live) if live else {}), **(read(draft) if draft else {})}
    missing = sorted((text for text in dict.fromkeys(texts) if text not in known), key=len)[:most]
    for start in range(0, len(missing), PART):
        progress(start, len(missing))
        part = missing[start : start + PART]
        known |= dict(zip(part, wiring.embedder().embed(part), strict=True))
    return known


def wanted_texts(sheet: Sheet) -> list[str]:
    """Return the texts that need vectors."""
    return all_texts(sheet.facts, Predicate.objects.registry(), sheet.name)


def _complete(row: Row, sheet: Sheet, before: Callable[[], TextVectors], renew: Renew = no_lease) -> None:
    wanted = wanted_texts(sheet)
    known = read(row)
    if all(text in known for text in wanted):
        return
    known = {**before(), **known}
    missing = sorted((text for text in wanted if text not in known), key=len)  # batches of similar length cost least
    for start in range(0, max(1, len(missing)), PART):  # at least once, to save vectors taken over
        part = missing[start : start + PART]
        known |= dict(zip(part, wiring.embedder().embed(part), strict=True)) if part else {}
        blob = _blob({text: known[text] for text in wanted if text in known})
        type(row).objects.filter(pk=row.pk).update(vectors=blob, embedder=wiring.embedder().id)
        renew()


def _blob(vectors: TextVectors) -> bytes:
    stream = io.BytesIO()
    # An array of texts would pad each to the longest.
    texts = np.frombuffer(json.dumps(list(vectors)).encode(), dtype=np.uint8)
    np.savez(stream, json=texts, vectors=np.stack(list(vectors.values())) if vectors else np.zeros((0, 1)))
    return stream.getvalue()


def _texts_in(stored: Mapping[str, NDArray[Any]]) -> list[str]:
    if "texts" in stored:  # published by an earlier version of this program
        return [str(text) for text in stored["texts"]]
    texts: list[str] = json.loads(stored["json"].tobytes())
    return texts
