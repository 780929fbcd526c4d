"""Memory: earlier messages of this person that bear on this one, and later ones that correct or continue them.

By embedding, by words with their neighbours in time, by speaker and by date.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from characters.domain import dates, words
from characters.domain.relations import CLASSES, CORRECTING, Relation
from characters.language import corrections, speech_acts
from characters.turn.intent import Intent
from characters.turn.messages import MessageIndex, PastMessage
from characters.turn.postings import Floats
from characters.turn.request import Readers, Related, TurnRequest, TurnVectors
from characters.turn.sections import fitting_history
from characters.turn.trace import NEAR_MISSES, first_reason, nothing_found

LIMIT = 5
CANDIDATES = 20
UNRELATED, ASKED = 95, 70
"""Percent of everyday talk that scores less here than a recollection must: usually, and where the message asks for
what the person told, of which much more has an answer.
"""
DATED, SPOKEN = 3.2, 3.0
"""Points for the day that the message names, and for who is asked about, where more than the person speak."""
HIGHEST_SUM = 11.0
"""Points that scale scores to [0, 1]."""
IN_HISTORY = "it stands in the history"
RELATED_CONFIDENCE = 0.5
MAX_QUALIFIED = 2
MAX_CORRECTIONS = 10
"""Later messages that take something back, of which the texts are compared with a recollection."""
DENIED = 0.9
"""Confidence that a denial is of what was said."""
MAX_REPLY = 160
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
    likeness: float
    """The score that the threshold is for: of the date only that it fits, and if the message asks for what was told."""
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
    threshold: float = 0.0
    percentile: int = UNRELATED
    """Percent of everyday talk that scores below the threshold here."""
    asked: bool = False
    """Whether the message asks for something that the person told."""
    skipped: str = ""

    @property
    def in_history(self) -> bool:
        """Return whether something that is near stands in the history."""
        return any(each.why == IN_HISTORY for each in self.dropped)


def recall(request: TurnRequest, readers: Readers, vectors: TurnVectors | None, intent: Intent) -> Memory:
    """Return the earlier messages that bear on this one. Without vectors, only words count."""
    if silent := _silence(request, intent):
        return Memory(skipped=silent)
    index = readers.past_messages(request)
    if index is None:
        return Memory(skipped=f"the index of what {request.person} said before is being made; the next turn has it")
    unread = partial(nothing_found, unread=request.unread_messages, noun="message")
    asked = _asks(request, index)
    if not len(index):
        return Memory(asked=asked, skipped=unread(f"{request.person} hasn't said anything before"))
    meaning = index.cosines(vectors.question) if vectors else np.zeros(len(index), dtype=np.float32)
    talk = readers.talk() if vectors else np.zeros((0, 0), dtype=np.float32)
    if vectors and not speech_acts.questions(request.message) and (talk @ vectors.question).max() > meaning.max():
        return Memory(skipped=unread(f"it is more like everyday talk than like anything that {request.person} said"))
    percentile = ASKED if asked else UNRELATED
    noise = np.percentile(index.noise(talk)[1 if vectors else 0], percentile, method="lower")
    threshold = max(0.0, float(noise)) / HIGHEST_SUM
    history = fitting_history(request.history, request.budgets.history, readers.count_tokens)[0]
    in_history = {message.id for message in history}
    ranked = _ranked(request, index, meaning, readers, asked=asked)
    judged = _qualified([_judged(each, request, in_history, threshold) for each in ranked], request, index, readers)
    fit, unfit = ([each for each in judged if bool(each.why) is dropped] for dropped in (False, True))
    over = [replace(each, why="others fit better") for each in fit[LIMIT:]]
    return Memory(
        used=tuple(fit[:LIMIT]),
        dropped=tuple([*over, *unfit][:NEAR_MISSES]),
        searched=len(index),
        from_file=index.stored if index.is_file else 0,
        threshold=threshold,
        percentile=percentile,
        asked=asked,
        skipped="" if fit else unread("no earlier message is close enough"),
    )


def _asks(request: TurnRequest, index: MessageIndex) -> bool:
    """Return whether the message asks for what the person told: of themself, of who speaks, or of a name that they
    used, which is in no list of words.
    """
    names = [word for word in words.tokens(question(request)) if words.rarity(word) >= words.UNKNOWN]
    used = index.known([words.stem(word) for word in names])
    of_names = {name for name in names if words.stem(name) in used}
    return speech_acts.asks_for_memory(request.message, {*words.tokens(request.person), *index.speakers, *of_names})


def question(request: TurnRequest) -> str:
    """Return the message without greetings, both names and dates, to compare with earlier messages."""
    text = dates.without_days(speech_acts.without_formulas(request.message), request.now)
    names = _names(request)
    subject = [word for word in text.split() if words.without_possessive(word.strip(".,;:!?").lower()) not in names]
    return " ".join(subject).strip(" ,.;:!-")


def _names(request: TurnRequest) -> set[str]:
    return {name.lower() for full in (request.person, request.sheet.name) for name in full.split()}


def _silence(request: TurnRequest, intent: Intent) -> str:
    return first_reason(
        (request.is_off("memory"), "switched off"),
        (not request.person_id, "no person is known in this conversation"),
        (intent.kind == "small talk" and not intent.by_vectors, "it is small talk"),
        (not speech_acts.subject_stems(question(request)), "the message names no subject"),
    )


def _ranked(
    request: TurnRequest, index: MessageIndex, meaning: Floats, readers: Readers, *, asked: bool
) -> list[Recollection]:
    """Return the best candidates by embedding, words and date; of equal texts only the newest."""
    wording = index.bm25(speech_acts.subject_stems(question(request)))
    points = index.points(meaning, wording)
    named = dates.named_days(request.message, request.now)
    on_day, about_day = (dates.nearness(days[: len(points)], named) for days in (index.days, index.about))
    dated = np.maximum(on_day, about_day)
    spoken = _spoken(request, index)[: len(points)]
    plain = points + SPOKEN * spoken
    scores = ((plain + DATED * dated) / HIGHEST_SUM).astype(np.float32)
    bonus = np.maximum(dated, 0) if asked else 0.0
    likeness = ((plain + DATED * bonus) / HIGHEST_SUM).astype(np.float32)
    rows = [row for row in _top(scores, CANDIDATES * 2) if np.isfinite(scores[row])]
    ids = index.ids[rows].tolist()
    messages = readers.messages(request, ids)
    by_text: dict[str, Recollection] = {}
    signals = {"score": scores, "likeness": likeness, "meaning": meaning, "wording": wording, "dated": dated}
    for row, id_ in zip(rows, ids, strict=True):
        if message := messages.get(id_):
            of_row = {name: float(each[row]) for name, each in signals.items()}
            by_text.setdefault(message.text.casefold().strip(), _recollection(request, message, of_row))
    return sorted(by_text.values(), key=lambda each: (-each.score, each.id))[:CANDIDATES]


def _spoken(request: TurnRequest, index: MessageIndex) -> Floats:
    """Return 1 for messages of whom the message names, -1 for those of others where it is about the person; 0 where
    only the person speaks.
    """
    asked = {words.without_possessive(word) for word in words.tokens(request.message)}
    spoken = index.spoken_by(frozenset(asked))
    if spoken.any() or asked.isdisjoint(speech_acts.FIRST_PERSON):
        return spoken
    by_person = index.spoken_by(frozenset(words.tokens(request.person)))
    return by_person - 1 if by_person.any() else by_person


def _top(scores: Floats, count: int) -> list[int]:
    """Return the rows of the highest scores; of equal ones the newest first."""
    rows = np.argpartition(-scores, count)[:count] if len(scores) > count else np.arange(len(scores))
    return sorted(map(int, rows), key=lambda row: (-float(scores[row]), -row))


def _recollection(request: TurnRequest, message: PastMessage, signals: Mapping[str, float]) -> Recollection:
    reply = " ".join(message.reply.split())
    return Recollection(
        id=f"message:{message.id}",
        text=message.text,
        when=dates.ago(message.at, request.now),
        score=min(1.0, max(0.0, signals["score"])),
        likeness=min(1.0, max(0.0, signals["likeness"])),
        meaning=signals["meaning"],
        wording=signals["wording"],
        dated=signals["dated"],
        reply=reply if len(reply) <= MAX_REPLY else f"{reply[:MAX_REPLY].rsplit(' ', 1)[0]} …",
    )


def _judged(recollection: Recollection, request: TurnRequest, in_history: set[str], threshold: float) -> Recollection:
    why = first_reason(
        (request.is_off(recollection.id), "switched off"),
        (recollection.id in in_history, IN_HISTORY),
        (recollection.text.strip().casefold() == request.message.strip().casefold(), "the same words as the message"),
        (not recollection.likeness or recollection.likeness < threshold, f"below {threshold:.2f}"),
    )
    return replace(recollection, why=why)


def _qualified(
    candidates: list[Recollection], request: TurnRequest, index: MessageIndex, readers: Readers
) -> list[Recollection]:
    """Return the candidates with later messages that correct or continue them."""
    used = [candidate.id for candidate in candidates if not candidate.why][:LIMIT]
    related = readers.related(request, used) if used else []
    edges = [edge for edge in related if edge.relation in _QUALIFYING and edge.confidence >= RELATED_CONFIDENCE]
    texts = {candidate.id: candidate.text for candidate in candidates}
    stems = {_number(id_): speech_acts.subject_stems(texts[id_]) for id_ in used}
    corrected = index.corrections(stems, MAX_CORRECTIONS)
    ids = {_number(edge.later) for edge in edges}.union(*(by_id.keys() for by_id in corrected.values()))
    later = readers.messages(request, sorted(ids)) if ids else {}
    edges += [
        Related(id_, f"message:{number}", "Contrast", sure)
        for id_ in used
        for number, follows in corrected.get(_number(id_), {}).items()
        if number in later and (sure := _corrects(later[number], texts[id_], follows=follows))
    ]
    edges.sort(key=lambda edge: (edge.relation not in CORRECTING, -edge.confidence, -_number(edge.later)))
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


def _corrects(later: PastMessage, text: str, *, follows: bool) -> float:
    """Return how sure it is that a later message corrects this text: that it ends something of it, or puts it right as
    the next one, goes before that it denies something.
    """
    is_sure = corrections.ends(later.text, text) or (follows and corrections.puts_right(later.text, text))
    return 1.0 if is_sure else DENIED if corrections.denies(later.text, text) else 0.0


def _with_later(
    recollection: Recollection, edges: Sequence[Related], request: TurnRequest, later: Mapping[int, PastMessage]
) -> Recollection:
    qualified = {
        edge.later: Qualification(edge.later, edge.relation, message.text, dates.ago(message.at, request.now))
        for edge in reversed(edges)
        if edge.earlier == recollection.id and (message := later.get(_number(edge.later)))
    }
    return replace(recollection, qualified=tuple(list(qualified.values())[::-1][:MAX_QUALIFIED]))


def _number(graph_id: str) -> int:
    return int(graph_id.rpartition(":")[2])
