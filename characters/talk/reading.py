"""Reading a reply from the language model, bounded in tries and in length."""

from contextlib import aclosing

from django.conf import settings

from characters.talk.progress import Progress
from kgadmin.stores.errors import StoreError
from kgadmin.stores.language_model import ChatRequest, LanguageModel

MOST_CHARACTERS = 100_000
CHARACTERS_OF_A_TOKEN = 10


async def read(model: LanguageModel, request: ChatRequest, progress: Progress) -> None:
    """Read the reply. One more try after an error that may pass, before the first token and within the time-out."""
    for last in (False, True):
        try:
            await _take(model, request, progress)
        except StoreError as error:
            spent = progress.elapsed_ms / 1000 >= settings.CONFIG.llm_timeout
            if last or progress.text or spent or not error.retryable:
                raise
        else:
            return


async def _take(model: LanguageModel, request: ChatRequest, progress: Progress) -> None:
    """All pieces; of a model that never ends, whatever number of tokens was asked for, as many as a reply can have."""
    most = max(MOST_CHARACTERS, settings.CONFIG.llm_reply_tokens * CHARACTERS_OF_A_TOKEN)
    async with aclosing(model.stream(request, progress.usage)) as pieces:
        async for piece in pieces:
            progress.add(piece[: most - len(progress.said)])
            if len(progress.said) >= most:
                progress.usage.truncated = True
                return
