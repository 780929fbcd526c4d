"""Background: which facts about the character bear on this message?

Signals rank the facts; cues in the message decide whether the character is asked about itself at all. Both are weighed
by fitted models (`weights`). A fact's score is the probability that the message asks for it: high relevance is right in
at least 80 of 100 cases, medium in at least half (docs/quality.md).
"""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from characters.domain import words
from characters.domain.logistic import probability
from characters.domain.sheet import is_learned
from characters.language.speech_acts import FIRST_PERSON
from characters.turn import cues, signals, weights
from characters.turn.fact_index import BROAD_LIMIT, FactIndex, Floats
from characters.turn.intent import Intent
from characters.turn.request import Snapshot, TurnRequest, Vector
from characters.turn.signals import Signals
from characters.turn.trace import near_misses, nothing_found

NARROW_LIMIT = 3
LEARNED_LIMIT = 2
"""Most learned facts in a prompt. They come after the sheet's facts and take no place from them."""
SHORT_WORDS = 2
FLOOR = 0.05
NEAR = 0.35
"""Similarity from which an unused fact is a near miss, even if it shares no word and no category."""
HIGH, MEDIUM = 0.80, 0.60
"""Scores from which relevance is high, or medium. Medium starts above one half because scores are too high on hard
sets.
"""
_FIRST = 3.0
"""Bonus for the first fact of a category that the message names; the second fact gets half of it, and so on."""
_FIRST_ALONE = 5.0
"""The bonus where the message names nothing else ("Your job?")."""
_STRANGER = 12.0
"""Penalty for facts of other categories in that case."""

Level = Literal["high", "medium", "low"]

OF_CHOSEN = ("asked", "rank", "behind the best", "share", "question", "sentence")
"""Signals that estimate how likely a chosen fact is right."""

_PLAIN = frozenset("how how's what what's is are your you tell me about the and please".split())
_END = r"(?=\W*$|[.,;!?]|,? (?:please|first|now|then|today|again|exactly|really|anyway|to me|to us)\b)"
_BROAD = re.compile(
    r"\b(?:tell|say|hear|know|talk|speak|learn|share|more|something)\b[^.;!?]{0,60} about"
    rf" (?:yourself(?! and\b)|(?:you|your (?:life|story)){_END})"
    rf"|\b(?:describe|introduce) yourself{_END}"
    rf"|\bwho (?:are|r) (?:you|u){_END}"
    rf"|^\W*(?:(?:and|so|please|what is|what's|tell me) )*your (?:life )?story{_END}",
    re.IGNORECASE,
)
"""Matches questions about the character in general, with no subject after them."""
_RECALLING = re.compile(
    r"\b(?:(?:do|can|did|don't) )?you (?:\w+ )?(?:remember|know|recall)\b(?=.{0,80}\b(?:about|of)\b)"
    r"|\b(?:(?:do|can|did|don't) )?you (?:\w+ )?(?:remember|recall)"
    r"(?= (?:my|our|me|(?:wh\w+|if|that|how) i|(?-i:[A-Z])))"
    r"|\b(?:did|have|haven't|didn't) i (?:\w+ )?(?:tell|told|mention(?:ed)?) you\b",
    re.IGNORECASE,
)
"""Matches requests to recall something; there, "remember" doesn't stand for the character's memories."""


@dataclass(frozen=True, slots=True)
class ScoredFact:
    """A fact with its signals, each in [0, 1], and the probability that the message asks for it."""

    id: str
    predicate: str
    object: str
    sentence: str
    score: float
    relevance: Level
    lexical: float
    semantic: float
    concept: float
    question: str = ""
    """The question for this fact that is most similar to the message."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Background:
    """The facts that go into the prompt, best first, and the near misses."""

    used: tuple[ScoredFact, ...] = ()
    dropped: tuple[ScoredFact, ...] = ()
    total: int = 0
    broad: bool = False
    gate: str = ""
    threshold: float = FLOOR
    asked: float = 0.0
    """Probability that the message asks the character about itself, and the threshold for it."""
    asked_from: float = 0.0
    source: str = ""
    source_reason: str = ""
    missing_vectors: int = 0
    skipped: str = ""


def background(
    request: TurnRequest, read: Callable[[TurnRequest], Snapshot], vector: Vector | None, intent: Intent
) -> Background:
    """Choose the facts for this message. Without its vector, only words count."""
    if request.is_off("background"):
        return Background(skipped="switched off")
    snapshot = read(request)
    if not snapshot.full.facts:
        return Background(skipped=f"{request.sheet.name} has no facts yet")
    search = _Search(request, snapshot, snapshot.full, vector)
    gate, asked = search.gate(intent)
    not_close = nothing_found(cues.NOT_CLOSE, snapshot.full.missing, "fact")
    gate = not_close if gate == cues.NOT_CLOSE else gate
    chosen = [*_of_sheet(request, snapshot, vector, intent, search), *(search.learned() if asked else ())]
    used = [fact for fact in chosen if not request.is_off(f"fact:{fact.id}")]
    return Background(
        used=tuple(used),
        dropped=search.near_misses({fact.id for fact in used}, "" if asked else gate),
        total=len(snapshot.full.facts),
        broad=search.is_broad,
        gate=gate,
        asked=search.chance,
        asked_from=search.deciding.threshold,
        source=snapshot.source,
        source_reason=snapshot.reason,
        missing_vectors=snapshot.full.missing,
        skipped="" if used else (not_close if asked else gate),
    )


def _of_sheet(
    request: TurnRequest, snapshot: Snapshot, vector: Floats | None, intent: Intent, search: "_Search"
) -> list[ScoredFact]:
    """Choose facts of the sheet as if nothing were learned, so that learned facts displace none."""
    if not snapshot.index.facts:
        return []
    if snapshot.with_learned is not None:
        search = _Search(request, snapshot, snapshot.index, vector)
    if not search.gate(intent)[1]:
        return []
    return search.diverse() if search.is_broad else search.best()


def of_chosen(of_message: Signals, ranks: Floats, fact: int, odds: float) -> tuple[float, ...]:
    """Return the values of `OF_CHOSEN` for a fact."""
    row = of_message.of_facts[fact]
    behind = float(ranks[fact] - ranks.max())
    share = behind - math.log(float(np.exp(ranks - ranks.max()).sum()))
    return odds, float(ranks[fact]), behind, share, float(row[signals.QUESTION]), float(row[signals.SENTENCE])


class _Search:
    def __init__(self, request: TurnRequest, snapshot: Snapshot, index: FactIndex, vector: Floats | None) -> None:
        self._request, self._index, self._vector = request, index, vector
        model = weights.shipped()
        message = _RECALLING.sub(" ", request.message)
        rest = frozenset(words.tokens(message))
        self._speaks_to_nobody = cues.YOU.isdisjoint(rest)
        self._signals = signals.of_facts(index, message, vector)
        self.deciding = model.by_vectors if self._signals.by_vectors else model.by_words
        plain = self.deciding.rank.log_odds(self._signals.of_facts)
        about = _about(model, snapshot, vector)
        self._cues = cues.of_message(request.message, request.sheet.name, self._index, self._signals, plain, about)
        self._odds = float(self.deciding.asked.log_odds(self._cues))
        self.chance = float(probability(self._odds))
        self.is_broad = bool(_BROAD.search(request.message))
        is_named = self._signals.of_facts[:, [signals.WORDS, signals.NAMED]].any()
        is_theirs = self._speaks_to_nobody and not FIRST_PERSON.isdisjoint(rest)
        self._asks_for_memory = message != request.message and (is_theirs or not is_named)
        self._ranks = plain + _first(self._index, request.message)
        self._order = np.argsort(-self._ranks, kind="stable")

    def gate(self, intent: Intent) -> tuple[str, bool]:
        """Return why the character is, or isn't, asked about itself, and whether it is."""
        if intent.kind == "small talk" and not intent.by_vectors:
            return "it is small talk", False
        if intent.kind == "user-query" and not intent.by_vectors and self._speaks_to_nobody:
            return intent.rule, False
        if self._asks_for_memory:
            return "it asks for a memory, and for none of the character's", False
        if self.is_broad:
            return "it asks about the character in general", True
        if cues.names_a_category(self._request.message, self._index):
            return "it names a category of the character's facts", True
        asked = self.chance >= self.deciding.threshold
        return cues.reasons(self._cues, self.deciding, asked=asked), asked

    def best(self) -> list[ScoredFact]:
        """Return one fact for a question of one or two words, three for a narrow question; only facts likely enough."""
        limit = NARROW_LIMIT if len(self._request.message.split()) > SHORT_WORDS else 1
        return self._close(self._order[:limit])

    def learned(self) -> list[ScoredFact]:
        """Return at most two learned facts, and none for a general question, which the sheet answers."""
        if self.is_broad:
            return []
        learned = (fact for fact in self._order if is_learned(self._index.facts[fact].id))
        return self._close(islice(learned, LEARNED_LIMIT))

    def _close(self, facts: Iterable[int]) -> list[ScoredFact]:
        scored = [fact for fact in map(self._scored, facts) if fact.score >= FLOOR]
        return sorted(scored, key=lambda fact: -fact.score)

    def diverse(self) -> list[ScoredFact]:
        """Return facts for a general question: the best matches first, then one of each family in turn."""
        best = list(self._order[:NARROW_LIMIT])
        sure = [fact for fact in best if self._scored(fact).score >= MEDIUM] or best[:1]
        rest = [fact for fact in self._index.broad if fact not in sure]
        return [self._scored(fact) for fact in (*sure, *rest)][:BROAD_LIMIT]

    def near_misses(self, used: set[str], gate: str) -> tuple[ScoredFact, ...]:
        facts = self._index.facts
        off = [fact for fact in self._order if f"fact:{facts[fact].id}" in self._request.off]
        is_near = self._near()
        near = (fact for fact in self._order if is_near[fact] and facts[fact].id not in used and fact not in off)
        return near_misses(map(self._scored, off), map(self._scored, near), FLOOR, gate)

    def _near(self) -> NDArray[np.bool_]:
        of_facts = self._signals.of_facts
        meaning = np.maximum(of_facts[:, signals.QUESTION], of_facts[:, signals.SENTENCE])
        near: NDArray[np.bool_] = meaning >= NEAR
        for signal in (signals.WORDS, signals.NAMED, signals.CONCEPT):
            near |= of_facts[:, signal] > 0
        return near

    def _scored(self, fact: int) -> ScoredFact:
        row, about = self._signals.of_facts[fact], self._index.facts[fact]
        chosen = of_chosen(self._signals, self._ranks, fact, self._odds)
        score = float(probability(self.deciding.right.log_odds(np.array(chosen, dtype=np.float32))))
        is_close = self._signals.by_vectors and self._vector is not None
        return ScoredFact(
            id=about.id,
            predicate=about.predicate,
            object=about.object,
            sentence=self._index.sentences[fact],
            score=score,
            relevance="high" if score >= HIGH else "medium" if score >= MEDIUM else "low",
            lexical=float(min(1.0, row[signals.WORDS] + row[signals.NAMED])),
            semantic=float(max(row[signals.QUESTION], row[signals.SENTENCE])) if self._index.known[fact] else 0.0,
            concept=float(row[signals.CONCEPT]),
            question=self._index.questions.nearest(fact, self._vector) if is_close and self._vector is not None else "",
        )


def _about(model: weights.Weights, snapshot: Snapshot, vector: Floats | None) -> tuple[float, float]:
    if vector is None or not snapshot.fits_weights or len(vector) != len(model.about.direction.weights):
        return 0.0, 0.0
    return model.about.score(vector)


def _first(index: FactIndex, message: str) -> Floats:
    gain = np.zeros(len(index.facts), dtype=np.float32)
    named = frozenset(words.stem(word) for word in words.tokens(message))
    categories = named & index.members.keys()
    subject = frozenset(words.stems(message))
    rest = {word for word in words.tokens(message) if words.stem(word) not in categories}
    # "Your job?", but not "Where do you work?": nothing in the message tells the facts of the category apart.
    is_alone = bool(subject) and subject <= categories and rest <= _PLAIN
    if is_alone:
        gain -= _STRANGER
        for stem in categories:
            gain[index.members[stem]] = 0
    for stem in sorted(named & index.core.keys()):
        facts = index.core[stem]
        gain[facts] += (_FIRST_ALONE if is_alone else _FIRST) / (1 + np.arange(len(facts)))
    return gain
