"""Pausing, resuming, cancelling: each leads back to the page of its buttons (templates/jobs/_controls.html)."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from kgadmin.accounts.roles import role_required
from kgadmin.jobs import services
from kgadmin.jobs.models import Job


@require_POST
@role_required("operator")
def pause(request: HttpRequest, pk: int) -> HttpResponse:
    """Let it stop at its next step, to go on later."""
    return _done(request, pk, Job.pause, "This had ended already, so there was nothing to pause.")


@require_POST
@role_required("operator")
def resume(request: HttpRequest, pk: int) -> HttpResponse:
    """Let it go on where it stopped."""
    return _done(request, pk, services.resume, "This wasn't paused, so there was nothing to resume.")


@require_POST
@role_required("operator")
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Let it stop for good; what it did stays."""
    return _done(request, pk, Job.cancel, "This had ended already, so there was nothing to cancel.")


def _done(request: HttpRequest, pk: int, act: Callable[[Job], bool], too_late: str) -> HttpResponse:
    if not act(get_object_or_404(Job, pk=pk)):
        messages.warning(request, too_late)
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return redirect(back if safe else "home")
