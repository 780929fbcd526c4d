"""Pause, resume and cancel jobs; each returns to the page of its buttons (templates/jobs/_controls.html)."""

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from kgadmin.accounts.roles import PageRequest, role_required
from kgadmin.jobs import services
from kgadmin.rest.actions import answer, back


@require_POST
@role_required("operator")
def act(request: PageRequest, pk: int, verb: str) -> HttpResponse:
    """Pause, resume or cancel a job; its work stays."""
    services.act(pk, verb)
    return answer(request, "", back(request, otherwise="home"))
