"""What a character learned: read by whoever may read her, changed by her editors."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from characters.authoring.drafts import services as drafts
from characters.authoring.editing import page as editor
from characters.authoring.learned import promotion, rows
from characters.authoring.learned.rows import fact_for
from characters.profiles.access import character_for, may_edit
from characters.profiles.learned import services
from characters.profiles.learned.models import LearnedFact
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import PageRequest, role_required
from kgadmin.rest.actions import Refused, answer, on_page

ARCHIVED_OF_A_PAGE = 50
PAGE = "profiles/learned.html"
State = LearnedFact.State


@require_safe
@role_required("author", "operator", "tester")
def learned(request: PageRequest, slug: str) -> HttpResponse:
    """In use, suspended, archived; figures on top."""
    character = character_for(request.user, slug)
    edits = may_edit(request.user, character)
    shown = context(character, edits=edits, number=request.GET.get("page"))
    if request.htmx and not request.htmx.history_restore_request:
        return render(request, f"{PAGE}#learned", shown | {"is_part": True})
    frame = editor.context(request, character, drafts.draft_of(character), "learned") if edits else {}
    return render(request, PAGE, frame | shown)


def context(character: Character, *, edits: bool, number: str | None = None) -> dict[str, Any]:
    """For the list."""
    page = Paginator(rows.facts_of(character, State.ARCHIVED), ARCHIVED_OF_A_PAGE).get_page(number)
    told = [*rows.facts_of(character, State.ACTIVE, State.SUSPENDED), *page.object_list]
    found = rows.rows(character, told, with_draft=edits)
    groups = {state: [row for row in found if row.fact.state == state] for state in rows.SHOWN}
    return {
        "frame": "profiles/editor.html" if edits else "profiles/reading.html",
        "character": character,
        "edits": edits,
        "figures": rows.figures(character),
        "active": groups[State.ACTIVE],
        "suspended": groups[State.SUSPENDED],
        "archived": groups[State.ARCHIVED],
        "page": page,
        "has_any": bool(found),
        "is_on": character.sheet is not None and character.sheet.settings.learning == "propose",
    }


@require_POST
@role_required("author")
@on_page(learned)
def change(request: PageRequest, slug: str, pk: int) -> HttpResponse:
    """Pin it or let go, archive it, restore it, or add it to the draft, as the pressed button says."""
    character = character_for(request.user, slug, to_edit=True)
    fact = fact_for(character, pk)
    said = _changed(fact, request.POST.get("verb", ""), request.user, editor.tab_of(request))
    to = f"{reverse('profiles:learned', args=[slug])}{page_of(request)}#learned"
    shown = context(character, edits=True, number=request.GET.get("page")) | {"is_part": True}
    return answer(request, said, to, part=f"{PAGE}#learned", context=shown)


def _changed(fact: LearnedFact, verb: str, by: User, tab: str) -> str:
    """Do it; a sentence that says what was done."""
    if verb in {"pin", "unpin"}:
        services.pin(fact, pinned=verb == "pin", by=by)
        return "Pinned: it isn’t archived for its age." if verb == "pin" else "No longer pinned."
    if verb == "archive":
        services.change(fact, State.ARCHIVED, by=by)
        return f"Archived: {fact}. No turn uses it."
    if verb == "restore":
        services.change(fact, State.ACTIVE, by=by)
        return f"In use again: {fact}."
    if verb == "promote":
        return (
            f"In the draft as {promotion.promote(fact, by=by, tab=tab)}. It stays learned until the draft is published."
        )
    raise Refused("Choose pin, archive, restore or promote.")


def page_of(request: HttpRequest) -> str:
    """The end of the address that has the page of archived facts that was open."""
    page = request.GET.get("page", "")
    return f"?page={page}" if page.isdecimal() else ""
