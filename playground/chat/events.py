"""A turn's events: whoever listens tails the saved row. The turn runs to its end whoever listens."""

import asyncio
from collections.abc import AsyncIterator
from typing import cast

from asgiref.sync import sync_to_async
from django.http import HttpRequest, StreamingHttpResponse
from django.views.decorators.http import require_GET

from characters.conversations import access
from characters.conversations.models import Turn
from characters.talk.say import in_thread
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import role_required
from kgadmin.markdown import as_html

TAIL_SECONDS = 0.1


@require_GET
@role_required("tester")
async def events(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """Server-sent events: `assembled` once, `reply` with the text so far, `end`."""
    turn = await sync_to_async(access.turn_for)(cast(User, request.user), pk)
    response = StreamingHttpResponse(_tail(turn), content_type="text/event-stream")
    response["Cache-Control"] = "no-cache"
    response["X-Accel-Buffering"] = "no"
    return response


async def _tail(turn: Turn) -> AsyncIterator[str]:
    is_assembled, shown = False, ""
    while True:
        await in_thread(turn.refresh_from_db, fields=["state", "text", "heartbeat_at", "assembled_ms"])
        if not is_assembled and turn.assembled_ms is not None:
            is_assembled = True
            yield _event("assembled", "")
        if turn.text != shown:
            shown = turn.text
            yield _event("reply", as_html(shown))
        if not turn.is_running:
            yield _event("end", turn.status)
            return
        await asyncio.sleep(TAIL_SECONDS)


def _event(name: str, data: str) -> str:
    lines = "\n".join(f"data: {line}" for line in data.split("\n"))
    return f"event: {name}\n{lines}\n\n"
