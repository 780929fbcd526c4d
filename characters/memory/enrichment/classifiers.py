"""Who classifies pairs: a language model, or cues and vectors without one."""

from abc import abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

from characters.memory.enrichment import cues, prompt
from characters.memory.enrichment.answers import Key, Trouble, Verdict, read
from characters.memory.enrichment.budget import Budget, CapReachedError
from characters.memory.enrichment.prompt import Pair
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from kgadmin.stores.language_model import ChatMessage, Completion, CompletionRequest, LanguageModel

CUES_AT_ONCE = 500


@dataclass(slots=True)
class Outcome:
    """What became of a batch. `failure` says why nothing came back, `hopeless` that another try won't help."""

    verdicts: dict[Key, Verdict] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)
    failure: str = ""
    hopeless: bool = False


class Classifier(Protocol):
    """Pairs to verdicts."""

    @abstractmethod
    def batches(self, pairs: Sequence[Pair]) -> list[list[Pair]]:
        """The pairs as they are classified at once."""

    @abstractmethod
    def classify(self, pairs: Sequence[Pair]) -> Outcome:
        """What is known of each pair; raises `CapReachedError` before a call that would go beyond a cap."""


class ByCues(Classifier):
    """Without a model: the classes that words and vectors show."""

    def batches(self, pairs: Sequence[Pair]) -> list[list[Pair]]:
        return [list(pairs[start : start + CUES_AT_ONCE]) for start in range(0, len(pairs), CUES_AT_ONCE)]

    def classify(self, pairs: Sequence[Pair]) -> Outcome:
        found = {pair.key: cues.classify(pair) for pair in pairs}
        return Outcome({key: verdict for key, verdict in found.items() if verdict})


class ByModel(Classifier):
    """One call per batch, a second one where the first failed or gave nothing that could be used."""

    def __init__(self, model: LanguageModel, budget: Budget) -> None:
        self._model = model
        self._budget = budget

    def batches(self, pairs: Sequence[Pair]) -> list[list[Pair]]:
        return prompt.batches(pairs)

    def classify(self, pairs: Sequence[Pair]) -> Outcome:
        outcome = Outcome()
        self._try(pairs, outcome)
        if not outcome.verdicts and not outcome.hopeless:
            with suppress(CapReachedError):  # the next batch meets it again; what this one told is kept first
                self._try(pairs, outcome)
        return outcome

    def _try(self, pairs: Sequence[Pair], outcome: Outcome) -> None:
        request = request_for(pairs)
        asked = tokens_of(request)
        self._budget.take(asked + request.max_tokens)
        try:
            completion = self._model.complete(request)
        except StoreError as error:
            self._budget.spend(asked)
            outcome.failure, outcome.hopeless = error.message, not error.retryable
            outcome.troubles.append(Trouble("call failed", error.message[:500]))
            return
        self._budget.spend(_used(completion, asked))
        reading = read(completion.text, {pair.key for pair in pairs})
        outcome.failure, outcome.verdicts = "", reading.verdicts
        outcome.troubles += reading.troubles


def request_for(pairs: Sequence[Pair]) -> CompletionRequest:
    """The call that classifies these pairs."""
    return CompletionRequest(
        messages=(
            ChatMessage("system", prompt.instructions()),
            ChatMessage("user", prompt.question(pairs)),
        ),
        schema_name="message_relations",
        schema=prompt.answer_schema(len(pairs)),
        max_tokens=prompt.max_tokens(len(pairs)),
    )


def tokens_of(request: CompletionRequest) -> int:
    """About how many tokens the prompt has."""
    return sum(wiring.count_tokens(message.content) for message in request.messages)


def _used(completion: Completion, asked: int) -> int:
    """Tokens as the endpoint counted them, else as this program does."""
    usage = completion.usage
    prompt_tokens = asked if usage.prompt_tokens is None else usage.prompt_tokens
    said = usage.completion_tokens
    return prompt_tokens + (wiring.count_tokens(completion.text) if said is None else said)
