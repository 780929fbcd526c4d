"""Memory: earlier messages of this person that bear on this one, and later ones that correct or continue them.

By embedding, by words with their neighbours in time, by speaker and by date.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from characters.domain import dates, words
from characters.domain.relations import CLASSES, CORRECTING, Relation
from characters.turn.intent import Intent
from characters.turn.messages import MessageIndex, PastMessage
from characters.turn.request import Readers, Related, TurnRequest, TurnVectors
from characters.turn.sections import fitting_history
from characters.turn.trace import NEAR_MISSES, first_reason, nothing_found

LIMIT = 5
CANDIDATES = 20
THRESHOLD = 0.42
THRESHOLD_ABOUT_CHARACTER = 0.70
"""Threshold where the message asks about the character: what the person said on the subject seldom answers that."""
MEANING, WORDING, DATED, SPOKEN = 5.4, 2.0, 3.2, 3.0
"""Weights of cosine, log(1 + BM25), date and speaker."""
HIGHEST_SUM = 11.0
"""Upper end of the weighted sum, which scales scores to [0, 1]."""
LEAST_MEANING = 0.25
"""Cosine that a message needs unless its words match."""
STRONG_WORDING = 6.0
A_QUESTION = 0.12
"""Penalty of an earlier question against a statement: it says less."""
RELATED_CONFIDENCE = 0.5
MAX_QUALIFIED = 2
MAX_REPLY = 160
LEAST_CONTENT = 2.2
"""Summed rarity of words below which a message has no subject."""
SMALL_TALK_CONTENT = 8.0
"""Summed rarity below which a message that resembles small talk is small talk."""
SMALL_TALK_SIMILARITY = 0.5
_FORMULAS = re.compile(
    r"\b(?:hi|hello|hey|hiya|howdy|good (?:morning|afternoon|evening|night|day)|thanks?(?: you)?(?: so much| a lot)?"
    r"|cheers|bye|goodbye|see y(?:ou|a)(?: (?:later|soon|tomorrow))?|take care"
    r"|how(?:'re| are)? (?:you|things|u|ya)(?: doin[g']?)?(?: today)?|how'?s it going|how have you been|what'?s up"
    r"|nice to (?:see|meet) you|talk to you (?:later|soon)|ok(?:ay)?|lol|haha+|you too|long time no see|welcome back"
    r"|have a (?:good|nice|great|lovely) (?:day|evening|night|weekend|one|time)"
    r"|it(?:'?s| was| is) (?:good|nice|great|lovely) to (?:see|hear from|talk to|speak (?:to|with)) you"
    r"|(?:i'm |i am )?(?:thankful|grateful) for your (?:help|time))\b",
    re.IGNORECASE,
)
_ASKING = frozenset("remember recall tell talked talk mentioned mention told ask asked say saying remind".split())
_SECOND_PERSON = frozenset("you your yours yourself you're u ur".split())
_FIRST_PERSON = frozenset("i me my mine myself i'm i've i'd we our us".split())
_REMEMBERING = frozenset("remember recall know heard said told mentioned talked".split())
_QUALIFYING: frozenset[Relation] = CORRECTING | {"Elaboration", "Causal", "Follow-up"}


@dataclass(frozen=True, slots=True)
class Qualification:
    """A later message with a typed relation to a recollection."""

    id: str
    relation: Relation
    text: str
    when: str

    @property
    def words(self) -> str:
        """Return how it relates to the recollection, in words."""
        return CLASSES[self.relation].words


@dataclass(frozen=True, slots=True)
class Recollection:
    """An earlier message of the person."""

    id: str
    text: str
    when: str
    score: float
    meaning: float
    wording: float
    """BM25 over the message and its neighbours in time."""
    dated: float
    """1 on the day that the message names, -1 on others, 0 if it names none."""
    reply: str = ""
    qualified: tuple[Qualification, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """The recollections that go into the prompt, best first, and the near misses."""

    used: tuple[Recollection, ...] = ()
    dropped: tuple[Recollection, ...] = ()
    searched: int = 0
    from_file: int = 0
    """How many of them the index file has; the database has the newer ones."""
    threshold: float = THRESHOLD
    skipped: str = ""


def recall(request: TurnRequest, readers: Readers, vectors: TurnVectors | None, intent: Intent) -> Memory:
    """Return the earlier messages that bear on this one. Without vectors, only words count."""
    if silent := _silence(request, intent):
        return Memory(skipped=silent)
    index = readers.past_messages(request)
    if index is None:
        return Memory(skipped=f"the index of what {request.person} said before is being made; the next turn has it")
    unread = partial(nothing_found, unread=request.unread_messages, noun="message")
    if not len(index):
        return Memory(skipped=unread(f"{request.person} hasn't said anything before"))
    threshold = _threshold(request)
    history = fitting_history(request.history, request.budgets.history, readers.count_tokens)[0]
    in_history = {message.id for message in history}
    ranked = _ranked(request, index, vectors, readers)
    judged = _qualified([_judged(each, request, in_history, threshold) for each in ranked], request, readers)
    fit, unfit = ([each for each in judged if bool(each.why) is dropped] for dropped in (False, True))
    over = [replace(each, why="others fit better") for each in fit[LIMIT:]]
    return Memory(
        used=tuple(fit[:LIMIT]),
        dropped=tuple([*over, *unfit][:NEAR_MISSES]),
        searched=len(index),
        from_file=index.stored if index.is_file else 0,
        threshold=threshold,
        skipped="" if fit else unread("no earlier message is close enough"),
    )


def question(request: TurnRequest) -> str:
    """Return the message without greetings, both names and dates, to compare with earlier messages."""
    text = dates.without_days(_FORMULAS.sub(" ", request.message), request.now)
    names = {name.lower() for full in (request.person, request.sheet.name) for name in full.split()}
    subject = [word for word in text.split() if words.without_possessive(word.strip(".,;:!?").lower()) not in names]
    return " ".join(subject).strip(" ,.;:!-")


def _stems(text: str) -> list[str]:
    """Return the stems of subject words, without words of time and of asking for a memory."""
    return [
        words.stem(word)
        for word in words.tokens(text)
        if word not in words.STOP and word not in dates.TIME_WORDS and word not in _ASKING
    ]


def _content(text: str) -> float:
    """Return the summed rarity of a text's subject words, each counted once."""
    return sum(words.stem_rarity(stem) for stem in set(_stems(_FORMULAS.sub(" ", text))))


def _silence(request: TurnRequest, intent: Intent) -> str:
    content = _content(question(request))
    similar = (intent.scores or {}).get("small talk", 0.0)
    return first_reason(
        (request.is_off("memory"), "switched off"),
        (not request.person_id, "no person is known in this conversation"),
        (intent.kind == "small talk" and not intent.by_vectors, "it is small talk"),
        (content < LEAST_CONTENT, "the message names no subject"),
        (content < SMALL_TALK_CONTENT and similar >= SMALL_TALK_SIMILARITY, "it resembles small talk"),
    )


def _ranked(
    request: TurnRequest, index: MessageIndex, vectors: TurnVectors | None, readers: Readers
) -> list[Recollection]:
    """Return the best candidates by embedding, words and date; of equal texts only the newest."""
    meaning = index.cosines(vectors.question) if vectors else np.zeros(len(index), dtype=np.float32)
    wording = index.bm25(_stems(question(request)))
    count = min(len(meaning), len(wording))  # another thread may add a message between the two
    scores = MEANING * np.clip(meaning[:count], 0, 1) + WORDING * np.log1p(wording[:count])
    dated = dates.nearness(index.days[:count], dates.named_days(request.message, request.now))
    spoken = index.spoken_by(frozenset(words.without_possessive(word) for word in words.tokens(request.message)))[
        :count
    ]
    scores = scores + DATED * dated + SPOKEN * spoken
    rows = _top(scores, CANDIDATES * 2)
    ids = index.ids[rows].tolist()
    messages = readers.messages(request, ids)
    by_text: dict[str, Recollection] = {}
    for row, id_ in zip(rows, ids, strict=True):
        if message := messages.get(id_):
            signals = (float(each[row]) for each in (meaning, wording, dated, spoken))
            by_text.setdefault(message.text.casefold().strip(), _recollection(request, message, *signals))
    return sorted(by_text.values(), key=lambda each: (-each.score, each.id))[:CANDIDATES]


def _top(scores: NDArray[np.floating[Any]], count: int) -> list[int]:
    """Return the rows of the highest scores; of equal ones the newest first."""
    rows = np.argpartition(-scores, count)[:count] if len(scores) > count else np.arange(len(scores))
    return sorted(map(int, rows), key=lambda row: (-float(scores[row]), -row))


def _recollection(
    request: TurnRequest, message: PastMessage, meaning: float, wording: float, dated: float, spoken: float
) -> Recollection:
    weighed = MEANING * max(0.0, meaning) + WORDING * math.log1p(wording) + DATED * dated + SPOKEN * spoken
    asks = A_QUESTION if message.text.rstrip().endswith("?") else 0.0
    reply = " ".join(message.reply.split())
    return Recollection(
        id=f"message:{message.id}",
        text=message.text,
        when=dates.ago(message.at, request.now),
        score=min(1.0, max(0.0, weighed / HIGHEST_SUM - asks)),
        meaning=meaning,
        wording=wording,
        dated=dated,
        reply=reply if len(reply) <= MAX_REPLY else f"{reply[:MAX_REPLY].rsplit(' ', 1)[0]} …",
    )


def _threshold(request: TurnRequest) -> float:
    """Return the higher threshold for "do you have pets?", but not for "do you remember my cat?"."""
    asked = set(words.tokens(request.message))
    about_character = asked & _SECOND_PERSON and not asked & (_FIRST_PERSON | _REMEMBERING)
    return THRESHOLD_ABOUT_CHARACTER if about_character else THRESHOLD


def _judged(recollection: Recollection, request: TurnRequest, in_history: set[str], threshold: float) -> Recollection:
    why = first_reason(
        (request.is_off(recollection.id), "switched off"),
        (recollection.id in in_history, "it stands in the history"),
        (recollection.text.strip().casefold() == request.message.strip().casefold(), "the same words as the message"),
        (_content(recollection.text) < LEAST_CONTENT, "it names no subject"),
        (recollection.score < threshold, f"below {threshold:.2f}"),
        (
            recollection.meaning < LEAST_MEANING and recollection.wording < STRONG_WORDING,
            "neither its meaning nor its words are near",
        ),
    )
    return replace(recollection, why=why)


def _qualified(candidates: list[Recollection], request: TurnRequest, readers: Readers) -> list[Recollection]:
    """Return the candidates with later messages that correct or continue them."""
    used = [candidate.id for candidate in candidates if not candidate.why][:LIMIT]
    related = readers.related(request, used) if used else []
    edges = [edge for edge in related if edge.relation in _QUALIFYING and edge.confidence >= RELATED_CONFIDENCE]
    edges.sort(key=lambda edge: (edge.relation not in CORRECTING, -edge.confidence, edge.later))
    later = readers.messages(request, [_number(edge.later) for edge in edges]) if edges else {}
    qualified = [
        candidate if candidate.why else _with_later(candidate, edges, request, later) for candidate in candidates
    ]
    attached = {each.id for candidate in qualified if candidate.id in used for each in candidate.qualified}
    return [
        replace(candidate, why="said with the message that it belongs to")
        if candidate.id in attached and not candidate.why
        else candidate
        for candidate in qualified
    ]


def _with_later(
    recollection: Recollection, edges: Sequence[Related], request: TurnRequest, later: Mapping[int, PastMessage]
) -> Recollection:
    qualified = [
        Qualification(edge.later, edge.relation, message.text, dates.ago(message.at, request.now))
        for edge in edges
        if edge.earlier == recollection.id and (message := later.get(_number(edge.later)))
    ]
    return replace(recollection, qualified=tuple(qualified[:MAX_QUALIFIED]))


def _number(graph_id: str) -> int:
    return int(graph_id.rpartition(":")[2])
