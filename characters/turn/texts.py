"""What a turn embeds: everything in one batch."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from characters.turn import recollection
from characters.turn.request import TurnRequest, Vectors


@dataclass(frozen=True, slots=True)
class TurnTexts:
    """The texts: the probe's (the whole message is the first), what memory is asked, and the character's anchors."""

    probe: tuple[str, ...]
    question: str
    anchors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnVectors:
    """Their vectors."""

    probe: Vectors
    question: NDArray[np.float32]
    anchors: Vectors

    @property
    def message(self) -> NDArray[np.float32]:
        """Of the whole message."""
        first: NDArray[np.float32] = self.probe[0]
        return first


def plan_texts(request: TurnRequest, probe: Sequence[str]) -> TurnTexts:
    """What this turn needs. Without a person nothing is remembered, and anchors weigh nothing."""
    question = recollection.question(request) if request.person_id else ""
    anchors = request.sheet.anchors if request.person_id else ()
    return TurnTexts(tuple(probe), question or request.message, anchors)


def embedded(texts: TurnTexts, embed: Callable[[Sequence[str]], Vectors]) -> TurnVectors:
    """Their vectors, each text embedded once. Raises `StoreError`."""
    places: dict[str, int] = {}
    for text in (*texts.probe, texts.question, *texts.anchors):
        places.setdefault(text, len(places))
    vectors = embed(list(places))

    def rows(chosen: Sequence[str]) -> Vectors:
        return vectors[[places[text] for text in chosen]]

    return TurnVectors(rows(texts.probe), vectors[places[texts.question]], rows(texts.anchors))
