"""The vectors of a revision's facts: one blob per revision, unchanged texts taken over from the one before."""

import io

import numpy as np
from numpy.typing import NDArray

from characters.profiles.models import Predicate, Revision
from characters.turn.facts import all_texts
from kgadmin.stores import wiring

TextVectors = dict[str, NDArray[np.float32]]


def read(revision: Revision) -> TextVectors:
    """The vectors by text, as far as they are there and made by today's embedder."""
    embedder = wiring.embedder()
    if not revision.vectors or embedder.state == "down" or revision.embedder != embedder.id:
        return {}
    with np.load(io.BytesIO(revision.vectors), allow_pickle=False) as stored:
        return dict(zip(stored["texts"].tolist(), stored["vectors"], strict=True))


def read_before(revision: Revision) -> TextVectors:
    """The vectors of the newest earlier revision that has some: right for every text that didn't change."""
    earlier = revision.character.revisions.filter(number__lt=revision.number, vectors__isnull=False).first()
    return read(earlier) if earlier else {}


def ensure(revision: Revision) -> None:
    """Make what is missing. Raises `StoreError` if the embedder can't."""
    wanted = all_texts(revision.sheet.facts, Predicate.objects.registry())
    stored = read(revision)
    if all(text in stored for text in wanted):
        return
    known = {**read_before(revision), **stored}
    embedder = wiring.embedder()
    missing = [text for text in wanted if text not in known]
    made = dict(zip(missing, embedder.embed(missing), strict=True)) if missing else {}
    vectors = {text: known[text] if text in known else made[text] for text in wanted}
    Revision.objects.filter(pk=revision.pk).update(vectors=_blob(vectors), embedder=embedder.id)


def _blob(vectors: TextVectors) -> bytes:
    stream = io.BytesIO()
    np.savez(
        stream, texts=np.array(list(vectors)), vectors=np.stack(list(vectors.values())) if vectors else np.zeros((0, 1))
    )
    return stream.getvalue()
