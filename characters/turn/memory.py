"""Memory: earlier messages of this person that bear on this one, and what later ones make of them (seeds 003, 004).

By vectors, by words with their neighbours in time, by who spoke and when: the four-signal recipe that was measured
without a model (retrieval recipe C). Where only the person's own messages are searched, nobody else spoke.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from characters.domain import dates, words
from characters.domain.relations import CLASSES, CORRECTING, Relation
from characters.turn import recollection
from characters.turn.history import fitting
from characters.turn.intent import Intent
from characters.turn.messages import MessageIndex, PastMessage
from characters.turn.request import Readers, Related, TurnRequest
from characters.turn.texts import TurnVectors

LIMIT = 5
NEAR_MISSES = 5
CANDIDATES = 20
THRESHOLD = 0.42
THRESHOLD_OF_HER = 0.70
"""Where the message asks about the character: what the person said of the same subject seldom answers that."""
MEANING, WORDING, DATED, SPOKEN = 5.4, 2.0, 3.2, 3.0
"""Weights of cosine, log(1 + BM25), date and speaker (retrieval recipe C)."""
WHOLE = 11.0
"""A score that hardly any message exceeds, by which scores are brought into [0, 1]."""
LEAST_MEANING = 0.25
"""Cosine that a message needs unless its words speak for it."""
STRONG_WORDING = 6.0
A_QUESTION = 0.12
"""What an earlier question loses against a statement: it tells less."""
RELATED_CONFIDENCE = 0.5
MAX_QUALIFIED = 2
MAX_REPLY = 160
"""Characters of what she answered."""
_SECOND_PERSON = frozenset("you your yours yourself you're u ur".split())
_FIRST_PERSON = frozenset("i me my mine myself i'm i've i'd we our us".split())
_REMEMBERING = frozenset("remember recall know heard said told mentioned talked".split())
_TELLING: frozenset[Relation] = CORRECTING | {"Elaboration", "Causal", "Follow-up"}


@dataclass(frozen=True, slots=True)
class Qualification:
    """A later message that is tied to a recollection by a typed relation."""

    id: str
    relation: Relation
    text: str
    when: str

    @property
    def words(self) -> str:
        """What it is to the recollection."""
        return CLASSES[self.relation].words


@dataclass(frozen=True, slots=True)
class Recollection:
    """An earlier message of the person."""

    id: str
    """"message:7"."""
    text: str
    at: str
    """ISO date and time."""
    when: str
    """In words: "three weeks ago"."""
    score: float
    meaning: float
    """Cosine."""
    wording: float
    """BM25 over the message and its neighbours in time."""
    dated: float
    """1 on the day that the message names, -1 elsewhere, 0 where it names none."""
    reply: str = ""
    """What the character answered, quoted as its context."""
    qualified: tuple[Qualification, ...] = ()
    why: str = ""
    """Why it was dropped, where it was."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Recollections that go into the prompt, best first, and those that nearly did."""

    used: tuple[Recollection, ...] = ()
    dropped: tuple[Recollection, ...] = ()
    searched: int = 0
    """Messages of this person to this character."""
    threshold: float = THRESHOLD
    skipped: str = ""


def recall(request: TurnRequest, readers: Readers, vectors: TurnVectors | None, intent: Intent) -> Memory:
    """The earlier messages that bear on this one. Without vectors, words alone decide."""
    silent = _silence(request, intent)
    if silent:
        return Memory(skipped=silent)
    index = readers.said(request)
    if not len(index):
        return Memory(skipped=f"{request.person} has said nothing before")
    threshold = _threshold(request)
    found = _ranked(request, index, vectors)
    kept = {said.id for said in fitting(request.history, request.budgets.history, readers.count_tokens)[0]}
    judged = _qualified([_judged(each, request, kept, threshold) for each in found], request, readers, index)
    used = [each for each in judged if not each.why][:LIMIT]
    over = [replace(each, why="others fit better") for each in judged if not each.why][LIMIT:]
    dropped = [*over, *(each for each in judged if each.why)]
    return Memory(
        used=tuple(used),
        dropped=tuple(dropped[:NEAR_MISSES]),
        searched=len(index),
        threshold=threshold,
        skipped="" if used else "nothing that was said before is close enough to the message",
    )


def _silence(request: TurnRequest, intent: Intent) -> str:
    """Why nothing is looked for; empty if something is."""
    if request.is_off("memory"):
        return "switched off"
    if not request.person_id:
        return "nobody is known here"
    if intent.kind == "small talk" and not intent.by_vectors:
        return "it is small talk"
    content = recollection.content(recollection.question(request))
    if content < recollection.LEAST_CONTENT:
        return "the message names no subject"
    similar = (intent.scores or {}).get("small talk", 0.0)
    if content < recollection.SMALL_TALK_CONTENT and similar >= recollection.SMALL_TALK_SIMILARITY:
        return "it resembles small talk"
    return ""


def _ranked(request: TurnRequest, index: MessageIndex, vectors: TurnVectors | None) -> list[Recollection]:
    """The best candidates by meaning, words and date; of the same words only the newest."""
    meaning = index.cosines(vectors.question) if vectors else np.zeros(len(index), dtype=np.float32)
    wording = index.bm25(recollection.stems(recollection.question(request)))
    count = min(len(meaning), len(wording))
    scores = MEANING * np.clip(meaning[:count], 0, 1) + WORDING * np.log1p(wording[:count])
    named = dates.named_days(request.message, request.now)
    said = frozenset(words.without_possessive(word) for word in words.tokens(request.message))
    if named:
        nearness = [dates.nearness(message.at, named) for message in index.messages[:count]]
        scores = scores + DATED * np.array(nearness, dtype=np.float32)
    spoken = [_spoken(message, said) for message in index.messages[:count]]
    scores = scores + SPOKEN * np.array(spoken, dtype=np.float32)
    rows = _top(scores, CANDIDATES * 2)
    found: dict[str, Recollection] = {}
    for row in rows:
        message = index.messages[row]
        signals = float(meaning[row]), float(wording[row]), dates.nearness(message.at, named), spoken[row]
        each = _recollection(request, message, *signals)
        found.setdefault(message.text.casefold().strip(), each)
    return sorted(found.values(), key=lambda each: (-each.score, each.id))[:CANDIDATES]


def _spoken(message: PastMessage, said: frozenset[str]) -> float:
    """1 where the words name who spoke."""
    return float(bool(message.speaker) and not said.isdisjoint(words.tokens(message.speaker)))


def _top(scores: NDArray[np.floating[Any]], count: int) -> list[int]:
    """Rows of the highest scores; of equal ones the newest first."""
    rows = np.argpartition(-scores, count)[:count] if len(scores) > count else np.arange(len(scores))
    return sorted(map(int, rows), key=lambda row: (-float(scores[row]), -row))


def _recollection(
    request: TurnRequest, message: PastMessage, meaning: float, wording: float, dated: float, spoken: float
) -> Recollection:
    weighed = MEANING * max(0.0, meaning) + WORDING * math.log1p(wording) + DATED * dated + SPOKEN * spoken
    asks = A_QUESTION if message.text.rstrip().endswith("?") else 0.0
    return Recollection(
        id=message.id,
        text=message.text,
        at=message.at.isoformat(),
        when=dates.ago(message.at, request.now),
        score=min(1.0, max(0.0, weighed / WHOLE - asks)),
        meaning=meaning,
        wording=wording,
        dated=dated,
        reply=_shortened(message.reply),
    )


def _threshold(request: TurnRequest) -> float:
    """The higher one for "do you have pets?", but not for "do you remember my cat?"."""
    found = set(words.tokens(request.message))
    about_her = bool(found & _SECOND_PERSON) and not found & _FIRST_PERSON and not found & _REMEMBERING
    return THRESHOLD_OF_HER if about_her else THRESHOLD


def _judged(each: Recollection, request: TurnRequest, in_history: set[str], threshold: float) -> Recollection:
    """With the reason why it is left out, where it is."""
    reasons = (
        (request.is_off(each.id), "switched off"),
        (each.id in in_history, "it stands in the history"),
        (each.text.strip().casefold() == request.message.strip().casefold(), "the same words as the message"),
        (recollection.content(each.text) < recollection.LEAST_CONTENT, "it names no subject"),
        (each.score < threshold, f"below {threshold:.2f}"),
        (each.meaning < LEAST_MEANING and each.wording < STRONG_WORDING, "neither its meaning nor its words are near"),
    )
    return replace(each, why=next((why for applies, why in reasons if applies), ""))


def _qualified(
    found: list[Recollection], request: TurnRequest, readers: Readers, index: MessageIndex
) -> list[Recollection]:
    """With the later messages that correct, contradict or continue those that are used."""
    used = [each.id for each in found if not each.why][:LIMIT]
    edges = [edge for edge in readers.related(request, used) if _tells(edge)] if used else []
    qualified = [replace(each, qualified=_later(each, edges, request, index)) for each in found]
    attached = {more.id for each in qualified if each.id in used for more in each.qualified}
    return [
        replace(each, why="said with the message that it belongs to") if each.id in attached and not each.why else each
        for each in qualified
    ]


def _tells(edge: Related) -> bool:
    return edge.relation in _TELLING and edge.confidence >= RELATED_CONFIDENCE


def _later(
    each: Recollection, edges: Sequence[Related], request: TurnRequest, index: MessageIndex
) -> tuple[Qualification, ...]:
    if each.why:
        return ()
    mine = [edge for edge in edges if edge.earlier == each.id and index.row(edge.later) is not None]
    mine.sort(key=lambda edge: (edge.relation not in CORRECTING, -edge.confidence, edge.later))
    return tuple(_qualification(edge, request, index) for edge in mine[:MAX_QUALIFIED])


def _qualification(edge: Related, request: TurnRequest, index: MessageIndex) -> Qualification:
    row = index.row(edge.later)
    assert row is not None  # noqa: S101  those that the index lacks were left out
    message = index.messages[row]
    return Qualification(edge.later, edge.relation, message.text, dates.ago(message.at, request.now))


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MAX_REPLY else f"{line[:MAX_REPLY].rsplit(' ', 1)[0]} …"
