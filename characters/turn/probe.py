"""Probe: search every base in scope for the message and its phrases; `choice` names the base."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from characters.domain import words
from characters.language.phrases import Phrase, extract, sentences
from characters.turn import choice
from characters.turn.calibration import likeness_to_talk
from characters.turn.choice import BaseScore, Hit, Likeness
from characters.turn.reasons import why_chosen
from characters.turn.request import Base, Match, Nearest, Place, ProbeMemory, Readers, TurnRequest, Vectors
from characters.turn.trace import NEAR_MISSES, first_reason

REFLEX_REPLIES = {
    "help": "Ask me anything, or tell me something. Beside each reply you can see what it was made of.",
    "status": "I'm here and listening.",
    "exit": "Goodbye. The conversation stays where it is.",
    "list_tools": "I have no tools: I answer from what I know and what is written down for me.",
}
MIN_WORDS = 3
HITS_PER_PHRASE = 5
MOST_HITS = 40
"""Hits beside those in the chosen bases, of which a trace keeps the best of each chunk."""
_FOLLOW_UP_WORDS = 20

Matches = Mapping[str, Sequence[Match]]
"""The nearest chunks of all bases, by phrase, best first."""


@dataclass(frozen=True, slots=True)
class Probe:
    """The probe's hits, and the base that the message is about."""

    phrases: tuple[Phrase, ...] = ()
    hits: tuple[Hit, ...] = ()
    near_misses: tuple[Hit, ...] = ()
    scores: tuple[BaseScore, ...] = ()
    primary: str = ""
    supplemental: tuple[str, ...] = ()
    margin: float = 0.0
    margin_needed: float = choice.MARGIN
    verdict: str = ""
    """One sentence: which base, or why none."""
    why: tuple[str, ...] = ()
    """Sentences on what speaks for the primary base."""
    leaned: bool = False
    """Whether a follow-up was assigned to the conversation's last base."""
    repeated: bool = False
    """Whether the message is the previous one again: it is decided as it was."""
    from_store: tuple[str, ...] = ()
    """Bases without an index file, which the vector store answered for."""
    failed: Mapping[str, str] = field(default_factory=dict)
    """Bases that couldn't be asked, with the reason as a sentence."""
    skipped: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The probe's queries, and the texts to embed for them."""

    asked: tuple[Phrase, ...] = ()
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
    phrases = phrases_of(message)
    if follow_up := _follow_up(request):
        phrases.append(Phrase(follow_up, "follow-up"))
    name = set(words.stems(request.sheet.name))
    phrases = list({phrase.text: phrase for phrase in phrases if not _is_addressee(phrase, name)}.values())
    before = [request.memory.message] if follow_up else []
    return Plan(tuple(phrases), tuple(dict.fromkeys([message, *(phrase.text for phrase in phrases), *before])))


def _is_addressee(phrase: Phrase, name: set[str]) -> bool:
    """Return whether a phrase is but the character's name, given in stems: who is spoken to is no subject."""
    stems = words.stems(phrase.text) if phrase.kind in {"name", "starts a sentence", "rare word"} else []
    return bool(stems) and name.issuperset(stems)


def phrases_of(message: str) -> list[Phrase]:
    """Return the phrases, sentences and whole of a message."""
    message = message.strip()
    parts = (Phrase(text, "sentence") for text in sentences(message))
    return [*extract(message), *parts, Phrase(message, "message")]


def _follow_up(request: TurnRequest) -> str:
    """Return the message joined with the one it may follow up, or an empty string."""
    if request.message == request.memory.message:
        return request.memory.follow_up
    if request.memory.is_topical and len(request.message.split()) <= _FOLLOW_UP_WORDS:
        return f"{request.memory.message} {request.message.strip()}"
    return ""


def _likeness_to_before(request: TurnRequest, planned: Plan, vectors: Vectors) -> float:
    before = request.memory.message
    return float(vectors[planned.texts.index(before)] @ vectors[0]) if before in planned.texts else 0.0


def probe(request: TurnRequest, planned: Plan, vectors: Vectors, readers: Readers) -> tuple[Probe, ProbeMemory]:
    """Run the planned queries. `vectors` has a row per text of the plan."""
    before = request.memory
    follow_up = next((phrase.text for phrase in planned.asked if phrase.kind == "follow-up"), "")
    memory = replace(before, message=request.message, follow_up=follow_up)
    if planned.skipped:
        return Probe(skipped=planned.skipped), memory
    bases = request.bases
    matches, nearest = ask(bases, planned, vectors, readers)
    bases = tuple(base for base in bases if base.slug in nearest.matches)
    hits, near = _hits(planned, matches, {base.slug: base for base in bases}, request)
    stems = {stem for phrase in planned.asked for stem in words.stems(phrase.text)}
    stems -= set(words.stems(request.sheet.name))
    counts, calibration = readers.word_counts(bases, stems), readers.calibration(bases)
    message, is_repeat = request.message.strip(), request.message == before.message
    leaning = before.leaning_before if is_repeat else before.leaning
    raw = choice.raw_scores(message, bases, matches, counts)
    scores = choice.score_bases(raw, hits, leaning)
    likeness = Likeness(
        likeness_to_talk(vectors[0], readers.talk()),
        _likeness_to_before(request, planned, vectors),
        choice.raw_scores(follow_up, bases, matches, counts) if follow_up else {},
    )
    chosen = choice.choose(request, scores, hits, calibration, likeness)
    parts = [phrase.text for phrase in planned.asked if phrase.kind == "sentence"]
    also = choice.supplemental(chosen.primary, parts, bases, matches, hits, counts)
    primary = next((base for base in bases if base.slug == chosen.primary), None)
    why = why_chosen(primary, bases, scores, hits, planned.asked, counts) if primary else ()
    hits, near = _placed(_first(hits, {chosen.primary, *also}), near[:NEAR_MISSES], readers)
    probed = Probe(
        phrases=planned.asked,
        hits=tuple(hits),
        near_misses=tuple(near),
        scores=tuple(scores),
        primary=chosen.primary,
        supplemental=also,
        margin=chosen.margin,
        verdict=chosen.verdict,
        why=why,
        leaned=chosen.leaned,
        repeated=is_repeat,
        from_store=nearest.from_store,
        failed=nearest.failed,
    )
    is_topical = choice.nearest(scores) > likeness.talk
    leaned = choice.leaned(leaning, chosen.primary)
    return probed, replace(memory, is_topical=is_topical, leaning_before=leaning, leaning=leaned)


def _first(hits: Sequence[Hit], chosen: set[str]) -> list[Hit]:
    """Return the hits to show, and to make documents of: in the chosen bases the best of each chunk, and the first of
    the others.
    """
    best: dict[str, Hit] = {}
    for hit in hits:
        if hit.base in chosen and (hit.chunk not in best or hit.weight > best[hit.chunk].weight):
            best[hit.chunk] = hit
    others = [hit for hit in hits if hit.base not in chosen][:MOST_HITS]
    return sorted([*best.values(), *others], key=lambda hit: -hit.similarity)


def _placed(hits: Sequence[Hit], near: Sequence[Hit], readers: Readers) -> tuple[list[Hit], list[Hit]]:
    """Return both with where their chunks stand, without chunks that were just deleted."""
    places = readers.places(list(dict.fromkeys(hit.chunk for hit in (*hits, *near))))

    def placed(hit: Hit, place: Place) -> Hit:
        return replace(hit, document=place.document, heading=place.heading, index=place.index)

    def there(hits: Sequence[Hit]) -> list[Hit]:
        return [placed(hit, places[hit.chunk]) for hit in hits if hit.chunk in places]

    return there(hits), there(near)


def ask(bases: Sequence[Base], planned: Plan, vectors: Vectors, readers: Readers) -> tuple[Matches, Nearest]:
    """Return the nearest chunks by phrase, of any similarity, and which bases answered how."""
    rows = [planned.texts.index(phrase.text) for phrase in planned.asked]
    nearest = readers.nearest(bases, vectors[rows], HITS_PER_PHRASE)
    matches = {}
    for position, phrase in enumerate(planned.asked):
        near = [Match(slug, *hit) for slug, of_phrases in nearest.matches.items() for hit in of_phrases[position]]
        matches[phrase.text] = sorted(near, key=lambda match: -match.similarity)
    return matches, nearest


def _hits(
    planned: Plan, matches: Matches, bases: Mapping[str, Base], request: TurnRequest
) -> tuple[list[Hit], list[Hit]]:
    """Return the hits at or above their base's threshold, and those below it; each best first."""
    hits, near = list[Hit](), list[Hit]()
    for phrase in planned.asked:
        for match in matches[phrase.text]:
            if request.is_off(f"chunk:{match.chunk}"):
                continue
            threshold = bases[match.base].threshold
            hit = Hit(phrase.text, match.base, match.chunk, match.similarity, threshold, phrase.kind)
            (hits if match.similarity >= threshold else near).append(hit)
    hits.sort(key=lambda hit: -hit.similarity)
    near.sort(key=lambda hit: hit.threshold - hit.similarity)
    return hits, near
