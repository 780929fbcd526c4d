"""Check every engine in bounded time, and try the language model."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from importlib.metadata import version
from time import perf_counter
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

import httpx
from django.conf import settings
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from kgadmin.jobs import broker
from kgadmin.jobs.models import Job, WorkerHeartbeat
from kgadmin.operations.schema import why_not_at_start
from kgadmin.projection import services as projection
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from kgadmin.stores.language_model import ChatMessage, ChatRequest, Grounding, LanguageModel, Usage

State = Literal["up", "warming", "down", "offline responder"]

PROBE_SECONDS = 0.5
HEARTBEAT_IS_OLD_AFTER = timedelta(seconds=20)
"""Age from which the heartbeat is old: beat sends one every 5 s, and a worker that embeds may be late."""
QUESTION = "Answer in one short sentence: are you there?"
MAX_TOKENS = 60


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a probe; `text` has details, without secrets."""

    state: State = "up"
    version: str = ""
    address: str = ""
    text: str = ""


def database() -> Answer:
    """Check the database. Raises Django's `DatabaseError` or `InterfaceError`."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        cursor.fetchone()
    place = settings.DATABASES["default"]
    address = str(place["NAME"]) if connection.vendor == "sqlite" else f"{place['HOST']}/{place['NAME']}"
    if sentence := why_not_at_start():
        return Answer("down", _database_version(), address, sentence)
    return Answer(version=_database_version(), address=address)


def graph() -> Answer:
    return Answer(version=wiring.graph().ping(), address=without_secrets(settings.CONFIG.graph_url))


def vectors() -> Answer:
    return Answer(version=f"Chroma {wiring.vectors().ping()}", address=without_secrets(settings.CONFIG.vectors_url))


def embedder() -> Answer:
    """Report the embedder's state without loading the model, so that the check doesn't wait for it."""
    model, name = wiring.embedder(), settings.CONFIG.embedder_model
    if model.state == "down":
        return Answer("down", address=name, text=model.failure)
    if model.state == "up":
        return Answer("up", model.library, name, model.note)
    return Answer("warming", address=name, text="Loading its model; the first turns may have to wait.")


def language_model() -> Answer:
    """Ask the endpoint for its list of models. Answers such as 404 count as up; 401, 403 and 5xx as down."""
    config = settings.CONFIG
    if not config.llm_base_url:
        return Answer("offline responder", text="No endpoint is set.")
    key = config.llm_api_key.get_secret_value()
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        reply = _http().get(f"{config.llm_base_url.rstrip('/')}/models", headers=headers)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise StoreError(f"The endpoint does not answer within {PROBE_SECONDS} s.") from error
    if reply.status_code in {401, 403} or reply.status_code >= 500:
        raise StoreError(f"The endpoint answers with HTTP {reply.status_code}.")
    return Answer(version=config.llm_model, address=without_secrets(config.llm_base_url))


def worker() -> Answer:
    """Check the heartbeat, which beat sends, the broker carries and a worker writes: one is down if it is old."""
    celery = f"Celery {version('celery')}"
    if not broker.answers():
        return Answer("down", celery, text="The broker does not answer. Background work waits until it does.")
    heartbeat = WorkerHeartbeat.objects.order_by("-at").first()
    if heartbeat is None:
        return Answer("down", celery, text="No heartbeat yet: is a worker running, and beat?")
    place = f"{heartbeat.hostname}, process {heartbeat.pid}"
    text = f"Heartbeat {naturaltime(heartbeat.at)}"
    if heartbeat.at < timezone.now() - HEARTBEAT_IS_OLD_AFTER:
        return Answer("down", celery, place, f"{text}: a worker or beat has stopped.")
    return Answer("up", celery, place, text)


Probe = Callable[[], Answer]
PROBES: dict[str, Probe] = {
    "database": database,
    "graph": graph,
    "vectors": vectors,
    "embedder": embedder,
    "language_model": language_model,
    "worker": worker,
}
"""Probes of all parts, in the order of the page."""


@cache
def _http() -> httpx.Client:
    """Return one HTTP client for all probes: creating one reads the certificates, a good part of a probe's time."""
    return httpx.Client(timeout=PROBE_SECONDS)


def without_secrets(url: str) -> str:
    """Return the address without user, password and query."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


def _database_version() -> str:
    return f"{connection.display_name} {'.'.join(map(str, connection.get_database_version()))}"


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of a trial. `error` is a sentence, empty on success."""

    reply: str = ""
    first_token_ms: float | None = None
    total_ms: float = 0
    error: str = ""


async def try_model(model: LanguageModel) -> Trial:
    """Ask `QUESTION` and wait for the whole answer; a failure becomes the trial's `error`."""
    request = ChatRequest((ChatMessage("user", QUESTION),), Grounding(speaker=""), MAX_TOKENS)
    started = perf_counter()
    pieces: list[str] = []
    first_token_ms = None
    error = ""
    patience = 2 * settings.CONFIG.llm_timeout
    try:
        async with asyncio.timeout(patience), aclosing(model.stream(request, Usage())) as text:
            async for piece in text:
                first_token_ms = first_token_ms or _ms_since(started)
                pieces.append(piece)
    except StoreError as failure:
        error = failure.message
    except TimeoutError:
        error = f"The answer was not complete after {patience:.0f} s."
    return Trial("".join(pieces), first_token_ms, _ms_since(started), error)


def _ms_since(started: float) -> float:
    return (perf_counter() - started) * 1000


GIVE_UP_SECONDS = 0.55
"""A little more than the engines' own time-outs, so that their sentence is shown."""

NEEDED = {"database", "graph", "vectors", "embedder", "worker"}
"""Parts that turns and ingestion need to work in full; a reply is possible without the worker."""

IN_REQUEST = {"database", "worker"}
"""Probes that run in the request's own thread and connection."""

# Twice the probes: a hung one may still hold its thread when the next look begins.
_threads = ThreadPoolExecutor(2 * len(PROBES), thread_name_prefix="probe")


@dataclass(frozen=True, slots=True)
class Part:
    """The state of an engine."""

    name: str
    answer: Answer
    latency_ms: float | None = None

    @property
    def label(self) -> str:
        return self.name.replace("_", " ").capitalize()

    @property
    def tone(self) -> str:
        """Return the value of `data-state`."""
        return {"up": "good", "warming": "warn", "down": "bad"}.get(self.answer.state, "warn")


def look(probes: Mapping[str, Probe] = PROBES) -> list[Part]:
    """Check all parts. Probes on threads get `GIVE_UP_SECONDS` together; those of `IN_REQUEST` take their own time."""
    started = perf_counter()
    waiting = {name: _threads.submit(_probe, name, probe) for name, probe in probes.items() if name not in IN_REQUEST}
    parts = {name: _probe(name, probe) for name, probe in probes.items() if name in IN_REQUEST}
    parts |= {name: _result(name, future, started) for name, future in waiting.items()}
    return [parts[name] for name in probes]


def is_ready(parts: list[Part]) -> bool:
    """Return whether turns and ingestion work; an embedder that still warms counts as working."""
    return all(part.answer.state != "down" for part in parts if part.name in NEEDED)


def count_waiting() -> int:
    """Return how many jobs and projections wait or run; 0 if the database doesn't answer."""
    try:
        return len(projection.waiting()) + Job.objects.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING]).count()
    except (DatabaseError, InterfaceError):
        return 0


def _probe(name: str, probe: Probe) -> Part:
    started = perf_counter()
    try:
        answer = probe()
    except StoreError as error:
        return Part(name, Answer("down", text=error.message))
    except (DatabaseError, InterfaceError):
        return Part(name, Answer("down", text="The database does not answer."))
    return Part(name, answer, latency_ms=(perf_counter() - started) * 1000)


def _result(name: str, future: Future[Part], started: float) -> Part:
    left = GIVE_UP_SECONDS - (perf_counter() - started)
    try:
        return future.result(timeout=max(left, 0))
    except TimeoutError:
        return Part(name, Answer("down", text="Gave no answer in half a second."))
