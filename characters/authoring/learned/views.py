"""The page of learned facts: read by whoever may read the character, changed by its editors."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from characters.authoring.drafts import services as drafts
from characters.authoring.editing import page as editor
from characters.authoring.learned import services
from characters.authoring.learned.services import fact_for
from characters.profiles.access import character_for, may_edit
from characters.profiles.models import Character, LearnedFact
from kgadmin.accounts.roles import PageRequest, role_required
from kgadmin.rest.actions import answer, on_page

ARCHIVED_OF_A_PAGE = 50
PAGE = "profiles/learned.html"
State = LearnedFact.State


@require_safe
@role_required("author", "operator", "tester")
def learned(request: PageRequest, slug: str) -> HttpResponse:
    """Show facts in use, suspended and archived, with figures on top."""
    character = character_for(request.user, slug)
    edits = may_edit(request.user, character)
    shown = context(character, edits=edits, number=request.GET.get("page"))
    if request.htmx and not request.htmx.history_restore_request:
        return render(request, f"{PAGE}#learned", shown | {"is_part": True})
    frame = editor.context(request, character, drafts.draft_of(character), "learned") if edits else {}
    return render(request, PAGE, frame | shown)


def context(character: Character, *, edits: bool, number: str | None = None) -> dict[str, Any]:
    """Return the list's context."""
    page = Paginator(services.facts_of(character, State.ARCHIVED), ARCHIVED_OF_A_PAGE).get_page(number)
    facts = [*services.facts_of(character, State.ACTIVE, State.SUSPENDED), *page.object_list]
    shown = services.rows(character, facts, with_draft=edits)
    groups = {state: [row for row in shown if row.fact.state == state] for state in services.SHOWN}
    return {
        "frame": "profiles/editor.html" if edits else "profiles/reading.html",
        "character": character,
        "edits": edits,
        "figures": services.figures(character),
        "active": groups[State.ACTIVE],
        "suspended": groups[State.SUSPENDED],
        "archived": groups[State.ARCHIVED],
        "page": page,
        "has_any": bool(shown),
        "is_on": character.sheet is not None and character.sheet.settings.learning == "propose",
    }


@require_POST
@role_required("author")
@on_page(learned)
def change(request: PageRequest, slug: str, pk: int) -> HttpResponse:
    """Pin, unpin, archive, restore or promote a fact, as the pressed button says."""
    character = character_for(request.user, slug, to_edit=True)
    verb, tab = request.POST.get("verb", ""), editor.tab_of(request)
    message = services.act(fact_for(character, pk), verb, by=request.user, tab=tab)
    page = request.GET.get("page", "")
    to = f"{reverse('profiles:learned', args=[slug])}{f'?page={page}' if page.isdecimal() else ''}#learned"
    return answer(
        request,
        message,
        to,
        part=f"{PAGE}#learned",
        context=context(character, edits=True, number=page) | {"is_part": True},
    )
