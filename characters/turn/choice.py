"""Which base is a message about? All constants of that decision.

A base's points are `7.9 best + 5.7 mean of the best 3 + 3.2 log(1 + evidence / 10)` over the full message, where
evidence = sum of share x rarity^2 over its words; earlier turns add to them. The base with the largest softmax is
primary if its strength reaches what `calibration` needs.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from characters.domain import words
from characters.language.phrases import Kind
from characters.turn.calibration import Calibration, WordCounts, evidence_of, points, shares_of, subject_of
from characters.turn.request import Base, Match, TurnRequest
from characters.turn.trace import first_reason

MARGIN = 0.01
"""Lead in share that the best base needs over the second."""
LEXICAL_ALONE = 1.5
"""Log evidence of words from which a clear hit in another base is ignored."""
CLEAR = 0.15
"""Distance above its threshold from which a hit counts against the conversation's base."""
BEFORE = 1.5
"""Weight of earlier turns; each turn leaves `FADING` of it."""
FADING = 0.6
SENTENCE_SHARE = 0.5
"""Share from which one of several sentences belongs to a base."""
LEAST_SUBJECT = 2.2
"""Least summed rarity of words for a sentence to belong to a base."""
PHRASE_WEIGHT = 0.8
OWNED = 0.60
"""Share of a phrase's words that makes it a base's own subject."""

_REFERS = re.compile(
    r"\b(?:it|its|they|them|their|he|him|his|she|her|that|those|there|this|these|one)\b.*\?"
    r"|^(?:and|but|so|why|when|how come|what about|how about)\b",
    re.IGNORECASE,
)
"""A question that refers to what was said before, or a message that goes on with it."""
_ASKS_ON = re.compile(r"^(?:and|but|so|or)\b.*\?\s*$", re.IGNORECASE | re.DOTALL)
"""A question that goes on with the message before."""
_THE = "the|our|your|my|this|that"
_SOURCE = r"\b(?:check|consult|search|read|per|according to|look(?:ed)? (?:\w+ )?(?:up )?(?:in|at))"
"""What stands before a source that a message names; "from" and "see" stand before any garden, too."""
MORE_TALK = 0.3
"""How much more a message resembles talk than the message before to be talk, whatever its words ("And how was your
weekend?"): questions that do go on have 0.2 on average.
"""
RESEMBLES = 0.1
"""Cosine with the message before from which a message may follow it up; unrelated ones have less."""

RawScores = Mapping[str, tuple[float, float, float]]
"""Points, highest similarity and evidence of words, by base."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that is near a phrase."""

    phrase: str
    base: str
    chunk: str
    similarity: float
    threshold: float
    kind: Kind
    document: str = ""
    heading: str = ""
    index: int = 0
    """Where it stands; filled in for hits that are shown or used."""

    @property
    def weight(self) -> float:
        """Return its similarity, less for a phrase's: a name is near every chunk that contains it."""
        return self.similarity * (1.0 if self.kind in {"message", "sentence", "follow-up"} else PHRASE_WEIGHT)


@dataclass(frozen=True, slots=True)
class BaseScore:
    """How strongly the message points to a base."""

    base: str
    share: float
    best: float
    evidence: float
    hits: int
    before: float = 0.0
    """How much earlier turns were about it; 1 for the last turn alone."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How much the message resembles everyday talk, and the message before it if it may follow that up."""

    talk: float = 0.0
    before: float = 0.0
    joined: RawScores = field(default_factory=dict)
    """How strongly both messages together point to each base."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The base that the message is about, or none, with the reason in a sentence."""

    primary: str
    margin: float
    verdict: str
    leaned: bool = False


def score_bases(raw: RawScores, hits: Sequence[Hit], before: Mapping[str, float]) -> list[BaseScore]:
    """Return every base's score for the full message, highest first. `before` is how much earlier turns were about
    each.
    """
    shares = _softmax({slug: each[0] + BEFORE * before.get(slug, 0.0) for slug, each in raw.items()})
    scores = [
        BaseScore(slug, shares[slug], best, evidence, sum(hit.base == slug for hit in hits), before.get(slug, 0.0))
        for slug, (_, best, evidence) in raw.items()
    ]
    return sorted(scores, key=lambda score: (-score.share, score.base))


def shares_alone(raw: RawScores) -> dict[str, float]:
    """Return each base's share of a text, regardless of earlier turns."""
    return _softmax({slug: each[0] for slug, each in raw.items()})


def raw_scores(
    text: str, bases: Sequence[Base], matches: Mapping[str, Sequence[Match]], counts: Mapping[str, WordCounts]
) -> RawScores:
    """Return how strongly a text points to each base."""
    shares = shares_of(sorted(set(words.stems(text))), counts)
    near: dict[str, list[float]] = {base.slug: [] for base in bases}
    for hit in matches.get(text, ()):
        if hit.base in near and len(near[hit.base]) < 3:
            near[hit.base].append(hit.similarity)
    raw = {}
    for slug, best in near.items():
        evidence = evidence_of(slug, shares)
        first, mean = (best[0], sum(best) / len(best)) if best else (0.0, 0.0)
        raw[slug] = (points(first, mean, evidence), first, evidence)
    return raw


def _softmax(raw: Mapping[str, float]) -> dict[str, float]:
    top = max(raw.values(), default=0.0)
    total = sum(math.exp(value - top) for value in raw.values())
    return {key: math.exp(value - top) / total for key, value in raw.items()}


def choose(
    request: TurnRequest,
    scores: Sequence[BaseScore],
    hits: Sequence[Hit],
    calibration: Calibration,
    likeness: Likeness,
) -> Choice:
    """Choose the base that the message names or is about, or none if the evidence is too weak or too close."""
    with_hit = {hit.base: request.title_of(hit.base) for hit in hits}
    reaching = [score for score in scores if score.base in with_hit] or list(scores)
    first = reaching[0]
    second = reaching[1] if len(reaching) > 1 else None
    margin = first.share - second.share if second else first.share
    if source := next((slug for slug, title in with_hit.items() if _names(request.message, title)), ""):
        return Choice(source, margin, f"{with_hit[source]} is primary: the message names it.")
    subject = subject_of(request.message)
    strength = calibration.strength(first.base, first.best, first.evidence, subject)
    is_talk = nearest(scores) <= likeness.talk
    title = request.title_of(first.base)
    weak = _weak(first, title, strength, hits, calibration, is_talk=is_talk)
    if weak:
        follows = _follows_up(request.message, subject, likeness, is_talk=is_talk)
        leaned = _lean(request, likeness.joined, hits, margin, calibration) if follows else None
        return leaned or Choice("", margin, weak)
    if margin < MARGIN and second:
        return Choice("", margin, f"Too close to call between {title} and {with_hit[second.base]}.")
    return Choice(first.base, margin, f"{title} is primary: the message is about it.")


def _names(message: str, title: str) -> bool:
    """Return whether the message asks for this source: "check the lab log", "what does the lab log say"."""
    named = r"\W+".join(map(re.escape, words.tokens(title)))
    return bool(named) and bool(
        re.search(rf"{_SOURCE}\s+(?:{_THE})\W+{named}\b|\b(?:{_THE})\W+{named}\W+says?\b", message, re.IGNORECASE)
    )


def _weak(
    first: BaseScore,
    title: str,
    strength: float,
    hits: Sequence[Hit],
    calibration: Calibration,
    *,
    is_talk: bool,
) -> str:
    closest = f"the closest is {title} with {first.best:.2f}"
    return first_reason(
        (not hits, f"No base has a passage above its threshold; {closest}."),
        (strength < calibration.needed, f"Not strong enough for any base: {closest}, as for small talk."),
        (is_talk, f"More like everyday talk than like any base: {closest}."),
        (
            first.before and first.evidence < LEXICAL_ALONE and _speaks_against(first.base, hits),
            f"Unclear: the conversation points to {title}, but a phrase of the message to another base.",
        ),
    )


def _speaks_against(base: str, hits: Sequence[Hit]) -> bool:
    """Return whether another base has a clear hit that is better than any of this base."""
    best = max((hit.similarity for hit in hits if hit.base == base), default=0.0)
    return any(hit.similarity >= best for hit in _clear_elsewhere(base, hits))


def _clear_elsewhere(base: str, hits: Sequence[Hit]) -> list[Hit]:
    others = (hit for hit in hits if hit.base != base and hit.kind != "follow-up")
    return [hit for hit in others if hit.similarity >= hit.threshold + CLEAR]


def nearest(scores: Sequence[BaseScore]) -> float:
    """Return the highest similarity to any base."""
    return max((score.best for score in scores), default=0.0)


def _follows_up(message: str, subject: float, likeness: Likeness, *, is_talk: bool) -> bool:
    """Return whether the message goes on with the one before, in words or by likeness; talk only without a subject."""
    if not likeness.joined:
        return False
    refers = bool(_REFERS.search(message))
    if is_talk and likeness.talk > likeness.before + MORE_TALK:
        return False
    if is_talk:
        return (refers and subject < LEAST_SUBJECT) or bool(_ASKS_ON.search(message))
    return refers or likeness.before >= RESEMBLES


def _lean(
    request: TurnRequest, joined: RawScores, hits: Sequence[Hit], margin: float, calibration: Calibration
) -> Choice | None:
    """Return the base of a follow-up that has nothing strong of its own: the one that it points to together with the
    message before, if that is strong, or if the conversation was about it lately.
    """
    leaning, memory = request.memory.leaning, request.memory
    top = max(joined, key=lambda slug: joined[slug][0] + BEFORE * leaning.get(slug, 0.0))
    _, best, evidence = joined[top]
    strength = calibration.strength(top, best, evidence, subject_of(f"{memory.message} {request.message}"))
    if _clear_elsewhere(top, hits) or (strength < calibration.needed and leaning.get(top, 0.0) < FADING):
        return None
    return Choice(top, margin, f"{request.title_of(top)} is primary: this follows up on the turn before.", leaned=True)


def leaned(before: Mapping[str, float], primary: str) -> dict[str, float]:
    """Return how much the turns were about each base, with this one about `primary`, if it is about any."""
    faded = {slug: round(FADING * value, 4) for slug, value in before.items() if value > 0.1}
    return faded | {primary: faded.get(primary, 0.0) + 1.0} if primary else faded


def supplemental(
    primary: str,
    sentences: Sequence[str],
    bases: Sequence[Base],
    matches: Mapping[str, Sequence[Match]],
    hits: Sequence[Hit],
    counts: Mapping[str, WordCounts],
) -> tuple[str, ...]:
    """Return bases other than the primary that a sentence of the message belongs to, or a phrase if there is one
    sentence.
    """
    if not primary:
        return ()
    owners = (
        (_owner_of_sentence(each, bases, matches, hits, counts) for each in sentences)
        if sentences
        else _owners_of_phrases(bases, hits, counts)
    )
    return tuple(dict.fromkeys(slug for slug in owners if slug and slug != primary))


def _owner_of_sentence(
    sentence: str,
    bases: Sequence[Base],
    matches: Mapping[str, Sequence[Match]],
    hits: Sequence[Hit],
    counts: Mapping[str, WordCounts],
) -> str:
    if subject_of(sentence) < LEAST_SUBJECT:
        return ""
    shares = shares_alone(raw_scores(sentence, bases, matches, counts))
    top = max(shares, key=lambda slug: shares[slug])
    has_hit = any(hit.base == top for hit in hits)
    return top if has_hit and shares[top] >= SENTENCE_SHARE else ""


def _owners_of_phrases(bases: Sequence[Base], hits: Sequence[Hit], counts: Mapping[str, WordCounts]) -> list[str]:
    """Return, by phrase, the base that owns most of its words and has a hit, else the base of its best hit."""
    owners = []
    for phrase in dict.fromkeys(hit.phrase for hit in hits if hit.kind not in {"message", "follow-up"}):
        best = max((hit for hit in hits if hit.phrase == phrase), key=lambda hit: hit.similarity)
        stems = words.stems(phrase)
        shares = shares_of(list(dict.fromkeys(stems)), counts)
        mean = {
            base.slug: sum(shares[stem].get(base.slug, 0.0) for stem in stems) / (len(stems) or 1) for base in bases
        }
        owner = max(mean, key=lambda slug: mean[slug])
        has_hit = any(hit.base == owner for hit in hits if hit.phrase == phrase)
        owners.append(owner if has_hit and mean[owner] >= OWNED else best.base)
    return owners
