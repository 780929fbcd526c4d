"""What could be wrong with a draft, and one click to mend it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from characters.authoring.editing import page as editor
from characters.authoring.lint import services
from characters.profiles.access import character_for
from characters.profiles.models import Character, Draft
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import role_required
from kgadmin.rest.actions import Refused

PAGE = "profiles/lint.html"
MOST_SHOWN = 200


class HtmxRequest(HttpRequest):
    """A request of somebody who is signed in, through django-htmx's middleware."""

    htmx: HtmxDetails
    user: User


@require_safe
@role_required("author")
def lint(request: HtmxRequest, slug: str) -> HttpResponse:
    """The draft's contradictions and remarks."""
    character = character_for(request.user, slug, to_edit=True)
    return _list(request, character)


@require_POST
@role_required("author")
def check(request: HtmxRequest, slug: str) -> HttpResponse:
    """Let a worker check a draft that is too large to be checked at once."""
    character = character_for(request.user, slug, to_edit=True)
    services.start(character, by=request.user)
    if request.htmx:
        return _list(request, character)
    return redirect(f"{reverse('profiles:lint', args=[slug])}#lint")


@require_POST
@role_required("author")
def fix(request: HtmxRequest, slug: str) -> HttpResponse:
    """Mend one of them."""
    character = character_for(request.user, slug, to_edit=True)
    name, _, number = request.POST.get("fix", "").partition(":")
    try:
        said = services.fix(
            character,
            finding=name,
            number=int(number) if number.isdecimal() else -1,
            by=request.user,
            tab=editor.tab_of(request),
        )
    except Refused as error:
        if request.htmx:
            return _list(request, character, error=str(error), status=400)
        messages.error(request, str(error))
    else:
        if request.htmx:
            return _list(request, character, said=said)
        messages.success(request, said)
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
        back = reverse("profiles:lint", args=[slug])
    return redirect(f"{back}#lint")


def _list(request: HtmxRequest, character: Character, *, status: int = 200, **more: str) -> HttpResponse:
    draft = editor.begun(character)
    shown = context(character, draft) | more
    if request.htmx:
        return render(request, f"{PAGE}#lint", shown, status=status)
    return render(request, PAGE, editor.context(request, character, draft, "lint") | shown)


def context(character: Character, draft: Draft) -> dict[str, Any]:
    """What the list shows."""
    is_large, job = services.is_large(draft), services.job_of(character)
    report = None if is_large and job and job.is_open else services.report_of(draft)
    return {
        "character": character,
        "draft": draft,
        "report": report,
        "findings": report.findings[:MOST_SHOWN] if report else (),
        "is_large": is_large,
        "at_once": services.AT_ONCE,
        "job": job,
    }
