"""The web server's application: Django, with what one web process does at its start and at its end."""

import logging
import os
import threading
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.utils.module_loading import import_string

from kgadmin.bodies import bounded
from kgadmin.logs import DiscreetFilter
from kgadmin.stores import wiring

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kgadmin.settings")

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]

django_application = get_asgi_application()
logging.getLogger("uvicorn.access").addFilter(DiscreetFilter())


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Django's application, which knows no lifespan, and the lifespan."""
    if scope["type"] == "lifespan":
        await _live(receive, send)
    else:
        await bounded(django_application)(scope, receive, send)


async def _live(receive: Receive, send: Send) -> None:
    await receive()  # lifespan.startup
    wiring.embed_by_export()
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


async def _call_shutdown_hooks() -> None:
    """uvicorn doesn't cancel the tasks that a process still runs; whoever started some names here who does."""
    for name in settings.SHUTDOWN_HOOKS:
        await import_string(name)()
