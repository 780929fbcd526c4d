"""Pages of operations: the dashboard, drift, health, the language model, the audit log, and the error page."""

import sys

from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.paginator import Paginator
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.defaults import server_error as default_server_error

from characters.clients.openai.errors import RefusedError
from characters.profiles.access import characters_for
from kgadmin.accounts.roles import PageRequest, has_role, role_required
from kgadmin.config import Config
from kgadmin.embedded.run_file import read_run_file
from kgadmin.jobs.models import Job
from kgadmin.knowledge.access import bases_for
from kgadmin.knowledge.models import Document
from kgadmin.operations import dashboard
from kgadmin.operations.audit_log import LABELS, AuditFilter, actors, acts_of, entries, heads, presses, verbs
from kgadmin.operations.health import QUESTION, is_ready, look, try_model, without_secrets
from kgadmin.operations.periods import PERIODS
from kgadmin.projection import services as projection
from kgadmin.projection.tasks import sweep
from kgadmin.rest.actions import answer, read
from kgadmin.rest.schemas import problem
from kgadmin.stores import wiring
from kgadmin.stores.cache import all_used
from kgadmin.stores.errors import StoreError

FAILED_JOBS_SHOWN = 5
BASES_SHOWN = 12
PRESSES_A_PAGE = 50
RETRY_AFTER_SECONDS = 5
DATABASE_AWAY = "The database does not answer. What was saved before is safe; try again in a few seconds."
MISTAKE = "Something went wrong on the server. Its log has the details; tell whoever runs it."
DEFAULT_PERIOD = "24h"

operators = role_required("operator")


@require_safe
@operators
@never_cache
def overview(request: HttpRequest) -> HttpResponse:
    """Show figures of a period (`?period=24h|7d|30d`), and what waits now."""
    period = PERIODS.get(request.GET.get("period", DEFAULT_PERIOD))
    if period is None:
        raise Http404(f"There is no such period. Choose one of {', '.join(PERIODS)}.")
    shown = dashboard.overview(period)
    context = {
        "period": period,
        "periods": PERIODS.values(),
        "turns": shown.turns,
        "shares": shown.shares,
        "times": shown.times,
        "figures": shown.bases,
        "uses": shown.bases.uses[:BASES_SHOWN],
        "every": shown.every,
        "over": [each.name for each in shown.times if each.is_over],
        "failures": shown.failures,
        "waiting": shown.waiting,
        "parts": look(),
        "may_trace": has_role(request.user, "tester"),
        "may_open": True,
    }
    return render(request, "operations/dashboard.html", context)


@require_safe
@operators
@never_cache
def drift(request: HttpRequest) -> HttpResponse:
    """Compare both projections with the database, now."""
    compared, errors = [], []
    for store in projection.STORES:
        try:
            compared += [(store, each, "bad" if each.differences else "good") for each in projection.compare(store)]
        except StoreError as error:
            errors.append(error.message)
    context = {
        "compared": compared,
        "errors": errors,
        "differences": [(store, each) for store, comparison, _ in compared for each in comparison.differences],
        "stores": sorted({store for store, comparison, _ in compared if comparison.differences}),
        "waiting": projection.waiting(),
    }
    return render(request, "operations/drift.html", context)


@require_POST
@operators
def repair(request: HttpRequest, store: str) -> HttpResponse:
    """Rebuild a store from the database."""
    if store not in projection.STORES:
        raise Http404("There is no such store. Choose graph or vectors.")
    projection.rebuild(store)
    sweep.delay()
    message = f"A worker is rebuilding the {store}. Turns continue, but may find less until it is done."
    return answer(request, message, "operations:drift")


@require_safe
@never_cache
def health(request: PageRequest) -> HttpResponse:
    """Show every engine, the queue and restarts, as they are now."""
    parts = look()
    failed_documents = Document.objects.failed().count()
    queue = {state.value: Job.objects.filter(state=state).count() for state in Job.State}
    context = {
        "parts": parts,
        "down": [part.label for part in parts if part.answer.state == "down"],
        "ready": is_ready(parts),
        "queue": queue,
        "failed": queue[Job.State.FAILED] + failed_documents,
        "failed_bases": bases_for(request.user).with_failures(),
        "failed_jobs": Job.objects.filter(state=Job.State.FAILED)[:FAILED_JOBS_SHOWN],
        "run": read_run_file(settings.DATA_DIR),
        "caches": all_used(),
        "index_bytes": wiring.index_files().size(),
    }
    return render(request, "operations/health.html" + ("#health" if request.htmx else ""), context)


@require_safe
def language_model(request: HttpRequest) -> HttpResponse:
    """Show the variables that connect a language model, and which are set."""
    return render(request, "operations/language_model.html", _language_model_context(request))


@require_POST
@role_required("operator", "tester")
def try_language_model(request: PageRequest) -> HttpResponse:
    """Ask the endpoint a small question and show the answer."""
    trial = async_to_sync(try_model)(wiring.language_model())
    context = _language_model_context(request) | {"trial": trial}
    return render(request, "operations/language_model.html" + ("#trial" if request.htmx else ""), context)


def _language_model_context(request: HttpRequest) -> dict[str, object]:
    config = settings.CONFIG
    return {
        "variables": [
            _variable("llm_base_url", shown=without_secrets(config.llm_base_url)),
            _variable("llm_model", shown=config.llm_model),
            _variable("llm_api_key"),
        ],
        "connected": bool(config.llm_base_url),
        "timeout": config.llm_timeout,
        "env_file": settings.BASE_DIR / ".env",
        "question": QUESTION,
        "may_try": has_role(request.user, "operator") or has_role(request.user, "tester"),
    }


def _variable(field: str, shown: str = "") -> dict[str, object]:
    """Return a variable of the environment; with its value only if that may be shown."""
    is_set = bool(str(getattr(settings.CONFIG, field)))
    meaning = Config.model_fields[field].description
    return {"name": field.upper(), "meaning": meaning, "is_set": is_set, "value": shown}


@require_safe
@operators
def audit_log(request: HttpRequest) -> HttpResponse:
    """Show a page of the log, the newest first, grouped by action; with `?batch=`, each act of that action."""
    asked = read(AuditFilter, request.GET, **LABELS)
    rows = entries(asked)
    page = Paginator(rows if asked.batch else heads(rows), PRESSES_A_PAGE).get_page(request.GET.get("page"))
    shown = list(page.object_list)
    context = {
        "filter": asked,
        "actors": actors(),
        "verbs": verbs(),
        "characters": characters_for(request.user).order_by("name", "pk"),
        "page": page,
        "is_one": bool(asked.batch),
        "presses": [] if asked.batch else presses(shown, rows),
        "acts": acts_of(shown) if asked.batch else [],
    }
    return render(request, "operations/audit_log.html", context)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 503 with a sentence if the database is away, else 500. Makes no query, not even for the user."""
    if not isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        return problem(500, MISTAKE) if request.path.startswith("/api/") else default_server_error(request)
    if request.path.startswith("/v1/"):
        return RefusedError(503, DATABASE_AWAY, code="database_away", retry_after=RETRY_AFTER_SECONDS).response()
    headers = {"Retry-After": str(RETRY_AFTER_SECONDS)}
    if request.path.startswith("/api/"):
        return problem(503, DATABASE_AWAY, headers=headers)
    template = "_unavailable.html" if "HX-Request" in request.headers else "503.html"
    return HttpResponse(render_to_string(template, {"message": DATABASE_AWAY}), status=503, headers=headers)
