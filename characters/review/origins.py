"""Who approved what a character learned: for the pages of profiles, which know nothing of proposals."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from characters.profiles.access import character_for
from characters.profiles.learned.models import LearnedFact
from characters.profiles.models import Character
from characters.review.models import Decision
from kgadmin.accounts.roles import PageRequest, has_role, role_required

TEMPLATE = "review/origins.html"
MOST = 1_000
"""Facts of a page; the newest."""


@require_safe
@role_required("author", "operator", "tester")
def origins(request: PageRequest, slug: str) -> HttpResponse:
    """For every learned fact who approved it, and when; for operators a link to its proposal."""
    character = character_for(request.user, slug)
    context = {
        "character": character,
        "approvals": approvals(character),
        "decides": has_role(request.user, "operator"),
    }
    return render(request, f"{TEMPLATE}#places" if request.htmx else TEMPLATE, context)


def approvals(character: Character) -> list[Decision]:
    """The approvals that her learned facts come from, the newest first."""
    rows = Decision.objects.filter(proposal__learned__character=character, undone_at=None)
    rows = rows.filter(verb=Decision.Verb.APPROVED).exclude(proposal__learned__state=LearnedFact.State.TAKEN_BACK)
    rows = rows.select_related("by", "proposal__learned__predicate")
    return list(rows.defer("proposal__vector", "proposal__learned__vectors")[:MOST])
