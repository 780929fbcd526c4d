"""Probe: search every base in scope for the message and its phrases; `choice` names the base."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from characters.language.phrases import Kind, Phrase, extract, sentences
from characters.turn import choice
from characters.turn.choice import BaseScore, Hit
from characters.turn.request import Base, CachedHit, CachedPhrase, Chunk, ProbeMemory, Readers, TurnRequest, Vectors
from characters.turn.trace import NEAR_MISSES, first_reason

REFLEX_REPLIES = {
    "help": "Ask me anything, or tell me something. Beside each reply you can see what it was made of.",
    "status": "I'm here and listening.",
    "exit": "Goodbye. The conversation stays where it is.",
    "list_tools": "I have no tools: I answer from what I know and what is written down for me.",
}
MIN_WORDS = 3
MAX_BASES = 50
CACHE_TURNS = 10
HITS_PER_PHRASE = 5
_FOLLOW_UP_WORDS = 12
_FOLLOW_UP = re.compile(
    r"\b(?:it|its|they|them|their|he|him|his|she|her|that|those|there|this|these|one)\b"
    r"|^(?:and|but|so|why|when|how come|what about)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AskedPhrase:
    """A phrase that was asked."""

    text: str
    kind: Kind
    cached: bool


@dataclass(frozen=True, slots=True)
class Probe:
    """The probe's hits, and the base that the message is about."""

    phrases: tuple[AskedPhrase, ...] = ()
    hits: tuple[Hit, ...] = ()
    near_misses: tuple[Hit, ...] = ()
    scores: tuple[BaseScore, ...] = ()
    primary: str = ""
    supplemental: tuple[str, ...] = ()
    margin: float = 0.0
    margin_needed: float = choice.MARGIN
    verdict: str = ""
    """One sentence: why this base, or why none."""
    leaned: bool = False
    """Whether a follow-up was assigned to the conversation's last base."""
    reused: bool = False
    memory: ProbeMemory = field(default_factory=ProbeMemory)
    skipped: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The probe's queries, and the texts to embed for them."""

    asked: tuple[Phrase, ...] = ()
    cached: Mapping[str, CachedPhrase] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    """Texts to embed; the full message first."""
    skipped: str = ""


def fixed_reply(message: str) -> str:
    """Return the answer to a reflex command, or an empty string for any other message."""
    return REFLEX_REPLIES.get(message.strip().lower().lstrip("/"), "")


def plan(request: TurnRequest) -> Plan:
    """Plan the queries. Nothing is embedded or looked up yet."""
    message = request.message.strip()
    skipped = first_reason(
        (request.is_off("probe"), "switched off"),
        (not request.bases, "no knowledge base is in scope"),
        (len(message.split()) < MIN_WORDS, f"fewer than {MIN_WORDS} words"),
    )
    if skipped:
        return Plan(texts=(message,), skipped=skipped)
    parts = (Phrase(text, "sentence") for text in sentences(message))
    phrases = [*extract(message), *parts, Phrase(message, "message")]
    if follow_up := _follow_up(request):
        phrases.append(Phrase(follow_up, "follow-up"))
    versions = {base.slug: base.version for base in request.bases[:MAX_BASES]}
    since = request.memory.turn + 1 - CACHE_TURNS
    cached = {
        text: phrase
        for text, phrase in request.memory.phrases.items()
        if phrase.turn >= since and dict(phrase.versions) == versions
    }
    phrases = list({phrase.text: phrase for phrase in phrases}.values())
    new = [phrase.text for phrase in phrases if phrase.text not in cached and phrase.text != message]
    return Plan(tuple(phrases), cached, tuple(dict.fromkeys([message, *new])))


def _follow_up(request: TurnRequest) -> str:
    """Return the message joined with the one it follows up, or an empty string if it stands alone."""
    if request.message == request.memory.message:
        return request.memory.follow_up
    short = len(request.message.split()) <= _FOLLOW_UP_WORDS
    if short and request.memory.message and request.memory.base and _FOLLOW_UP.search(request.message):
        return f"{request.memory.message} {request.message.strip()}"
    return ""


def probe(request: TurnRequest, planned: Plan, vectors: Vectors, readers: Readers) -> Probe:
    """Run the planned queries. `vectors` has a row per text of the plan."""
    before = request.memory
    follow_up = next((phrase.text for phrase in planned.asked if phrase.kind == "follow-up"), "")
    memory = replace(before, message=request.message, turn=before.turn + 1, follow_up=follow_up)
    if planned.skipped:
        return Probe(skipped=planned.skipped, memory=memory)
    bases = request.bases[:MAX_BASES]
    matches = _ask(bases, planned, vectors, readers)
    chunks = readers.chunks(list({hit.chunk for hits in matches.values() for hit in hits}))
    hits, near = _hits(planned, matches, chunks, {base.slug: base for base in bases}, request)
    counts, calibration = readers.word_counts(bases), readers.calibration(bases)
    message, is_repeat = request.message.strip(), request.message == before.message
    leaning = before.leaning_before if is_repeat else before.leaning
    raw = choice.raw_scores(message, bases, matches, counts)
    scores = choice.score_bases(raw, hits, leaning)
    chosen = choice.choose(request, scores, hits, near, calibration)
    parts = [phrase.text for phrase in planned.asked if phrase.kind == "sentence"]
    also = choice.supplemental(chosen.primary, parts, bases, matches, hits, counts)
    hits, near = _with_nearly(hits, near, {chosen.primary, *also})
    shares = choice.shares_alone(raw)
    faded = {slug: round(share + choice.FADING * leaning.get(slug, 0.0), 4) for slug, share in shares.items()}
    memory = replace(memory, leaning_before=leaning, leaning=faded)
    return Probe(
        phrases=tuple(AskedPhrase(p.text, p.kind, p.text in planned.cached) for p in planned.asked),
        hits=tuple(hits),
        near_misses=tuple(near[:NEAR_MISSES]),
        scores=tuple(scores),
        primary=chosen.primary,
        supplemental=also,
        margin=chosen.margin,
        verdict=chosen.verdict,
        leaned=chosen.leaned,
        reused=is_repeat and message in planned.cached,
        memory=_cached(memory, planned, matches, bases, chosen.primary),
    )


def _with_nearly(hits: list[Hit], near: list[Hit], chosen: set[str]) -> tuple[list[Hit], list[Hit]]:
    """Return the hits with chunks just below the threshold, in bases that the message is about."""
    nearly = [hit for hit in near if hit.base in chosen and hit.similarity >= hit.threshold - choice.SLACK]
    nearly = [hit for hit in nearly if hit.kind in {"message", "sentence"}]
    more = [replace(hit, threshold=hit.threshold - choice.SLACK) for hit in nearly]
    taken = {(hit.phrase, hit.chunk) for hit in more}
    rest = [hit for hit in near if (hit.phrase, hit.chunk) not in taken]
    return sorted([*hits, *more], key=lambda hit: -hit.similarity), rest


def _ask(bases: Sequence[Base], planned: Plan, vectors: Vectors, readers: Readers) -> dict[str, list[CachedHit]]:
    """Return hits per phrase, of any similarity, best first: from the cache, or by one query per base."""
    new = [phrase.text for phrase in planned.asked if phrase.text not in planned.cached]
    hits = {p.text: list(planned.cached[p.text].hits) for p in planned.asked if p.text in planned.cached}
    if not new:
        return hits
    rows = [planned.texts.index(text) for text in new]
    nearest = readers.nearest(bases, vectors[rows], HITS_PER_PHRASE)
    for position, text in enumerate(new):
        matches = [CachedHit(slug, chunk, score) for slug, lists in nearest.items() for chunk, score in lists[position]]
        hits[text] = sorted(matches, key=lambda hit: -hit.similarity)
    return hits


def _hits(
    planned: Plan,
    matches: Mapping[str, Sequence[CachedHit]],
    chunks: Mapping[str, Chunk],
    bases: Mapping[str, Base],
    request: TurnRequest,
) -> tuple[list[Hit], list[Hit]]:
    """Return the hits at or above their base's threshold, and those below it; each best first."""
    hits, near = list[Hit](), list[Hit]()
    for phrase in planned.asked:
        for match in matches.get(phrase.text, ()):
            chunk, base = chunks.get(match.chunk), bases.get(match.base)
            if chunk is None or base is None or request.is_off(f"chunk:{chunk.id}"):
                continue
            hit = Hit(
                phrase.text, base.slug, chunk.id, chunk.document, chunk.heading, chunk.index,
                match.similarity, base.threshold, phrase.kind,
            )  # fmt: skip
            (hits if match.similarity >= base.threshold else near).append(hit)
    hits.sort(key=lambda hit: -hit.similarity)
    near.sort(key=lambda hit: hit.threshold - hit.similarity)
    return hits, near


def _cached(
    memory: ProbeMemory, planned: Plan, matches: Mapping[str, Sequence[CachedHit]], bases: Sequence[Base], primary: str
) -> ProbeMemory:
    """Return what the next turn need not query again; message and sentences keep all hits, which score every base."""
    versions = {base.slug: base.version for base in bases}
    thresholds = {base.slug: base.threshold for base in bases}
    asked = {}
    for phrase in planned.asked:
        if phrase.text not in planned.cached:
            hits = matches.get(phrase.text, ())
            if phrase.kind not in {"message", "sentence"}:
                few = hits[: HITS_PER_PHRASE * 2]
                hits = [*few, *(hit for hit in hits[len(few) :] if hit.similarity >= thresholds[hit.base])]
            asked[phrase.text] = CachedPhrase(memory.turn, versions, tuple(hits))
    return replace(memory, base=primary or memory.base, phrases={**planned.cached, **asked})
