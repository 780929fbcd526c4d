"""One small question to the language model, to see that it answers."""

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from time import perf_counter

from django.conf import settings

from kgadmin.stores.errors import StoreError
from kgadmin.stores.language_model import ChatMessage, ChatRequest, Grounding, LanguageModel, Usage

QUESTION = "Answer in one short sentence: are you there?"
MAX_TOKENS = 60


@dataclass(frozen=True, slots=True)
class Trial:
    """What came back. `error` is a sentence, empty if it went well."""

    reply: str = ""
    first_token_ms: float | None = None
    total_ms: float = 0
    error: str = ""


async def ask(model: LanguageModel) -> Trial:
    """Ask, and wait for the whole answer; every way of failing becomes the trial's `error`."""
    request = ChatRequest((ChatMessage("user", QUESTION),), Grounding(speaker=""), MAX_TOKENS)
    started = perf_counter()
    pieces: list[str] = []
    first_token_ms = None
    error = ""
    try:
        async with asyncio.timeout(2 * settings.CONFIG.llm_timeout), aclosing(model.stream(request, Usage())) as text:
            async for piece in text:
                first_token_ms = first_token_ms or _ms_since(started)
                pieces.append(piece)
    except StoreError as failure:
        error = failure.message
    except TimeoutError:
        error = f"The answer was not complete after {2 * settings.CONFIG.llm_timeout:.0f} s."
    return Trial("".join(pieces), first_token_ms, _ms_since(started), error)


def _ms_since(started: float) -> float:
    return (perf_counter() - started) * 1000
