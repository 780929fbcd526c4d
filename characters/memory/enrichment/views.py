"""The operator's pages of the message graph: runs, one run, the relations and her word on them."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from characters.domain.relations import CLASSES
from characters.memory.enrichment import services
from characters.memory.enrichment.forms import FilterForm, RelabelForm, RunForm
from characters.memory.enrichment.services import filtered, shown
from characters.memory.models import EnrichmentRun, Relation
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import role_required
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import Refused

RUNS_A_PAGE = 20
PROBLEMS_SHOWN = 100
RELATIONS_A_PAGE = 20

operators = role_required("operator")


class HtmxRequest(HttpRequest):
    """A request of somebody who is signed in, through django-htmx's middleware."""

    htmx: HtmxDetails
    user: User


@require_http_methods(["GET", "HEAD", "POST"])
@operators
def runs(request: HtmxRequest) -> HttpResponse:
    """All runs, and the form for a new one. With the form's values in the address, what such a run would take."""
    if request.method == "POST":
        return _start(request)
    form = _form(request)
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "memory/enrichment.html", _runs_context(request, form), status=status)


def _form(request: HtmxRequest) -> RunForm:
    """The form as the address has it, else with the defaults, bound to them so that they can be estimated."""
    if "anchors" in request.GET:
        return RunForm(request.GET)
    fresh = RunForm()
    first = fresh.fields["character"].queryset.first()  # type: ignore[attr-defined]
    values = {name: fresh[name].initial for name in fresh.fields if fresh[name].initial is not None}
    return RunForm(values | {"character": first.pk}) if first else fresh


def _start(request: HtmxRequest) -> HttpResponse:
    if "estimate" in request.POST:  # without script; the address then holds the form
        asked = {name: value for name, value in request.POST.items() if name in RunForm.base_fields}
        return redirect(f"{reverse('enrichment:runs')}?{urlencode(asked)}")
    form = RunForm(request.POST)
    if not form.is_valid():
        return render(request, "memory/enrichment.html", _runs_context(request, form), status=400)
    run = form.run()
    try:
        services.start(run, by=request.user)
    except Refused as error:
        form.add_error(None, str(error))
        return render(request, "memory/enrichment.html", _runs_context(request, form), status=400)
    return redirect("enrichment:run", run.pk)


@require_safe
@operators
def estimate(request: HtmxRequest) -> HttpResponse:
    """What a run with the form's values would take: the part of the page that follows the form."""
    if not request.htmx:
        return redirect(f"{reverse('enrichment:runs')}?{request.GET.urlencode()}")
    form = RunForm(request.GET)
    return render(request, "memory/_estimate.html", {"form": form, "estimate": _estimate(form)})


def _estimate(form: RunForm) -> services.Estimate | None:
    return services.estimate(form.run()) if form.is_bound and form.is_valid() else None


def _runs_context(request: HtmxRequest, form: RunForm) -> dict[str, Any]:
    rows = EnrichmentRun.objects.select_related("character", "person", "created_by")
    page = Paginator(rows, RUNS_A_PAGE).get_page(request.GET.get("page"))
    subjects = [services.subject_of(run) for run in page]
    newest = Job.objects.filter(kind=services.JOB_KIND, subject__in=subjects).order_by("pk")
    jobs = {job.subject: job for job in newest}
    return {
        "form": form,
        "estimate": _estimate(form),
        "page": page,
        "rows": [(run, jobs.get(services.subject_of(run))) for run in page],
        "relation_count": Relation.objects.drawn().count(),
    }


@require_safe
@operators
def run(request: HtmxRequest, pk: int) -> HttpResponse:
    """One run: progress, figures, what failed and why."""
    return render(request, "memory/enrichment_run.html", _run_context(pk))


@require_safe
@operators
def progress(request: HtmxRequest, pk: int) -> HttpResponse:
    """The part of a run's page that is asked for again and again while it works."""
    if not request.htmx:
        return redirect("enrichment:run", pk)
    return render(request, "memory/enrichment_run.html#progress", _run_context(pk))


def _run_context(pk: int) -> dict[str, Any]:
    shown = get_object_or_404(EnrichmentRun.objects.select_related("character", "person", "created_by"), pk=pk)
    problems = shown.problems.all()
    return {
        "run": shown,
        "job": services.job_of(shown),
        "problems": problems[:PROBLEMS_SHOWN],
        "problem_count": problems.count(),
    }


@require_safe
@operators
def relations(request: HtmxRequest) -> HttpResponse:
    """The relations, filtered, with both messages side by side."""
    form = FilterForm(request.GET)
    page = _page(request, form)
    kept = request.GET.copy()
    kept.pop("page", None)
    context = {
        "filter": form,
        "page": page,
        "query": f"{kept.urlencode()}&" if kept else "",
        "classes": CLASSES,
        "back": request.get_full_path(),
    }
    return render(request, "memory/relations.html", context, status=200 if form.is_valid() else 400)


def _page(request: HtmxRequest, form: FilterForm) -> Page[Relation]:
    rows = filtered(form.cleaned_data) if form.is_valid() else Relation.objects.none()
    return Paginator(shown(rows), RELATIONS_A_PAGE).get_page(request.GET.get("page"))


@require_POST
@operators
def relabel(request: HtmxRequest, pk: int) -> HttpResponse:
    """Give a relation another class, or confirm the one that it has."""
    relation = get_object_or_404(shown(Relation.objects.all()), pk=pk)
    form = RelabelForm(request.POST)
    if not form.is_valid():
        return _answer(request, relation, error="Choose one of the twelve classes.")
    services.relabel(relation, name=form.cleaned_data["relation"], by=request.user)
    return _answer(request, relation)


@require_POST
@operators
def reject(request: HtmxRequest, pk: int) -> HttpResponse:
    """Say that two messages aren't related so."""
    relation = get_object_or_404(shown(Relation.objects.all()), pk=pk)
    services.reject(relation, by=request.user)
    return _answer(request, relation)


def _answer(request: HtmxRequest, relation: Relation, error: str = "") -> HttpResponse:
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
        back = reverse("enrichment:relations")
    if request.htmx:
        context = {"relation": relation, "classes": CLASSES, "error": error, "back": back}
        return render(request, "memory/_relation.html", context, status=400 if error else 200)
    if error:
        messages.error(request, error)
    return redirect(f"{back}#relation-{relation.pk}")
