"""The ASGI application: Django, its start-up and shutdown, and limits on request bodies."""

import asyncio
import gc
import json
import logging
import os
import threading
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.utils.module_loading import import_string

from characters.clients.openai.errors import RefusedError
from kgadmin.logs import DiscreetFilter
from kgadmin.stores import wiring

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kgadmin.settings")

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Any], Awaitable[None]]

MOST_BYTES = 32_000_000
MOST_BYTES_OF_FILES = 256_000_000
PIECE_SECONDS = 30.0
"""Seconds to wait for the next piece of a body."""
LIVE_OBJECTS = 20_000
"""New objects after which the garbage collector looks through the newest."""
TOO_SLOW = f"The request was incomplete after {PIECE_SECONDS:g} seconds. Send it again."

django_application = get_asgi_application()
logging.getLogger("uvicorn.access").addFilter(DiscreetFilter())


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Serve Django's application, and the lifespan protocol, which Django lacks."""
    if scope["type"] == "lifespan":
        await _live(receive, send)
    else:
        await bounded(django_application)(scope, receive, send)


async def _live(receive: Receive, send: Send) -> None:
    await receive()  # lifespan.startup
    # Pages are served while the model loads; the first turn waits for the rest of it.
    threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()
    await send({"type": "lifespan.startup.complete"})
    await receive()  # lifespan.shutdown
    await _call_shutdown_hooks()
    await send({"type": "lifespan.shutdown.complete"})


def _warm_up() -> None:
    wiring.warm()
    for name in settings.WARM_UP_HOOKS:
        import_string(name)()
    spare_the_collector()


def spare_the_collector() -> None:
    """Let Python's garbage collector pass over what stays for good, and look less often: it took a tenth of a turn."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(LIVE_OBJECTS)


async def _call_shutdown_hooks() -> None:
    """Call the registered shutdown hooks: uvicorn doesn't cancel tasks that a process still runs."""
    for name in settings.SHUTDOWN_HOOKS:
        await import_string(name)()


def bounded(application: Application) -> Callable[[dict[str, Any], Receive, Send], Awaitable[None]]:
    """Return the application with 413 for a body that is too large and 408 for one that stops arriving."""

    async def serve(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        is_of_files = _header(scope, b"content-type").startswith(b"multipart/")
        most = MOST_BYTES_OF_FILES if is_of_files else MOST_BYTES
        too_large = f"This is too large: at most {most // 1_000_000} MB are allowed per request. Send it in parts."
        length = _header(scope, b"content-length")
        if length.isdigit() and int(length) > most:
            await _refuse(scope, send, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, too_large)
            return
        received, is_complete = 0, False

        async def counted() -> Message:
            nonlocal received, is_complete
            try:
                async with asyncio.timeout(None if is_complete else PIECE_SECONDS):
                    message = await receive()
            except TimeoutError:
                await _refuse(scope, send, HTTPStatus.REQUEST_TIMEOUT, TOO_SLOW)
                return {"type": "http.disconnect"}
            is_complete = not message.get("more_body")
            before, received = received, received + len(message.get("body", b""))
            if received <= most:
                return message
            if before <= most:
                await _refuse(scope, send, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, too_large)
            return {"type": "http.disconnect"}  # Django gives up, and answers no more

        await application(scope, counted, send)

    return serve


def _header(scope: Mapping[str, Any], name: bytes) -> bytes:
    return next((bytes(value) for key, value in scope.get("headers", []) if key == name), b"")


async def _refuse(scope: Mapping[str, Any], send: Send, status: HTTPStatus, detail: str) -> None:
    body: Mapping[str, Any] = {"type": "about:blank", "title": status.phrase, "status": status, "detail": detail}
    kind = b"application/problem+json"
    if str(scope.get("path", "")).startswith("/v1/"):
        body, kind = RefusedError(status, detail).body(), b"application/json"
    headers = [(b"content-type", kind), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})
