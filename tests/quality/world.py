"""Readers of a turn that has nobody and nothing: an evaluation fills in what its kind asks for."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from django.apps import apps

from characters.domain.sheet import Predicate, Sheet
from characters.domain.topics import TALK
from characters.turn.calibration import Calibration
from characters.turn.fact_index import build_index
from characters.turn.intent import EXAMPLES
from characters.turn.messages import MessageIndex
from characters.turn.request import Known, Nearest, Readers, Snapshot, TurnRequest, Vectors

Embed = Callable[[Sequence[str]], Vectors]
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def empty_readers(embed: Embed, **filled: Any) -> Readers:
    """Readers that find nothing, except for those that are filled in."""
    talk = embed(TALK)
    examples = {kind: embed(texts) for kind, texts in EXAMPLES.items()}
    readers = Readers(
        embed=embed,
        examples=lambda: examples,
        nearest=lambda bases, vectors, limit: Nearest(),
        word_counts=lambda bases, stems: {},
        calibration=lambda bases: Calibration(),
        talk=lambda: talk,
        places=lambda ids: {},
        chunks=lambda ids: {},
        background=lambda request: Snapshot(build_index((), {}, (), {}), "document"),
        known=lambda request: Known(),
        person_questions=lambda: {},
        walk=lambda request, seeds, hops, limit: (),
        past_messages=lambda request: MessageIndex(),
        messages=lambda request, ids: {},
        related=lambda request, ids: (),
        count_tokens=lambda text: len(text) // 4,
    )
    return replace(readers, **filled)


def asked(message: str, *, sheet: Sheet | None = None, **fields: Any) -> TurnRequest:
    """A turn of somebody who says `message`."""
    known: dict[str, Any] = {"character": "character:0", "revision": 1, "person": "", "now": NOW}
    return TurnRequest(message=message, sheet=sheet or Sheet("", ""), **({"predicates": registry()} | known | fields))


@cache
def registry() -> Mapping[str, Predicate]:
    """The predicates that every installation begins with."""
    rows = json.loads((Path(apps.get_app_config("profiles").path) / "predicates.json").read_text())
    return {row["name"]: Predicate(**row) for row in rows}
