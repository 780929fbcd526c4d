"""How far a publish is: the live sheet goes into the graph, then its texts get their vectors."""

from dataclasses import dataclass

from characters.profiles import vectors
from characters.profiles.models import Character, Revision
from characters.profiles.projection import NODE
from kgadmin.projection.models import Lease
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError


@dataclass(frozen=True, slots=True)
class Progress:
    """The live sheet on its way. Turns read it from the first moment; until it is done, from its document."""

    revision: int
    is_in_graph: bool
    vectors: int
    """Texts that have their vectors."""
    texts: int
    """Texts that have to have some."""
    is_done: bool
    problem: str = ""
    """Why it doesn't go on, as a sentence; it is tried again by itself."""


def publishing(character: Character) -> Progress | None:
    """How far her live sheet is; None where nothing was published."""
    character = Character.objects.select_related("live_revision").get(pk=character.pk)
    revision = character.live_revision
    if revision is None:
        return None
    texts = vectors.wanted_texts(revision.sheet)
    if not character.waits_for_graph:
        return Progress(revision.number, True, len(texts), len(texts), True)
    problem = Lease.objects.filter(owner=character.graph_id).values_list("error", flat=True).first() or ""
    try:
        is_in_graph, made = _is_in_graph(character, revision), vectors.count_made(revision, texts)
    except StoreError as error:
        return Progress(revision.number, False, 0, len(texts), False, error.message)
    return Progress(revision.number, is_in_graph, made, len(texts), False, problem)


def _is_in_graph(character: Character, revision: Revision) -> bool:
    node = next(iter(wiring.graph().read(NODE, character=character.graph_id)), None)
    return node is not None and node["revision"] == revision.number
