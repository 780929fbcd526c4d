"""Reading one message: by the language model where one is connected, else, or where it fails, by patterns."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from characters.memory.extraction import by_model, patterns
from characters.memory.extraction.by_model import AnswerError
from characters.turn.people import EntityKind, Statement
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError

WORTH_ASKING = 12
"""Characters below which a message isn't sent to a model: "ok", "thanks!"."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a message says of its writer. `problem` is why the model didn't read it, where it should have."""

    statements: tuple[Statement, ...] = ()
    by_model: bool = False
    problem: str = ""


def read(text: str, *, before: str, names: Collection[str], known: Mapping[str, EntityKind]) -> Found:
    """What `text` says. `before` is the message that it answers, `names` are the character's, `known` the person's."""
    model = wiring.language_model()
    problem = ""
    if model.judges and len(text.strip()) >= WORTH_ASKING:
        try:
            return Found(tuple(by_model.extract(text, before=before, names=names, model=model)), by_model=True)
        except AnswerError as error:
            problem = str(error)
        except StoreError as error:  # the job goes on by patterns, and tells at its end
            problem = error.message
    return Found(tuple(patterns.extract(text, names=names, known=known)), problem=problem)
