"""Whether a statement of a character about herself was led: by the whole conversation as the server recorded it.

Pure; no Django. A statement is tainted by any message of the person that is suspicious, by words that the person had
said before (`supplied` says which), by a reply that the server didn't write, and by a document that has the statement.
Harmless statements are tainted, too ("Do you like jazz?" - "Yes"): learning less costs less than learning what
somebody wanted to hear.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from characters.domain import words
from characters.language.gate import cues, encodings, supplied
from characters.language.gate.supplied import Wanted
from characters.language.gate.suspicion import Suspicion, suspicion

VERSION = "2"
"""Of the rules and weights; a verdict is kept with it."""
ALONE = frozenset({"dictation", "memory", "roleplay", "laundering", "encoding", "quotation"})
"""Families of cues that taint whatever the statement is about."""
IN_PART = frozenset({"leading", "persona", "pressing"})
"""Families that taint a statement which shares words with the message or with one just before."""
SURE = 0.9
"""Score from which a message without a cue is an attempt. Of ordinary chat some in a hundred messages are flagged,
nearly all without a cue: by the threshold of a single message every second long conversation would be tainted."""
ACTING = "Asks her to act as somebody"
UNNAMED = "Reads like an attempt to lead her"
ORDER = (
    "instruction",
    "tokens",
    "persona",
    "dictation",
    "memory",
    "laundering",
    "encoding",
    "quotation",
    "roleplay",
    "history",
    "document",
    "leading",
    "pressing",
)
"""Kinds, the gravest first."""
MOST_OF_DOCUMENT = 0.8
"""Share of the statement's words, by rarity, that a sentence of a document has to have."""
OFTEN, ALIKE = 3, 0.5
"""So often the same is asked when somebody is worn down; questions are the same that share so many of their words."""


@dataclass(frozen=True)
class Said:
    """A message as recorded. `is_own`: the server wrote the reply itself; otherwise a client supplied it.

    `vector` is the message's own; without one the verdict goes by words. No slots: what is worked out once is kept.
    """

    id: str
    by: Literal["person", "character"]
    text: str
    is_own: bool = True
    vector: NDArray[np.float32] | None = None

    @property
    def is_hers(self) -> bool:
        return self.by == "character" and self.is_own

    @cached_property
    def judged(self) -> Suspicion:
        """How likely it is an attempt, by itself."""
        return suspicion(self.text, self.vector)

    @cached_property
    def sentences(self) -> list[str]:
        return list(supplied.sentences(self.text))


@dataclass(frozen=True, slots=True)
class Statement:
    """What she said of herself. `object` is what it is about, `message_id` the reply that has it."""

    text: str
    object: str = ""
    message_id: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a statement is tainted: by which message ("document:0" is the first document), by what in it."""

    kind: str
    message_id: str
    cue: str
    span: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Taint:
    """The verdict. `kind` is the gravest reason's, empty where there is none."""

    kind: str
    is_tainted: bool
    reasons: tuple[Reason, ...]


def judge(conversation: Sequence[Said], statement: Statement, documents: Sequence[str] = ()) -> Taint:
    """Over all messages of both sides, oldest first; `documents` are the passages that the reply's turn quoted."""
    sought = supplied.wanted(statement.text, statement.object or statement.text)
    others = [said for said in conversation if not said.is_hers]
    before = _before(conversation, statement, sought)
    found = chain(
        _suspicious(others, sought),
        _leading(before, sought),
        _unwritten(before, statement, sought),
        _in_other_words(before, sought),
        _spelt(others, statement),
        _worn_down(before, sought),
        _of_documents(documents, sought),
    )
    reasons = tuple(sorted(dict.fromkeys(found), key=lambda reason: ORDER.index(reason.kind)))
    return Taint(reasons[0].kind if reasons else "", bool(reasons), reasons)


def attempts(said: Said) -> Iterator[Reason]:
    """Why a message tries to lead her, whatever she answers; nothing for one that doesn't."""
    judged = said.judged
    if judged.is_flagged:
        yield from (_reason(cue.family, said.id, cue.name, cue.span) for cue in judged.cues)
    if judged.score >= SURE and not judged.cues:
        yield _reason("instruction", said.id, UNNAMED, said.text)


def _before(conversation: Sequence[Said], statement: Statement, sought: Wanted) -> list[Said]:
    """What others had said when she first said it; all of it, where her reply isn't among the messages."""
    found: list[Said] = []
    for said in conversation:
        if said.is_hers and (said.id == statement.message_id or _says(said.text, sought)):
            break
        if not said.is_hers:
            found.append(said)
    return found


def _says(text: str, sought: Wanted) -> bool:
    own = (each for each in supplied.sentences(text) if supplied.liking(each) in {0, sought.liking})
    return any(sought.share_of_all(words.stems(each)) == 1 for each in own)


def _suspicious(others: Iterable[Said], sought: Wanted) -> Iterator[Reason]:
    """Messages that are attempts by themselves, and cues that are enough."""
    near = 0.0
    for said in others:
        judged = said.judged
        near, before = sought.share_of_all(words.stems(said.text)), near
        for cue in judged.cues:
            is_about = max(near, before) > 0
            if judged.is_flagged or cue.family in ALONE or cue.name == ACTING or (cue.family in IN_PART and is_about):
                yield _reason(cue.family, said.id, cue.name, cue.span)
        if judged.score >= SURE and not judged.cues:
            yield _reason("instruction", said.id, UNNAMED, said.text)


def _leading(before: Sequence[Said], sought: Wanted) -> Iterator[Reason]:
    """Words of the statement that others brought up."""
    told = [(said, sentence) for said in before for sentence in said.sentences]
    brought = [(said, sentence) for said, sentence in told if supplied.supplies(sentence, sought)]
    for said, sentence in brought:
        yield _reason("leading", said.id, "Had said it before her", sentence)
    if not brought and supplied.together((sentence for _, sentence in told), sought):
        parts = [(said, each) for said, each in told if sought.share(words.stems(each)) and not supplied.is_open(each)]
        for said, sentence in parts:
            yield _reason("leading", said.id, "Had said a part of it before her", sentence)


def _unwritten(before: Iterable[Said], statement: Statement, sought: Wanted) -> Iterator[Reason]:
    """Replies that a client put into the conversation in her name."""
    for said in before:
        is_about = sought.share(words.stems(said.text)) >= supplied.MOST_OF or said.id == statement.message_id
        if said.by == "character" and is_about:
            yield _reason("history", said.id, "A reply that this program didn't write", said.text)


def _in_other_words(before: Iterable[Said], sought: Wanted) -> Iterator[Reason]:
    """Sentences in another language that like, or dislike, something as the statement does: what, nobody reads here."""
    for said in before:
        for sentence in said.sentences:
            if sought.liking and supplied.foreign_liking(sentence) == sought.liking:
                yield _reason("quotation", said.id, "Says so in another language", sentence)


def _spelt(others: Sequence[Said], statement: Statement) -> Iterator[Reason]:
    """Messages that have the object in another form, also where one ends a word that the one before began."""
    for said in others:
        if form := encodings.spells(cues.plain(said.text), statement.object):
            yield _reason("encoding", said.id, f"Has her words {form}", said.text)
    persons = [said for said in others if said.by == "person"]
    for one, other in pairwise(persons):
        if encodings.joins(cues.plain(one.text), cues.plain(other.text), statement.object):
            yield _reason("encoding", other.id, "Has her words, begun in a message before", other.text)


def _worn_down(before: Iterable[Said], sought: Wanted) -> Iterator[Reason]:
    """The same asked again and again, of what the statement is about."""
    asked: list[tuple[str, frozenset[str], str]] = []
    for said in before:
        for sentence in said.sentences:
            stems = frozenset(words.stems(sentence))
            if sought.all & stems and said.by == "person":
                asked.append((said.id, stems, sentence))
    for _, stems, _ in asked:
        same = {where: told for where, other, told in asked if len(stems & other) >= ALIKE * len(stems | other)}
        if len(same) >= OFTEN:
            yield from (_reason("pressing", where, "Asks the same again", told) for where, told in same.items())
            return


def _of_documents(documents: Sequence[str], sought: Wanted) -> Iterator[Reason]:
    """Passages that say the same, or that tell her what to say."""
    for number, passage in enumerate(documents):
        where = f"document:{number}"
        for sentence in supplied.sentences(passage):
            is_enough = len(sought.all & frozenset(words.stems(sentence))) > 1
            if is_enough and sought.share_of_all(words.stems(sentence)) >= MOST_OF_DOCUMENT:
                yield _reason("document", where, "A document says so", sentence)
        for cue in cues.find(passage):
            if cue.family in {"dictation", "memory"} or cue.name == "Sets aside what she was told":
                yield _reason("document", where, cue.name, cue.span)


def _reason(kind: str, where: str, cue: str, span: str) -> Reason:
    shown = " ".join(span.split())[: cues.LONGEST]
    return Reason(kind, where, cue, shown, f"{cue}: “{shown}”")
