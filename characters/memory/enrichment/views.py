"""The operator's pages of the message graph: runs, one run, relations and decisions on them."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from characters.conversations.models import Person
from characters.domain.relations import CLASSES
from characters.memory.enrichment import services
from characters.memory.enrichment.forms import (
    RUN_SETTINGS,
    STATUSES,
    EnrichmentRunIn,
    RelabelIn,
    RelationFilter,
    people_choices,
    run_settings,
)
from characters.memory.models import EnrichmentRun, Relation
from characters.profiles.models import Character
from kgadmin.accounts.roles import PageRequest, role_required
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import answer, back, on_page, read

RUNS_A_PAGE = 20
PROBLEMS_SHOWN = 100
RELATIONS_A_PAGE = 20

operators = role_required("operator")


@require_http_methods(["GET", "HEAD", "POST"])
@operators
@on_page()
def runs(request: PageRequest) -> HttpResponse:
    """All runs, and the form for a new one."""
    if request.method == "POST":
        run = services.asked_run(read(EnrichmentRunIn, request.POST, **RUN_SETTINGS))
        services.start(run, by=request.user)
        return redirect("enrichment:run", run.pk)
    rows = EnrichmentRun.objects.select_related("character", "person", "created_by")
    page = Paginator(rows, RUNS_A_PAGE).get_page(request.GET.get("page"))
    subjects = [run.subject for run in page]
    jobs = Job.objects.filter(kind=EnrichmentRun.JOB_KIND, subject__in=subjects).order_by("pk")
    newest = {job.subject: job for job in jobs}
    model = services.model_name()
    context = {
        "page": page,
        "rows": [(run, newest.get(run.subject)) for run in page],
        "relation_count": Relation.objects.drawn().count(),
        "sent": request.POST,
        "characters": Character.objects.order_by("name", "pk").values_list("slug", "name"),
        "people": people_choices(services.people_of_runs()),
        "settings": run_settings(request.POST, with_model=bool(model)),
        "model": model,
    }
    return render(request, "memory/enrichment.html", context)


@require_safe
@operators
def run(request: PageRequest, pk: int) -> HttpResponse:
    """One run: progress, figures, failures with their reasons."""
    return render(request, "memory/enrichment_run.html", _run_context(pk))


@require_safe
@operators
def progress(request: PageRequest, pk: int) -> HttpResponse:
    """The part of a run's page that is polled while it works."""
    if not request.htmx:
        return redirect("enrichment:run", pk)
    return render(request, "memory/enrichment_run.html#progress", _run_context(pk))


def _run_context(pk: int) -> dict[str, Any]:
    run = services.run_for(pk)
    problems = run.problems.all()
    return {
        "run": run,
        "job": run.job,
        "problems": problems[:PROBLEMS_SHOWN],
        "problem_count": problems.count(),
    }


@require_safe
@operators
def relations(request: PageRequest) -> HttpResponse:
    """The relations, filtered, with both messages side by side."""
    asked = read(RelationFilter, request.GET)
    context = {
        "filter": asked,
        "page": Paginator(services.filtered(asked), RELATIONS_A_PAGE).get_page(request.GET.get("page")),
        "classes": CLASSES,
        "statuses": STATUSES,
        "characters": Character.objects.order_by("name", "pk"),
        "people": people_choices(Person.objects.filter(relations__isnull=False)),
        "back": request.get_full_path(),
    }
    return render(request, "memory/relations.html", context)


@require_POST
@operators
def relabel(request: PageRequest, pk: int) -> HttpResponse:
    """Give a relation another class, or confirm the present one."""
    relation = services.relation_for(pk)
    name = read(RelabelIn, request.POST, relation="Class").relation
    services.decide(relation, Relation.Status.RELABELLED, name=name, by=request.user)
    return _shown_again(request, relation)


@require_POST
@operators
def reject(request: PageRequest, pk: int) -> HttpResponse:
    """Mark two messages as not related that way."""
    relation = services.relation_for(pk)
    services.decide(relation, Relation.Status.REJECTED, by=request.user)
    return _shown_again(request, relation)


def _shown_again(request: PageRequest, relation: Relation) -> HttpResponse:
    came_from = back(request, otherwise=reverse("enrichment:relations"))
    context = {"relation": relation, "classes": CLASSES, "back": came_from}
    return answer(request, "", f"{came_from}#relation-{relation.pk}", part="memory/_relation.html", context=context)
