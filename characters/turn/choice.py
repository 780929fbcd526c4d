"""Choosing the base: which one the message is about, which it has a second subject in, or why none.

The score of a base is comparable between large and small ones: `7.9 max + 5.7 mean of the top 3 + 3.2 log(1 +
evidence / 10)` over the whole message, where evidence = sum of share x rarity^2 over its words, and a word's share is
its rate in the base over the sum of its rates in all bases. A softmax over the bases makes a margin of it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from characters.turn.phrases import Kind
from characters.turn.request import Base, CachedHit, TurnRequest, WordCounts
from kgadmin import words

MARGIN = 0.10
"""What the best base's share must be ahead of the second's."""
LEXICAL_ALONE = 1.5
"""Log evidence of words without which a hit must be `CLEAR` of its threshold."""
CLEAR = 0.10
OWNED = 0.60
"""Share of a phrase's words that makes it a base's own subject."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that a phrase found."""

    phrase: str
    base: str
    chunk: str
    document: str
    heading: str
    index: int
    similarity: float
    threshold: float
    kind: Kind


@dataclass(frozen=True, slots=True)
class BaseScore:
    """How strongly the message points to a base."""

    base: str
    share: float
    """Softmax over the bases, in [0, 1]."""
    best: float
    """Highest similarity of the whole message."""
    evidence: float
    """Log evidence of its words."""
    hits: int


@dataclass(frozen=True, slots=True)
class Choice:
    """The base that the message is about, or none, and why in a sentence."""

    primary: str
    margin: float
    verdict: str
    leaned: bool = False


def score_bases(
    message: str,
    bases: Sequence[Base],
    found: Mapping[str, Sequence[CachedHit]],
    hits: Sequence[Hit],
    counts: Mapping[str, WordCounts],
) -> list[BaseScore]:
    """Every base's score for the whole message, highest first."""
    stems = sorted(set(words.stems(message)))
    shares = {word: _shares(word, counts) for word in stems}
    raw = []
    for base in bases:
        whole = [hit.similarity for hit in found.get(message, ()) if hit.base == base.slug][:3]
        best, mean = max(whole, default=0.0), sum(whole) / len(whole) if whole else 0.0
        evidence = math.log1p(sum(shares[w].get(base.slug, 0.0) * words.stem_rarity(w) ** 2 for w in stems) / 10)
        raw.append((7.9 * best + 5.7 * mean + 3.2 * evidence, base.slug, best, evidence))
    top = max((score for score, *_ in raw), default=0.0)
    total = sum(math.exp(score - top) for score, *_ in raw)
    return [
        BaseScore(slug, math.exp(score - top) / total, best, evidence, sum(hit.base == slug for hit in hits))
        for score, slug, best, evidence in sorted(raw, key=lambda row: (-row[0], row[1]))
    ]


def _shares(stemmed: str, counts: Mapping[str, WordCounts]) -> dict[str, float]:
    """Rate of a word in each base over the sum of its rates: no base gains by being large."""
    rates = {slug: known.counts.get(stemmed, 0) / known.total for slug, known in counts.items() if known.total}
    total = sum(rates.values())
    return {slug: rate / total for slug, rate in rates.items()} if total else {}


def choose(
    request: TurnRequest, scores: Sequence[BaseScore], hits: Sequence[Hit], thresholds: Mapping[str, float]
) -> Choice:
    """The base that the message is about; none where the evidence is too weak or too close to call."""
    first = scores[0]
    second = scores[1] if len(scores) > 1 else None
    margin = first.share - second.share if second else first.share
    if not first.hits or not _is_strong(first, hits, thresholds[first.base]):
        return _lean(request, hits, margin) or Choice("", margin, _weak(first, hits))
    if margin < MARGIN and second:
        return Choice("", margin, f"Too close to call between {first.base} and {second.base}.")
    rival = f" against {second.share:.2f} for {second.base}" if second else ""
    return Choice(first.base, margin, f"{first.base} is primary: share {first.share:.2f}{rival}.")


def _is_strong(score: BaseScore, hits: Sequence[Hit], threshold: float) -> bool:
    best = max((hit.similarity for hit in hits if hit.base == score.base and hit.kind != "follow-up"), default=0.0)
    return best >= threshold + CLEAR or (best >= threshold and score.evidence >= LEXICAL_ALONE)


def _weak(first: BaseScore, hits: Sequence[Hit]) -> str:
    if not hits:
        return f"No base has a chunk above its threshold; the closest is {first.base} with {first.best:.2f}."
    return f"Too weak: {first.base} is closest with {first.best:.2f}, and hardly a word of the message is its own."


def _lean(request: TurnRequest, hits: Sequence[Hit], margin: float) -> Choice | None:
    """A follow-up with nothing strong of its own belongs to the base of the turn before."""
    last = request.memory.base
    against = any(
        hit.base != last and hit.kind != "follow-up" and hit.similarity >= hit.threshold + CLEAR for hit in hits
    )
    if not against and any(hit.kind == "follow-up" and hit.base == last for hit in hits):
        return Choice(last, margin, f"{last} is primary: this follows up on the turn before.", leaned=True)
    return None


def supplemental(
    primary: str, hits: Sequence[Hit], bases: Sequence[Base], counts: Mapping[str, WordCounts]
) -> tuple[str, ...]:
    """Bases that a phrase of the message belongs to, other than the primary."""
    found: dict[str, None] = {}
    for phrase in dict.fromkeys(hit.phrase for hit in hits if hit.kind not in {"message", "follow-up"}):
        best = max((hit for hit in hits if hit.phrase == phrase), key=lambda hit: hit.similarity)
        owner = _owner(phrase, bases, counts)
        has_hit = {hit.base for hit in hits if hit.phrase == phrase}
        found.setdefault(owner if owner in has_hit else best.base)
    return tuple(slug for slug in found if slug != primary) if primary else ()


def _owner(phrase: str, bases: Sequence[Base], counts: Mapping[str, WordCounts]) -> str:
    """The base that most of the phrase's words belong to, where one does."""
    stems = words.stems(phrase)
    shares = [_shares(word, counts) for word in stems]
    mean = (
        {base.slug: sum(share.get(base.slug, 0.0) for share in shares) / len(stems) for base in bases} if stems else {}
    )
    slug = max(mean, key=lambda key: mean[key], default="")
    return slug if slug and mean[slug] >= OWNED else ""
