"""How much a request may send: Django writes the whole body to the disk before any view sees it."""

import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Any], Awaitable[None]]

MOST_BYTES = 32_000_000
MOST_BYTES_OF_FILES = 256_000_000


def bounded(application: Application) -> Callable[[dict[str, Any], Receive, Send], Awaitable[None]]:
    """The application, with 413 for a body that is too large: at once where its length is told, else when it is."""

    async def serve(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        most = _most(scope)
        if _told_length(scope) > most:
            await _refuse(send, most)
            return
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            before, seen = seen, seen + len(message.get("body", b""))
            if seen <= most:
                return message
            if before <= most:
                await _refuse(send, most)
            return {"type": "http.disconnect"}  # Django gives up, and answers no more

        await application(scope, counted, send)

    return serve


def _most(scope: Mapping[str, Any]) -> int:
    return MOST_BYTES_OF_FILES if _header(scope, b"content-type").startswith(b"multipart/") else MOST_BYTES


def _told_length(scope: Mapping[str, Any]) -> int:
    told = _header(scope, b"content-length")
    return int(told) if told.isdigit() else 0


def _header(scope: Mapping[str, Any], name: bytes) -> bytes:
    return next((bytes(value) for key, value in scope.get("headers", []) if key == name), b"")


async def _refuse(send: Send, most: int) -> None:
    detail = f"This is too large: at most {most // 1_000_000} MB are taken at once. Send it in parts."
    problem = {"type": "about:blank", "title": "Content Too Large", "status": 413, "detail": detail}
    headers = [(b"content-type", b"application/problem+json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(problem).encode()})
