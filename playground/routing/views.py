"""Pages: try a message as a turn would have it; the routing lab."""

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from characters.profiles.access import character_for, characters_for
from characters.profiles.models import Character
from kgadmin.accounts.roles import PageRequest, has_role, role_required
from kgadmin.knowledge.access import bases_for
from kgadmin.rest.actions import Refused, answer, back, on_page, read
from playground.routing import labels, runs
from playground.routing.figures import figures_of
from playground.routing.forms import Compared, LabelIn, MessageIn, RoutingRunIn
from playground.routing.models import Label, Run
from playground.routing.preview import preview
from playground.routing.reports import report_of

LABELS_A_PAGE, RUNS_SHOWN = 50, 20
SAMPLE = "message,base\nWhy do corals bleach?,marine_biology\nLuna knocked my tea over again.,none\n"

readers = role_required("operator", "author", "tester")
labellers = role_required("operator", "tester")


@require_safe
@readers
@on_page()
def preview_message(request: PageRequest) -> HttpResponse:
    """Show what a turn of the chosen character would do with a message (`?q=`, `?character=`)."""
    asked = read(MessageIn, request.GET, q="The message")
    characters = _characters(request)
    character = next((row for row in characters if row.slug == asked.character), characters[0] if characters else None)
    context = {
        "characters": characters,
        "character": character,
        "question": asked.q,
        "preview": preview(character, asked.q, bases_for(request.user)) if character and asked.q else None,
        "may_write": has_role(request.user, "operator"),
        "may_label": has_role(request.user, "operator") or has_role(request.user, "tester"),
        "bases": bases_for(request.user),
    }
    return render(request, "routing/preview.html", context)


def _characters(request: PageRequest) -> Sequence[Character]:
    return list(characters_for(request.user).filter(live_revision__isnull=False, archived_at=None).order_by("name"))


@require_safe
@labellers
def lab(request: PageRequest) -> HttpResponse:
    """Show the labelled messages and the runs over them."""
    rows = Label.objects.select_related("base", "created_by")
    context = {
        "labels": Paginator(rows, LABELS_A_PAGE).get_page(request.GET.get("page")),
        "runs": [_summary(row) for row in Run.objects.select_related("character", "created_by")[:RUNS_SHOWN]],
        "bases": bases_for(request.user),
        "characters": _characters(request),
        "sample": SAMPLE,
    }
    return render(request, "routing/lab.html", context)


def _summary(row: Run) -> dict[str, Any]:
    figures = figures_of(runs.outcomes_of(row))
    return {"run": row, "figures": figures, "stale": runs.stale_bases(row), "job": row.job}


@require_POST
@labellers
@on_page(lab)
def add_label(request: PageRequest) -> HttpResponse:
    """Label a message, typed or from a turn."""
    asked = read(LabelIn, request.POST, text="The message")
    label = labels.save_from(asked, bases_for(request.user), by=request.user)
    where = label.base.name if label.base else "no base"
    return answer(request, f"Labelled: {where}. The routing lab has it.", back(request) or "routing:lab")


@require_POST
@labellers
@on_page(lab)
def import_labels(request: PageRequest) -> HttpResponse:
    """Label the messages of a CSV file."""
    upload = request.FILES.get("file")
    if upload is None:
        raise Refused("Choose a CSV file first.")
    count = labels.import_csv(upload.read(labels.MAX_BYTES + 1), bases_for(request.user), by=request.user)
    return answer(request, f"{count} message{'s' * (count != 1)} labelled.", "routing:lab")


@require_POST
@labellers
def remove_label(request: PageRequest, pk: int) -> HttpResponse:
    """Remove a label."""
    Label.objects.filter(pk=pk).delete()
    return answer(request, "The label is removed.", "routing:lab")


@require_POST
@labellers
@on_page(lab)
def start_run(request: PageRequest) -> HttpResponse:
    """Run all labelled messages through a character's bases."""
    character = character_for(request.user, read(RoutingRunIn, request.POST).character)
    return redirect(runs.start(character, by=request.user))


@require_safe
@labellers
def run(request: PageRequest, pk: int) -> HttpResponse:
    """Show one run: figures, confusion matrix, thresholds, and what changed since another run (`?with=`)."""
    row = runs.run_for(pk)
    other = runs.run_before(row, read(Compared, request.GET).other or 0)
    context = {
        "run": row,
        "job": row.job,
        "report": report_of(row, other) if row.finished_at else None,
        "others": Run.objects.filter(character=row.character, finished_at__isnull=False).exclude(pk=pk)[:RUNS_SHOWN],
        "may_write": has_role(request.user, "operator"),
    }
    return render(request, "routing/run.html#progress" if request.htmx else "routing/run.html", context)
