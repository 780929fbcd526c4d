"""Find repeated statements, in the same or other words: one meaning is one proposal, whoever decided on it."""

import numpy as np
from django.db.models import QuerySet

from characters.domain import words
from characters.domain.sheet import Fact
from characters.language.claims.meaning import meaning
from characters.profiles.models import Character, Predicate
from characters.review.models import Proposal
from characters.review.verdicts.comparison import SAME, Vector, fact_sentence
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError

MAX_MEANING = 300
MOST_EMBEDDED = 500
"""Rows without a vector that are embedded at once."""
DECLINED = 0.8
"""Cosine from which a statement counts as a repeat of a rejected one, whatever its words.

It matches 14 of 23 pairs of one meaning, and 3 of 20 pairs of neighbours ("red wine", "white wine"); a wrong match is
shown under the rejected one, as repeated, and isn't learned.
"""
_NEGATIONS = frozenset("no not never nothing nobody none neither nor without cannot less few hardly".split())


def key_of(predicate: str, object: str) -> str:
    """Return the key of a meaning, as proposals store it."""
    return meaning(predicate, object)[:MAX_MEANING]


def proposal_of(character: Character, predicate: str, object: str, sentence: str) -> tuple[Proposal, bool]:
    """Return the proposal of this meaning, and whether it is new; `sentence` is the statement in the first person."""
    key = key_of(predicate, object)
    known = Proposal.objects.filter(character=character, meaning=key).first()
    if known:
        return known, False
    values: dict[str, str | bytes] = {"predicate": predicate, "object": object}
    try:
        vector: Vector = wiring.embedder().embed([sentence])[0].astype(np.float32)
        if same := _in_other_words(character, key, object, vector):
            return same, False
        values |= {"vector": vector.tobytes(), "embedder": wiring.embedder().id}
    except StoreError:
        pass  # a repeat in other words is a proposal of its own
    return Proposal.objects.get_or_create(character=character, meaning=key, defaults=values)


def _embed(rows: QuerySet[Proposal]) -> None:
    """Embed rows that lack a vector of today's embedder, after a change or an outage. Raises `StoreError`."""
    missing = list(rows.only("predicate", "object")[:MOST_EMBEDDED])
    registry = Predicate.objects.registry() if missing else {}
    sentences = [fact_sentence(Fact("", row.predicate, row.object), registry) for row in missing]
    for row, vector in zip(missing, wiring.embedder().embed(sentences) if missing else (), strict=True):
        same = Proposal.objects.filter(pk=row.pk, predicate=row.predicate, object=row.object)
        same.update(vector=vector.astype(np.float32).tobytes(), embedder=wiring.embedder().id)


def _in_other_words(character: Character, key: str, object: str, vector: Vector) -> Proposal | None:
    """Return the nearest proposal of the same direction (liking, disliking, a kind of favourite) if it says the same.

    One object must have all words of the other, since names are near that differ: "staghorn coral", "elkhorn coral".
    A rejected proposal needs similarity only, so that it doesn't come back in other words.
    """
    direction = key.partition("|")[0]
    rows = Proposal.objects.filter(character=character, meaning__startswith=f"{direction}|")
    _embed(rows.exclude(embedder=wiring.embedder().id, vector__isnull=False))
    rows = rows.filter(embedder=wiring.embedder().id, vector__isnull=False)
    nearest = _nearest(rows, vector, SAME)
    if nearest and _shares_all_words(nearest.object, object) and not _is_denied(nearest.object, object):
        return nearest
    rejected = _nearest(rows.filter(state=Proposal.State.REJECTED), vector, DECLINED)
    return rejected if rejected and not _is_denied(rejected.object, object) else None


def _nearest(rows: QuerySet[Proposal], vector: Vector, least: float) -> Proposal | None:
    stored = list(rows.values_list("pk", "vector"))
    if not stored:
        return None
    near = np.stack([np.frombuffer(each or b"", dtype=np.float32) for _, each in stored]) @ vector
    best = int(near.argmax())
    return Proposal.objects.get(pk=stored[best][0]) if near[best] >= least else None


def _shares_all_words(first: str, second: str) -> bool:
    stems, others = frozenset(words.stems(first)), frozenset(words.stems(second))
    return bool(stems and others) and (stems <= others or others <= stems)


def _is_denied(first: str, second: str) -> bool:
    return bool(_NEGATIONS & (set(words.tokens(first)) ^ set(words.tokens(second))))
