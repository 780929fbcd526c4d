"""Judge by the whole recorded conversation whether a character's statement about itself was elicited.

Pure; no Django. A statement is tainted by a suspicious message, by words that the person said before (see `supplied`),
by a reply that the server didn't write, and by a document that has the statement. Harmless statements are tainted, too
("Do you like jazz?" - "Yes"): learning less costs less than learning what somebody wanted to hear.
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
from characters.language.sentences import texts

VERSION = "2"
"""Version of the rules and weights, kept with each verdict."""
ALONE = frozenset({"dictation", "memory", "roleplay", "laundering", "encoding", "quotation"})
"""Families of cues that taint any statement."""
IN_PART = frozenset({"leading", "persona", "pressing"})
"""Families of cues that taint a statement with words of the same message or the one before."""
SURE = 0.9
"""Score from which a message without a cue is an attempt. A few in a hundred ordinary messages are flagged, nearly all
without a cue: by the threshold for a single message, half of all long conversations would be tainted."""
ACTING = "Asks to act as somebody"
UNNAMED = "Reads like an attempt to lead the character"
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
"""Kinds of reasons, the gravest first."""
MOST_OF_DOCUMENT = 0.8
"""Share of the statement's words, by rarity, that a sentence of a document must have."""
OFTEN, ALIKE = 3, 0.5
"""Times that the same is asked to wear the character down, and share of words from which sentences are the same."""


@dataclass(frozen=True)
class Utterance:
    """A message as recorded. `is_own`: the server wrote the reply itself; otherwise a client supplied it.

    `vector` is the message's embedding; without one it is judged by words. No slots, for the cached properties.
    """

    id: str
    by: Literal["person", "character"]
    text: str
    is_own: bool = True
    vector: NDArray[np.float32] | None = None

    @property
    def is_own_reply(self) -> bool:
        return self.by == "character" and self.is_own

    @cached_property
    def judged(self) -> Suspicion:
        """Suspicion of this message alone."""
        return suspicion(self.text, self.vector)

    @cached_property
    def sentences(self) -> list[str]:
        return list(texts(self.text))


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of the character about itself, with its object and the id of the reply that has it."""

    text: str
    object: str = ""
    message_id: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for taint: a cue or finding in a message ("document:0" is the first document)."""

    kind: str
    message_id: str
    cue: str
    span: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Taint:
    """The verdict. `kind` is that of the gravest reason; empty if there is none."""

    kind: str
    is_tainted: bool
    reasons: tuple[Reason, ...]


def judge(conversation: Sequence[Utterance], statement: Statement, documents: Sequence[str] = ()) -> Taint:
    """Judge a statement by the conversation, oldest message first, and by passages quoted in the reply's turn."""
    sought = supplied.wanted(statement.text, statement.object or statement.text)
    others = [message for message in conversation if not message.is_own_reply]
    before = _before(conversation, statement, sought)
    reasons_found = chain(
        _suspicious(others, sought),
        _eliciting(before, sought),
        _unwritten(before, statement, sought),
        _in_other_words(before, sought),
        _spelt(others, statement),
        _worn_down(before, sought),
        _of_documents(documents, sought),
    )
    reasons = tuple(sorted(dict.fromkeys(reasons_found), key=lambda reason: ORDER.index(reason.kind)))
    return Taint(reasons[0].kind if reasons else "", bool(reasons), reasons)


def attempts(message: Utterance) -> Iterator[Reason]:
    """Yield why a message is an attempt to lead the character, regardless of any statement."""
    judged = message.judged
    if judged.is_flagged:
        yield from (_reason(cue.family, message.id, cue.name, cue.span) for cue in judged.cues)
    if judged.score >= SURE and not judged.cues:
        yield _reason("instruction", message.id, UNNAMED, message.text)


def _before(conversation: Sequence[Utterance], statement: Statement, sought: Wanted) -> list[Utterance]:
    """Return what others said before the statement was first made; everything if its reply isn't included."""
    messages: list[Utterance] = []
    for message in conversation:
        if message.is_own_reply and (message.id == statement.message_id or _says(message.text, sought)):
            break
        if not message.is_own_reply:
            messages.append(message)
    return messages


def _says(text: str, sought: Wanted) -> bool:
    same_liking = (each for each in texts(text) if supplied.liking(each) in {0, sought.liking})
    return any(sought.share_of_all(words.stems(each)) == 1 for each in same_liking)


def _suspicious(others: Iterable[Utterance], sought: Wanted) -> Iterator[Reason]:
    """Yield messages that are attempts by themselves, and cues that suffice."""
    near = 0.0
    for message in others:
        judged = message.judged
        near, before = sought.share_of_all(words.stems(message.text)), near
        for cue in judged.cues:
            is_about = max(near, before) > 0
            if judged.is_flagged or cue.family in ALONE or cue.name == ACTING or (cue.family in IN_PART and is_about):
                yield _reason(cue.family, message.id, cue.name, cue.span)
        if judged.score >= SURE and not judged.cues:
            yield _reason("instruction", message.id, UNNAMED, message.text)


def _eliciting(before: Sequence[Utterance], sought: Wanted) -> Iterator[Reason]:
    """Yield sentences of others that supply the statement, alone or together."""
    candidates = [(message, sentence) for message in before for sentence in message.sentences]
    brought = [(message, sentence) for message, sentence in candidates if supplied.supplies(sentence, sought)]
    for message, sentence in brought:
        yield _reason("leading", message.id, "Said it before the character did", sentence)
    if not brought and supplied.together((sentence for _, sentence in candidates), sought):
        for message, sentence in candidates:
            if sought.share(words.stems(sentence)) and not supplied.is_open(sentence):
                yield _reason("leading", message.id, "Said a part of it before the character did", sentence)


def _unwritten(before: Iterable[Utterance], statement: Statement, sought: Wanted) -> Iterator[Reason]:
    """Yield related replies that a client supplied in the character's name."""
    for message in before:
        is_about = sought.share(words.stems(message.text)) >= supplied.MOST_OF or message.id == statement.message_id
        if message.by == "character" and is_about:
            yield _reason("history", message.id, "A reply that this program didn't write", message.text)


def _in_other_words(before: Iterable[Utterance], sought: Wanted) -> Iterator[Reason]:
    """Yield sentences in other languages with the statement's liking; their object isn't compared."""
    for message in before:
        for sentence in message.sentences:
            if sought.liking and supplied.foreign_liking(sentence) == sought.liking:
                yield _reason("quotation", message.id, "Says so in another language", sentence)


def _spelt(others: Sequence[Utterance], statement: Statement) -> Iterator[Reason]:
    """Yield messages that encode the object, or complete it where the message before left off."""
    for message in others:
        if form := encodings.spells(cues.plain(message.text), statement.object):
            yield _reason("encoding", message.id, f"Has the character's words {form}", message.text)
    persons = [message for message in others if message.by == "person"]
    for first, second in pairwise(persons):
        if encodings.joins(cues.plain(first.text), cues.plain(second.text), statement.object):
            yield _reason("encoding", second.id, "Ends words that the message before began", second.text)


def _worn_down(before: Iterable[Utterance], sought: Wanted) -> Iterator[Reason]:
    """Yield sentences about the statement that are repeated at least `OFTEN` times."""
    asked = [
        (message.id, frozenset(words.stems(sentence)), sentence)
        for message in before
        if message.by == "person"
        for sentence in message.sentences
    ]
    asked = [row for row in asked if sought.all & row[1]]
    for _, stems, _ in asked:
        same = {where: text for where, other, text in asked if len(stems & other) >= ALIKE * len(stems | other)}
        if len(same) >= OFTEN:
            yield from (_reason("pressing", where, "Asks the same again", text) for where, text in same.items())
            return


def _of_documents(documents: Sequence[str], sought: Wanted) -> Iterator[Reason]:
    """Yield passages that have the statement, or that tell the character what to say."""
    for number, passage in enumerate(documents):
        where = f"document:{number}"
        for sentence in texts(passage):
            is_enough = len(sought.all & frozenset(words.stems(sentence))) > 1
            if is_enough and sought.share_of_all(words.stems(sentence)) >= MOST_OF_DOCUMENT:
                yield _reason("document", where, "A document says so", sentence)
        for cue in cues.find(passage):
            if cue.family in {"dictation", "memory"} or cue.name == "Overrides the instructions":
                yield _reason("document", where, cue.name, cue.span)


def _reason(kind: str, where: str, cue: str, span: str) -> Reason:
    shown = " ".join(span.split())[: cues.LONGEST]
    return Reason(kind, where, cue, shown, f"{cue}: “{shown}”")
