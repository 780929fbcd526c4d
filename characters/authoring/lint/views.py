"""The page of lint's findings in a draft, with fixes by one click."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from characters.authoring.drafts import services as drafts
from characters.authoring.editing import page as editor
from characters.authoring.lint import services
from characters.profiles.access import character_for
from characters.profiles.models import Character, Draft
from kgadmin.accounts.roles import PageRequest, role_required
from kgadmin.rest.actions import answer, back, on_page

PAGE = "profiles/lint.html"
MOST_SHOWN = 200


@require_safe
@role_required("author")
def lint(request: PageRequest, slug: str) -> HttpResponse:
    """List the draft's contradictions and remarks."""
    character = character_for(request.user, slug, to_edit=True)
    draft = drafts.draft_of(character)
    shown = context(character, draft)
    if request.htmx:
        return render(request, f"{PAGE}#lint", shown)
    return render(request, PAGE, editor.context(request, character, draft, "lint") | shown)


@require_POST
@role_required("author")
def check(request: PageRequest, slug: str) -> HttpResponse:
    """Start a job that checks a draft too large to be checked at once."""
    character = character_for(request.user, slug, to_edit=True)
    services.start(character, by=request.user)
    return _answer(request, character, "")


@require_POST
@role_required("author")
@on_page(lint)
def fix(request: PageRequest, slug: str) -> HttpResponse:
    """Apply a finding's fix."""
    character = character_for(request.user, slug, to_edit=True)
    name, _, number = request.POST.get("fix", "").partition(":")
    place, tab = int(number) if number.isdecimal() else -1, editor.tab_of(request)
    message = services.fix(character, finding=name, number=place, by=request.user, tab=tab)
    return _answer(request, character, message)


def _answer(request: PageRequest, character: Character, message: str) -> HttpResponse:
    to = f"{back(request, otherwise=reverse('profiles:lint', args=[character.slug]))}#lint"
    shown = context(character, drafts.draft_of(character))
    return answer(request, message, to, part=f"{PAGE}#lint", context=shown)


def context(character: Character, draft: Draft) -> dict[str, Any]:
    """Return the list's context."""
    shown = services.lint_of(draft)
    report = shown if shown.is_checked and not (shown.job and shown.job.is_open) else None
    return {
        "character": character,
        "draft": draft,
        "report": report,
        "findings": report.findings[:MOST_SHOWN] if report else (),
        "is_large": shown.is_large,
        "at_once": services.AT_ONCE,
        "job": shown.job,
    }
