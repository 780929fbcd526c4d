"""What went wrong with a language model, as a sentence for the person who waits for the reply."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAIError

from kgadmin.stores.errors import StoreError

WEB_PAGE = "The language model's address answers with a web page: does LLM_BASE_URL end in /v1, as most do?"
LONGEST_QUOTE = 200
LOGIN = re.compile("//[^/@]*@")
"""A name and a password in an address."""

BY_STATUS = {
    401: "The language model refused the key: check LLM_API_KEY.",
    403: "The language model refused access: check LLM_API_KEY.",
    404: "The language model's address or its model {model!r} is not known there (404): check LLM_BASE_URL, LLM_MODEL.",
    429: "The language model asks to slow down, or its quota is used up (429).",
}
REDIRECTS = range(300, 400)
MOVED = (
    "The language model's address leads to another one ({status}), which gets no prompt: if it is right, set "
    "LLM_BASE_URL to it."
)


@contextmanager
def as_sentences(base_url: str, model: str, timeout: float, *, secret: str = "") -> Iterator[None]:
    """Raise every way of failing as a `StoreError`. Endpoints quote the key that they refuse: `secret` isn't told."""
    too_late = f"The language model said nothing for {timeout:g} s."
    try:
        yield
    except (TimeoutError, APITimeoutError, httpx2.TimeoutException) as error:
        raise StoreError(too_late) from error
    except APIConnectionError as error:
        raise StoreError(_no_connection(error, base_url)) from error
    except APIStatusError as error:
        retryable = error.status_code == 429 or error.status_code >= 500
        raise StoreError(_status(error, model, secret), retryable=retryable) from error
    except httpx2.HTTPError as error:
        raise StoreError("The connection to the language model broke.") from error
    except (OpenAIError, httpx2.InvalidURL) as error:
        raise StoreError(f"The language model reports an error: {_short(str(error), secret)}") from error
    except (ValueError, AttributeError, TypeError) as error:  # the client passes on what an endpoint sends, unchecked
        raise StoreError("The language model's answer is not a stream of chat completions.") from error


def _no_connection(error: APIConnectionError, base_url: str) -> str:
    if isinstance(error.__cause__, httpx2.UnsupportedProtocol):
        return "The language model's address must begin with http:// or https://: check LLM_BASE_URL."
    if isinstance(error.__cause__, httpx2.ReadError | httpx2.RemoteProtocolError):
        return "The language model broke the connection off."
    return f"The language model does not answer at {LOGIN.sub('//', base_url)}."


def _status(error: APIStatusError, model: str, secret: str) -> str:
    if error.status_code in BY_STATUS:
        return BY_STATUS[error.status_code].format(model=model)
    if error.status_code in REDIRECTS:
        return MOVED.format(status=error.status_code)
    if error.status_code >= 500:
        return f"The language model's server failed ({error.status_code})."
    return f"The language model refused the request ({error.status_code}): {_short(error.message, secret)}"


def _short(text: str, secret: str) -> str:
    line = " ".join((text.replace(secret, "…") if secret else text).split())
    return line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1] + "…"
