"""What a turn may look up, filled in from the features' query functions."""

from collections.abc import Mapping
from functools import cache

from characters.domain import words
from characters.domain.people import PERSON_PREDICATES
from characters.memory import graph
from characters.memory import readers as memory
from characters.profiles import snapshot
from characters.turn.intent import EXAMPLES
from characters.turn.request import IntentKind, Readers, Vectors
from kgadmin.knowledge import readers as knowledge
from kgadmin.stores import wiring


def live_readers() -> Readers:
    """Readers on the real engines."""
    return Readers(
        embed=lambda texts: wiring.embedder().embed(texts),
        examples=lambda: _examples(wiring.embedder().id),
        nearest=knowledge.nearest,
        word_counts=knowledge.word_counts,
        calibration=knowledge.calibration,
        chunks=knowledge.chunks,
        neighbours=knowledge.neighbours,
        background=snapshot.read,
        known=memory.known,
        person_questions=lambda: _person_questions(wiring.embedder().id),
        walk=graph.walk,
        past_messages=memory.past_messages,
        related=memory.related,
        count_tokens=wiring.count_tokens,
    )


def warm_up() -> None:
    """Load what the first turn would otherwise wait for: word lists, vectors of examples and questions, the graph's
    plans."""
    words.is_common("warm")
    words.stem_rarity("warm")
    if wiring.embedder().state != "down":  # where it can't be loaded, each turn says so
        _examples(wiring.embedder().id)
        _person_questions(wiring.embedder().id)
    snapshot.warm()
    graph.warm()


@cache
def _examples(embedder: str) -> Mapping[IntentKind, Vectors]:
    """The vectors of intent's examples, made once per process and embedder."""
    return {kind: wiring.embedder().embed(texts) for kind, texts in EXAMPLES.items()}


@cache
def _person_questions(embedder: str) -> Mapping[str, Vectors]:
    """The vectors of what a person would ask to hear a fact of theirs, by predicate."""
    asked = {name: each.questions for name, each in PERSON_PREDICATES.items() if each.questions}
    return {name: wiring.embedder().embed(questions) for name, questions in asked.items()}
