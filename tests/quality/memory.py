"""Kind C: which earlier messages answer a question about a conversation."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from characters.domain.sheet import Sheet
from characters.turn.assemble import embed_texts
from characters.turn.intent import classify
from characters.turn.memory import recall
from characters.turn.messages import MessageIndex, PastMessage
from characters.turn.probe import Probe
from characters.turn.request import Readers
from tests.quality import files
from tests.quality.vectors import StoredVectors
from tests.quality.world import NOW, asked, empty_readers

SITTING = timedelta(hours=3)
"""Messages further apart are of two conversations."""
_CLOCK = re.compile(r"^(?P<time>\d{1,2}:\d\d [ap]m) on (?P<day>\d{1,2} \w+, \d{4})$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Past:
    """A conversation as the turn reads it."""

    index: MessageIndex
    messages: Mapping[int, PastMessage]
    names: Sequence[str]
    """Ids of the messages in the data, by their numbers here."""
    speakers: tuple[str, str]
    until: datetime


def predict(data: files.Data, vectors: StoredVectors) -> Iterator[Mapping[str, Any]]:
    """Per row the ids of the messages that go into the prompt, best first. What either of the two said may answer."""
    rows = files.rows(data, files.MemoryRow)
    pasts = {name: past_of(each, vectors) for name, each in files.conversations(data).items()}
    readers = empty_readers(vectors.embed)
    for row in rows:
        if row.conv not in pasts:
            raise files.EvaluationError(f"Row {row.id} is about {row.conv}, which the material doesn't have.")
        yield {"id": row.id, "ids": recalled(row.q, pasts[row.conv], readers)}


def past_of(conversation: files.ConversationRow, vectors: StoredVectors) -> Past:
    texts = [turn.text for turn in conversation.turns]
    messages: list[PastMessage] = []
    at, sitting = NOW, 0
    for turn in conversation.turns:
        before, at = at, _time(turn.when, at)
        sitting += abs(at - before) > SITTING
        messages.append(PastMessage(len(messages), sitting, at, turn.text, speaker=turn.speaker))
    first, second = (*conversation.speakers, "", "")[:2]
    return Past(
        MessageIndex.of(messages, list(vectors.embed(texts))),
        dict(enumerate(messages)),
        [turn.id for turn in conversation.turns],
        (first, second),
        at + timedelta(days=1),
    )


def _time(when: str, before: datetime) -> datetime:
    """The time that is written; a message without one follows the one before."""
    if clock := _CLOCK.match(when.strip()):
        return datetime.strptime(f"{clock['time']} {clock['day']}", "%I:%M %p %d %B, %Y").replace(tzinfo=UTC)
    try:
        at = datetime.fromisoformat(when)
    except ValueError:
        return before
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def recalled(text: str, past: Past, readers: Readers) -> list[str]:
    """Ids of the messages that go into the prompt where the first speaker says this, best first."""
    person, character = past.speakers
    request = asked(text, sheet=Sheet(character, ""), person=person, person_id="person:0", now=past.until)
    vectors = embed_texts(request, (text,), readers.embed)
    intent = classify(request, Probe(), vectors.message, readers.examples())
    used = recall(request, _with(readers, past), vectors, intent).used
    return [past.names[int(each.id.partition(":")[2])] for each in used]


def _with(readers: Readers, past: Past) -> Readers:
    return replace(
        readers,
        past_messages=lambda request: past.index,
        messages=lambda request, ids: {id_: past.messages[id_] for id_ in ids},
    )
