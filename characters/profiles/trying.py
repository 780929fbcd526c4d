"""Trying a question on a sheet: which facts would come up. Nothing is written, nothing counts as use."""

from django.utils import timezone

from characters.profiles.models import Character, Predicate
from characters.turn import facts
from characters.turn.background import Background, background
from characters.turn.intent import Intent
from characters.turn.request import Snapshot, TurnRequest
from characters.turn.sheet import Sheet
from kgadmin.stores import wiring


def try_question(sheet: Sheet, question: str, *, character: Character) -> Background:
    """What the background stage finds for `question` in `sheet`. Raises `StoreError`."""
    registry = Predicate.objects.registry()
    request = TurnRequest(
        message=question,
        character=character.graph_id,
        sheet=sheet,
        revision=None,
        person="somebody",
        now=timezone.now(),
        predicates=registry,
    )
    texts = facts.all_texts(sheet.facts, registry)
    found = wiring.embedder().embed([question, *texts])
    index = facts.build_index(sheet.facts, registry, sheet.concepts, dict(zip(texts, found[1:], strict=True)))
    return background(request, lambda _: Snapshot(index, "document"), found[0], Intent())
