"""Try a question on a sheet, draft or live: which facts a turn would use. Nothing is written or counted as a use."""

from dataclasses import replace
from datetime import datetime

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from characters.domain.sheet import Concept, Fact, Sheet
from characters.profiles import vectors
from characters.profiles.models import Character, Predicate
from characters.turn import weights
from characters.turn.background import Background, background
from characters.turn.fact_index import FACT_BYTES, FactIndex, build_index
from characters.turn.intent import EXAMPLES, classify
from characters.turn.probe import Probe
from characters.turn.request import Snapshot, TurnRequest
from kgadmin.stores import wiring
from kgadmin.stores.cache import Cache
from kgadmin.stores.errors import StoreError

MOST_EMBEDDED = 128
"""Most texts without a vector that are embedded while the author waits; the worker embeds the others."""
MAX_QUESTION = 1_000
CACHE_BYTES = 50_000_000
"""Size of the cache of fact indexes, kept between two keystrokes: two sheets of 5,000 facts, or many small ones."""
_Key = tuple[int, str, tuple[Fact, ...], tuple[Concept, ...], vectors.Version, str]
_INDEXES: Cache[_Key, FactIndex] = Cache("Drafts' facts", CACHE_BYTES)


def try_question(sheet: Sheet, question: str, *, character: Character, at: datetime | None = None) -> Background:
    """Return the facts of `sheet` that a turn with this question would use, with scores, near misses and reasons."""
    request = TurnRequest(
        message=question[:MAX_QUESTION],
        character=character.graph_id,
        sheet=replace(sheet, facts=tuple(fact for fact in sheet.facts if fact.object.strip())),
        revision=None,
        person="",
        now=at or timezone.now(),
        predicates=Predicate.objects.registry(),
    )
    try:
        vector: NDArray[np.float32] | None = wiring.embedder().embed([request.message])[0]
        examples = {kind: wiring.embedder().embed(texts) for kind, texts in EXAMPLES.items()}
        index, fits = _cached_index(request), wiring.embedder().id == weights.shipped().embedder
    except StoreError:  # words alone decide, as in a turn without an embedder
        vector, examples, index, fits = None, {}, _index(request, {}), False
    intent = classify(request, Probe(), vector, examples)
    reason = "this is tried on the current sheet"
    return background(request, lambda _: Snapshot(index, "document", reason, fits), vector, intent)


def _cached_index(request: TurnRequest) -> FactIndex:
    """Return the sheet's index, rebuilt if name, facts, concepts or vectors have changed."""
    sheet, character = request.sheet, int(request.character.partition(":")[2])
    key = (character, sheet.name, sheet.facts, sheet.concepts, vectors.version(character), wiring.embedder().id)
    if index := _INDEXES.get(key):
        return index
    row = Character.objects.select_related("live_revision").get(pk=character)
    known = vectors.of_texts(row, vectors.wanted_texts(sheet), most=MOST_EMBEDDED)
    return _INDEXES.put(key, _index(request, known), FACT_BYTES * (len(sheet.facts) + 1))


def _index(request: TurnRequest, known: vectors.TextVectors) -> FactIndex:
    sheet = request.sheet
    return build_index(sheet.facts, request.predicates, sheet.concepts, known, sheet.name)
