"""Which recent prompts would change if a proposal were approved: turns are replayed with and without it.

First the facts of many turns are searched both ways; turns where they differ are assembled twice. Both replays read
what is known today, so that only the statement makes a difference.
"""

from dataclasses import dataclass, replace

import numpy as np

from characters.conversations.models import Turn
from characters.domain.facts import all_texts
from characters.domain.sheet import LEARNED_ID, Fact
from characters.profiles import snapshot
from characters.profiles.models import Predicate, Revision
from characters.review.models import Proposal
from characters.review.verdicts.comparison import Vector
from characters.talk import requests
from characters.talk.recorder import TurnRecorder
from characters.talk.requests import live_readers
from characters.turn.assemble import assemble
from characters.turn.background import background
from characters.turn.intent import classify
from characters.turn.probe import Probe
from characters.turn.request import Snapshot, TurnRequest
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError

RECENT = 40
"""Turns whose facts are searched."""
SHOWN = 5
"""Turns that are assembled."""
CANDIDATE = f"{LEARNED_ID}0"
"""The statement's id in a replay; no learned fact has it."""


@dataclass(frozen=True, slots=True)
class Change:
    """A turn whose prompt would change. `added` and `removed` are lines of the prompt, `tokens` the difference."""

    turn: Turn
    added: tuple[str, ...]
    removed: tuple[str, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Consequences:
    """The outcome of a replay: `changing` of `looked_at` turns would change; `changes` holds the newest."""

    looked_at: int = 0
    changing: int = 0
    changes: tuple[Change, ...] = ()
    revision: int | None = None
    problem: str = ""


def of(proposal: Proposal) -> Consequences:
    """Replay the character's recent turns with and without the statement."""
    character = proposal.character
    fact = Fact(CANDIDATE, proposal.predicate, proposal.object)
    done = Turn.objects.filter(message__conversation__character=character, state=Turn.State.DONE, variant_of=None)
    turns = list(done.filter(metrics__isnull=False).select_related("message").order_by("-pk")[:RECENT])
    if character.live_revision is None:
        return Consequences(problem=f"{character.name} isn't published.")
    try:
        replay = _Replay(character.live_revision, fact)
        differing = [turn for turn in turns if replay.differs(turn)]
        shown = differing[:SHOWN]
        changes = tuple(filter(None, map(replay.change, shown)))
    except StoreError as error:
        return Consequences(problem=error.message)
    changing = len(differing) - len(shown) + len(changes)
    return Consequences(len(turns), changing, changes, character.live_revision.number)


class _Replay:
    """Turns with and without one more learned fact."""

    def __init__(self, live: Revision, fact: Fact) -> None:
        texts = all_texts((fact,), Predicate.objects.registry(), live.sheet.name)
        self._fact = fact
        self._readers = live_readers()
        self._vectors = dict(zip(texts, wiring.embedder().embed(texts), strict=True))
        self._snapshots: dict[tuple[Fact, ...], Snapshot] = {}

    def differs(self, turn: Turn) -> bool:
        """Return whether the turn would use other facts."""
        request = requests.request_for(turn)
        message = turn.message
        if message.vector and message.embedder == wiring.embedder().id:
            vector: Vector = np.frombuffer(message.vector, dtype=np.float32)
        else:
            vector = self._readers.embed([message.text])[0]
        intent = classify(request, Probe(), vector, self._readers.examples())
        before = background(request, snapshot.read, vector, intent)
        after = background(self._with(request), self._read, vector, intent)
        return [fact.id for fact in before.used] != [fact.id for fact in after.used]

    def change(self, turn: Turn) -> Change | None:
        """Return its changed lines, or None."""
        request = requests.request_for(turn)
        before = assemble(request, self._readers, TurnRecorder()).prompt
        after = assemble(self._with(request), replace(self._readers, background=self._read), TurnRecorder()).prompt
        old, new = before.text.splitlines(), after.text.splitlines()
        added = tuple(line for line in new if line not in set(old))
        removed = tuple(line for line in old if line not in set(new))
        return Change(turn, added, removed, after.tokens - before.tokens) if added or removed else None

    def _with(self, request: TurnRequest) -> TurnRequest:
        return replace(request, learned=(*request.learned, self._fact))

    def _read(self, request: TurnRequest) -> Snapshot:
        """Return the facts with the statement, from the sheet itself, since no graph has it."""
        if request.learned not in self._snapshots:
            without = replace(request, learned=request.learned[:-1])
            known = snapshot.vectors_of(without) | self._vectors
            self._snapshots[request.learned] = snapshot.with_facts(request, known)
        return self._snapshots[request.learned]
