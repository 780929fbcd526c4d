"""The responder without a language model: it says what the turn assembled, and nothing else."""

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence
from itertools import accumulate, takewhile

from sentencex import segment

from kgadmin.stores.errors import StoreError
from kgadmin.stores.language_model import (
    ChatRequest,
    Completion,
    CompletionRequest,
    Grounding,
    LanguageModel,
    Usage,
)
from kgadmin.stores.model_list import ModelList

NAME = "offline responder"
NO_MODELS = "No language model is connected: the offline responder answers, whatever is named here."
MOST_PASSAGES = 2
MOST_RECALLED = 2
PASSAGE_CHARACTERS = 400
GREETING = re.compile(
    r"\W*(hi|hiya|hello|hey|howdy|greetings|good (morning|afternoon|evening|day))([^\w?]+\w+){0,2}[^\w?]*", re.I
)
MARKDOWN = re.compile(r"^\s*(#+|[-*+>]|\d+\.)\s+", re.M)
TABLE_RULE = re.compile(r"^\s*\|[\s|:-]*$", re.M)
TABLE_ROW = re.compile(r"^\s*\|(.+)\|\s*$", re.M)


class OfflineResponder(LanguageModel):
    """Answers with what the turn assembled; `max_tokens` counts words."""

    @property
    def name(self) -> str:
        return NAME

    @property
    def judges(self) -> bool:
        return False

    def models(self, wait: float = 0.0) -> ModelList:
        return ModelList(problem=NO_MODELS)

    def complete(self, request: CompletionRequest) -> Completion:
        raise StoreError("No language model is connected that could judge this: set LLM_BASE_URL.", retryable=False)

    async def stream(self, request: ChatRequest, usage: Usage) -> AsyncGenerator[str, None]:
        usage.model, usage.parameters = NAME, {"max_tokens": request.max_tokens}
        prefill = request.grounding.prefill
        messages = request.messages[: -1 if prefill else None]
        asked = next((message.content for message in reversed(messages) if message.role == "user"), "")
        full = _until(request.stop, answer(asked, request.grounding))
        rest = full.removeprefix(prefill) if full.startswith(prefill) else ""
        words = re.findall(r"\s*\S+", rest)
        usage.truncated = len(words) > request.max_tokens
        for word in words[: request.max_tokens]:
            yield word
            await asyncio.sleep(0)  # a Stop is noticed between two words


def _until(stops: Sequence[str], text: str) -> str:
    return text[: min((text.find(stop) for stop in stops if stop and stop in text), default=len(text))]


def answer(asked: str, grounding: Grounding) -> str:
    """Return facts, what is known of the person, what they said, then documents; else a greeting, or that there is
    nothing.
    """
    recalled = [
        f"{when.capitalize()} you said: “{shorten(text)}”{later}"
        for when, text, later in grounding.recalled[:MOST_RECALLED]
    ]
    passages = [f"{name} says: {shorten(text)}" for name, text in grounding.passages[:MOST_PASSAGES]]
    paragraphs = [" ".join(grounding.facts), " ".join(grounding.known), *recalled, *passages]
    if any(paragraphs):
        return "\n\n".join(filter(None, paragraphs))
    if GREETING.fullmatch(asked):
        return f"Hello, I'm {grounding.speaker}. What would you like to know?"
    return "I have nothing on that in my notes."


def shorten(text: str) -> str:
    """Return the first sentences of `text` that fit a passage, on one line; a longer first one is cut."""
    limit = PASSAGE_CHARACTERS
    plain = TABLE_ROW.sub(_as_sentence, TABLE_RULE.sub("", MARKDOWN.sub("", text)))
    line = " ".join(plain.split())
    ends = accumulate(map(len, segment("en", line)))
    short = line[: max(takewhile(lambda end: end <= limit, ends), default=0)]
    return short.strip() or line[:limit].rsplit(" ", 1)[0].rstrip() + ("…" if len(line) > limit else "")


def _as_sentence(row: re.Match[str]) -> str:
    first, *others = (cell.strip() for cell in row[1].split("|"))
    return f"{first}: {', '.join(filter(None, others))}."
