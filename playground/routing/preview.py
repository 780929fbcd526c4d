"""What a turn would do with a message: which bases it finds, which persona speaks, what enters the prompt.

It is the turn's own assembly, without a person, without history, and without the stages that need either.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from characters.profiles.models import Character
from characters.talk.recorder import TurnRecorder
from characters.talk.requests import live_readers, request_from_nobody
from characters.turn.assemble import Assembled, assemble
from characters.turn.choice import BaseScore, Hit
from characters.turn.request import Base, TurnRequest
from kgadmin.knowledge.models import Chunk, KnowledgeBase, KnowledgeBaseQuerySet
from playground.routing.snippets import Piece, snippet

MAX_MESSAGE = 1_000
NOT_NEEDED = frozenset({"background", "user_facts", "ambient", "memory"})
PASSAGES, MISSES = 5, 2
"""Passages that are shown of a base with hits, and of one without."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk near the message or one of its phrases."""

    chunk: Chunk
    similarity: float
    phrase: str
    """The phrase it is nearest to; empty for the whole message."""
    is_hit: bool
    is_used: bool
    """Whether the prompt shows it, as a hit or as the neighbour of one."""
    pieces: Sequence[Piece]
    """About two lines of it, the message's words marked."""

    @property
    def reaching(self) -> float:
        """Return the highest threshold that it reaches, in steps of 0.01."""
        return int(self.similarity * 100 + 1e-6) / 100


@dataclass(frozen=True, slots=True)
class BaseResult:
    """What a turn finds in one base. `role` is primary, supplemental, a hit, or empty."""

    base: KnowledgeBase
    role: str
    share: float
    passages: Sequence[Passage]


@dataclass(frozen=True, slots=True)
class Preview:
    """The outcome for one message."""

    assembled: Assembled
    bases: Sequence[BaseResult]
    unasked: Sequence[KnowledgeBase]
    """Bases that are off, or that this character may not use."""
    error: str = ""


def assemble_alone(request: TurnRequest) -> tuple[Assembled, TurnRecorder]:
    """Assemble the turn of a request from nobody, without the stages that need a person or the sheet's facts."""
    recorder = TurnRecorder()
    return assemble(replace(request, off=NOT_NEEDED), live_readers(), recorder), recorder


def preview(character: Character, message: str, visible: KnowledgeBaseQuerySet) -> Preview:
    """Return what a turn of the character would do with the message; `visible` are the bases that may be named."""
    request = request_from_nobody(character, message)
    assembled, recorder = assemble_alone(request)
    rows = {base.slug: base for base in visible}
    near = _nearest(request) if assembled.probe.scores else {}
    results = [
        BaseResult(
            base=rows[base.slug],
            role=_role(base.slug, assembled),
            share=score.share,
            passages=_passages(base, request, assembled, near.get(base.slug, ())),
        )
        for base, score in _by_share(request, assembled)
        if base.slug in rows
    ]
    asked = {base.slug for base in request.bases}
    error = next((stage.error for stage in recorder.stages if stage.status == "failed"), "")
    return Preview(assembled, results, [base for slug, base in rows.items() if slug not in asked], error)


def _nearest(request: TurnRequest) -> dict[str, list[Hit]]:
    """Return the chunks of each base that are nearest to the full message, hits or not."""
    readers = live_readers()
    matches = readers.nearest(request.bases, readers.embed([request.message.strip()]), PASSAGES).matches
    return {
        base.slug: [
            Hit(request.message, base.slug, chunk, similarity, base.threshold, "message")
            for chunk, similarity in matches[base.slug][0]
        ]
        for base in request.bases
        if base.slug in matches
    }


def _by_share(request: TurnRequest, assembled: Assembled) -> list[tuple[Base, BaseScore]]:
    scores = {score.base: score for score in assembled.probe.scores}
    bases = [(base, scores.get(base.slug) or BaseScore(base.slug, 0.0, 0.0, 0.0, 0)) for base in request.bases]
    return sorted(bases, key=lambda pair: (-pair[1].share, pair[0].slug))


def _role(slug: str, assembled: Assembled) -> str:
    probed = assembled.probe
    if slug == probed.primary:
        return "primary"
    if slug in probed.supplemental:
        return "supplemental"
    return "hit" if any(hit.base == slug for hit in probed.hits) else ""


def _passages(base: Base, request: TurnRequest, assembled: Assembled, near: Sequence[Hit]) -> list[Passage]:
    """Return the hits of the base, and what is near the full message; each chunk once, best first."""
    best: dict[str, Hit] = {}
    for hit in (*assembled.probe.hits, *near):
        if hit.base == base.slug and hit.similarity > getattr(best.get(hit.chunk), "similarity", -1.0):
            best[hit.chunk] = hit
    ordered = sorted(best.values(), key=lambda hit: -hit.similarity)
    shown = ordered[: PASSAGES if ordered and ordered[0].similarity >= base.threshold else MISSES]
    chunks = Chunk.objects.select_related("document").defer("vector", "document__content")
    rows = chunks.in_bulk([int(hit.chunk) for hit in shown])
    used = {chunk for passage in assembled.documents.used for chunk in passage.chunks}
    return [
        Passage(
            chunk=rows[int(hit.chunk)],
            similarity=hit.similarity,
            phrase="" if hit.kind == "message" else hit.phrase,
            is_hit=hit.similarity >= base.threshold,
            is_used=hit.chunk in used,
            pieces=snippet(rows[int(hit.chunk)].text, request.message),
        )
        for hit in shown
        if int(hit.chunk) in rows
    ]
