"""Reading one message: by the language model where one is connected, else, or where it fails, by patterns."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from characters.domain.people import EntityKind, Statement
from characters.language.extraction import patterns
from characters.memory.extraction import by_model
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from kgadmin.stores.json_answers import AnswerError
from kgadmin.stores.language_model import LanguageModel

GIVE_UP_AFTER = 3
"""Messages in a row that a model couldn't read, each asked for twice."""
WORTH_ASKING = 12
"""Characters below which a message isn't sent to a model: "ok", "thanks!"."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a message says of its writer. `problem` is why the model didn't read it, where it should have."""

    statements: tuple[Statement, ...] = ()
    by_model: bool = False
    problem: str = ""


class Reader:
    """Reads message after message. A model that fails again and again isn't asked any more: it may take its time-out
    for each of thousands."""

    def __init__(self) -> None:
        self._failures = 0
        self._problem = ""

    def read(self, text: str, *, before: str, names: Collection[str], known: Mapping[str, EntityKind]) -> Found:
        """What `text` says, an answer to `before`. `names` are the character's own, `known` the person's entities."""
        model = wiring.language_model()
        problem = ""
        if model.judges and len(text.strip()) >= WORTH_ASKING:
            asked = self._asked(text, before, names, model)
            if asked is not None:
                return Found(tuple(asked), by_model=True)
            problem = self._problem
        return Found(tuple(patterns.extract(text, names=names, known=known)), problem=problem)

    def _asked(self, text: str, before: str, names: Collection[str], model: LanguageModel) -> list[Statement] | None:
        """What the model says; None where it failed now, or has failed too often."""
        if self._failures >= GIVE_UP_AFTER:
            return None
        try:
            found = by_model.extract(text, before=before, names=names, model=model)
        except AnswerError as error:
            self._problem = str(error)
        except StoreError as error:  # the job goes on by patterns, and tells at its end
            self._problem = error.message
        else:
            self._failures = 0
            return found
        self._failures += 1
        return None
