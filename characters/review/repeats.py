"""Whether something was said before, in these or other words: one meaning is one proposal, whoever decided on it."""

import numpy as np
from django.db.models import QuerySet

from characters.domain import words
from characters.domain.sheet import Fact
from characters.language.claims.meaning import meaning
from characters.profiles.models import Character, Predicate
from characters.review.models import Proposal
from characters.review.verdicts.duplicates import SAME
from characters.review.verdicts.found import Vector, said
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError

MAX_MEANING = 300
MOST_EMBEDDED = 500
"""At once, of those that lack a vector."""
_NEGATIONS = frozenset("no not never nothing nobody none neither nor without cannot less few hardly".split())


def key_of(predicate: str, object: str) -> str:
    """The key of a meaning, as proposals keep it."""
    return meaning(predicate, object)[:MAX_MEANING]


def proposal_of(character: Character, predicate: str, object: str, told: str) -> tuple[Proposal, bool]:
    """The proposal of this meaning, and whether it is new; `told` is the statement as a sentence of hers."""
    key = key_of(predicate, object)
    known = Proposal.objects.filter(character=character, meaning=key).first()
    if known:
        return known, False
    made: dict[str, str | bytes] = {"predicate": predicate, "object": object}
    vector = _vector(told)
    if vector is not None:
        if same := _in_other_words(character, key, object, vector):
            return same, False
        made |= {"vector": vector.tobytes(), "embedder": wiring.embedder().id}
    return Proposal.objects.get_or_create(character=character, meaning=key, defaults=made)


def _vector(told: str) -> Vector | None:
    """None where there is no embedder: then a repeat in other words is a proposal of its own."""
    try:
        made = wiring.embedder().embed([told])
    except StoreError:
        return None
    vector: Vector = made[0].astype(np.float32)
    return vector


def _embed(rows: QuerySet[Proposal]) -> None:
    """Give them vectors of today's embedder: it was down when they were made, or was another, or they were reworded."""
    found = list(rows.only("predicate", "object")[:MOST_EMBEDDED])
    if not found:
        return
    registry = Predicate.objects.registry()
    try:
        made = wiring.embedder().embed([said(Fact("", row.predicate, row.object), registry) for row in found])
    except StoreError:
        return
    for row, vector in zip(found, made, strict=True):
        same = Proposal.objects.filter(pk=row.pk, predicate=row.predicate, object=row.object)
        same.update(vector=vector.astype(np.float32).tobytes(), embedder=wiring.embedder().id)


def _in_other_words(character: Character, key: str, object: str, vector: Vector) -> Proposal | None:
    """The nearest of the same direction (liking, disliking, a kind of favourite), where both say the same.

    Nearness alone says little of names: "staghorn coral" and "elkhorn coral" are near. So one has to have all words of
    the other.
    """
    direction = key.partition("|")[0]
    rows = Proposal.objects.filter(character=character, meaning__startswith=f"{direction}|")
    _embed(rows.exclude(embedder=wiring.embedder().id, vector__isnull=False))
    found = list(rows.filter(embedder=wiring.embedder().id, vector__isnull=False).values_list("pk", "vector"))
    if not found:
        return None
    near = np.stack([np.frombuffer(each or b"", dtype=np.float32) for _, each in found]) @ vector
    best = int(near.argmax())
    if near[best] < SAME:
        return None
    nearest = Proposal.objects.get(pk=found[best][0])
    one, other = frozenset(words.stems(nearest.object)), frozenset(words.stems(object))
    is_denied = bool(_NEGATIONS & (set(words.tokens(nearest.object)) ^ set(words.tokens(object))))
    return nearest if (one <= other or other <= one) and one and other and not is_denied else None
