"""Classify pairs of messages with a language model, within the caps of a run."""

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, OnErrorOmit

from characters.domain.relations import CLASSES, Relation
from characters.memory.enrichment.pairs import MAX_TEXT, IdPair, MessageText, Pair, Verdict
from characters.memory.models import EnrichmentRun
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from kgadmin.stores.json_answers import Line, Probability, ask_json
from kgadmin.stores.language_model import Completion, CompletionRequest, LanguageModel

PAIRS_A_CALL = 16
TOKENS_A_RESULT = 110
"""Tokens of the answer per pair: ids, class and a sentence, in languages that take more tokens too."""
SPARE_TOKENS = 200
MAX_EVIDENCE = 300
NEAR = 0.8
"""Least similarity of another spelling, by difflib: "Follow ups", "Contrasts", "Causality"."""

_NOT_LETTERS = re.compile(r"[\W_]+")


def _folded(name: str) -> str:
    return _NOT_LETTERS.sub("", name).casefold()


_SPELLINGS: Mapping[str, Relation] = {
    **{_folded(name): name for name in CLASSES},
    "reframe": "Reframe/Correction",
    "correction": "Reframe/Correction",
    "none": "Unrelated",
}


def relation_named(name: object) -> object:
    """Return the class of this name, however it is spelled; a name that is no class is returned unchanged."""
    close = difflib.get_close_matches(_folded(name), _SPELLINGS, n=1, cutoff=NEAR) if isinstance(name, str) else []
    return _SPELLINGS[close[0]] if close else name


class Result(BaseModel):
    """How the source message relates to the target."""

    source_id: int
    target_id: int
    relation: Annotated[Relation, BeforeValidator(relation_named)]
    confidence: Probability
    evidence: Line = Field("", json_schema_extra={"maxLength": MAX_EVIDENCE})


class MessageRelations(BaseModel):
    """One result per pair."""

    results: list[OnErrorOmit[Result]] = Field(min_length=1, json_schema_extra={"maxItems": PAIRS_A_CALL})


class CapReachedError(Exception):
    """The next call would exceed a cap of the run; the text says which."""


class CountedModel:
    """A language model whose calls and tokens are counted on a run, and stop at its caps."""

    def __init__(self, model: LanguageModel, run: EnrichmentRun) -> None:
        self._model = model
        self._run = run

    def complete(self, request: CompletionRequest) -> Completion:
        """Complete a request like the model itself. Raises `CapReachedError` before a call that could exceed a cap."""
        prompt_tokens = sum(wiring.count_tokens(message.content) for message in request.messages)
        self._take(prompt_tokens + request.max_tokens)
        try:
            completion = self._model.complete(request)
        except StoreError:
            self._spend(prompt_tokens)
            raise
        usage = completion.usage
        answer_tokens = usage.completion_tokens
        self._spend(prompt_tokens if usage.prompt_tokens is None else usage.prompt_tokens)
        self._spend(wiring.count_tokens(completion.text) if answer_tokens is None else answer_tokens)
        return completion

    def _take(self, most_tokens: int) -> None:
        """Count a call before it is made: a call interrupted by a crash was paid for, too."""
        run = self._run
        if run.calls >= run.max_calls:
            raise CapReachedError(f"the cap of {run.max_calls:,} calls was reached")
        if run.tokens + most_tokens > run.max_tokens:
            raise CapReachedError(f"the next call could go beyond the cap of {run.max_tokens:,} tokens")
        run.calls += 1
        run.save(update_fields=["calls"])

    def _spend(self, tokens: int) -> None:
        self._run.tokens += tokens
        self._run.save(update_fields=["tokens"])


def classify(pairs: Sequence[Pair], model: CountedModel) -> dict[IdPair, Verdict]:
    """Return the model's verdicts on the pairs it answered. Raises `CapReachedError`, `AnswerError`, `StoreError`."""
    max_tokens = SPARE_TOKENS + TOKENS_A_RESULT * len(pairs)
    answer = ask_json(model, MessageRelations, instructions(), {"messages": batch_json(pairs)}, max_tokens=max_tokens)
    asked = {pair.ids for pair in pairs}
    verdicts: dict[IdPair, Verdict] = {}
    for result in answer.results:
        for ids in ((result.target_id, result.source_id), (result.source_id, result.target_id)):
            if ids in asked:
                evidence = result.evidence[:MAX_EVIDENCE]
                verdicts.setdefault(ids, Verdict(result.relation, result.confidence, evidence))
    return verdicts


def instructions() -> str:
    """Return the instructions on classes and answers for the model; the same for every batch."""
    classes = "\n".join(_described(name) for name in CLASSES)
    return (
        "You classify how two messages of one person to an assistant relate to each other.\n"
        "Each source message is followed by its frontier messages: earlier messages of the same person. "
        "For every frontier message of every source message, name the one class that says best what the source "
        "message (the later one) is to it. Judge by what is meant, not by single words, and mind the dates.\n\n"
        f"The classes:\n{classes}\n\n"
        "The classes marked with * describe the source message alone: choose one of them where the source message is "
        "that and no other class ties it to the earlier one. Choose Unrelated where the two have nothing to do with "
        "each other.\n"
        "confidence is the probability, from 0 to 1, that the class is right. evidence is one short sentence, in "
        "English, that says what shows it.\n"
        "Give exactly one result per pair, with source_id and target_id as they were given."
    )


def _described(name: Relation) -> str:
    described = CLASSES[name]
    earlier, later = described.example
    example = f"“{earlier}” … “{later}”" if earlier else f"“{later}”"
    return f"- {name}{'*' if described.single else ''}: {described.description} Example: {example}"


def batch_json(pairs: Sequence[Pair]) -> str:
    """Return the batch as data: messages with their dates, and pairs."""
    sources: dict[int, dict[str, Any]] = {}
    for pair in pairs:
        entry = sources.setdefault(pair.later.id, {"source_message": _message(pair.later), "frontier_messages": []})
        entry["frontier_messages"].append(_message(pair.earlier))
    return json.dumps({"batch": list(sources.values())}, ensure_ascii=False)


def _message(message: MessageText) -> dict[str, Any]:
    text = message.text if len(message.text) <= MAX_TEXT else f"{message.text[:MAX_TEXT]} …"
    return {"id": message.id, "date": f"{message.at:%Y-%m-%d %H:%M}", "text": text}
