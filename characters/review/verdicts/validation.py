"""A language model's second opinion: is it true to the core facts, and fitting for this character?

No model, or an answer that isn't of the schema, is "not judged", never valid.
"""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from characters.review.verdicts.comparison import Finding, Known, Outcome, Proposed
from kgadmin.stores.errors import StoreError
from kgadmin.stores.json_answers import AnswerError, Line, ask_json
from kgadmin.stores.language_model import LanguageModel

VERSION = "1"
MAX_TOKENS = 300
MAX_FACTS = 60
MAX_REASON = 300
OUTCOMES: dict[str, Outcome] = {"VALID": "good", "INVALID": "bad", "UNSURE": "warn"}


class Validation(BaseModel):
    """Whether the statement is true to the core facts and fits the character."""

    verdict: Literal["VALID", "INVALID", "UNSURE"]
    reason: Line = Field(json_schema_extra={"maxLength": MAX_REASON})


_INSTRUCTIONS = """You check what a fictional character said of themself. You get their core facts and one statement.
Answer with JSON: "verdict" is VALID where the statement agrees with the core facts and suits this character, INVALID
where it contradicts them or doesn't suit, UNSURE where nobody can tell from this; "reason" is one short sentence."""


def judge(proposed: Proposed, known: Sequence[Known], model: LanguageModel) -> Finding:
    """What the model says; asked twice where its answer can't be used."""
    if not model.judges:
        return Finding("not judged", "No language model is connected.", VERSION)
    facts = "\n".join(f"- {fact.sentence}" for fact in known[:MAX_FACTS])
    data = {"name": proposed.character, "facts": facts, "statement": proposed.sentence}
    try:
        answer = ask_json(model, Validation, _INSTRUCTIONS, data, max_tokens=MAX_TOKENS)
    except (AnswerError, StoreError) as error:
        return Finding("not judged", f"The model gave no usable answer: {error}"[:MAX_REASON], VERSION)
    summary = f"“{answer.reason[:MAX_REASON]}” {model.name}"
    evidence = {"verdict": answer.verdict, "model": model.name}
    return Finding(OUTCOMES[answer.verdict], summary[:MAX_REASON], VERSION, evidence)
