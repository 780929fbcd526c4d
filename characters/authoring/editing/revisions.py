"""A character's revisions: who, when and why; any two compared; one made live again."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from characters.authoring.drafts import services as drafts
from characters.authoring.editing.page import account, begun, context, opened
from characters.authoring.editing.saving import number_of
from characters.domain.sheet import Sheet
from characters.profiles import comparing
from characters.profiles.access import character_for, may_edit
from characters.profiles.documents import SheetError
from characters.profiles.models import Character, Revision
from kgadmin.accounts.roles import role_required

DRAFT, LIVE = "draft", "live"


@dataclass(frozen=True, slots=True)
class Side:
    """One of two sheets that are compared."""

    key: str
    title: str
    sheet: Sheet
    revision: Revision | None = None


@require_GET
@role_required("author")
def index(request: HttpRequest, slug: str) -> HttpResponse:
    """All revisions, the newest first."""
    character = opened(request, slug)
    found = character.revisions.defer("vectors", "document", "yaml").select_related("created_by")
    page = context(request, character, begun(character), "revisions") | {"revisions": found}
    return render(request, "profiles/edit_revisions.html", page)


@require_GET
@role_required("author", "operator", "tester")
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Two sheets side by side: `?from=3&to=live`; `draft` for who may edit."""
    character = character_for(request.user, slug)
    edits = may_edit(request.user, character)
    before = side(character, request.GET.get("from", LIVE), may_see_draft=edits)
    after = side(character, request.GET.get("to", DRAFT if edits else LIVE), may_see_draft=edits)
    shown = {
        "character": character,
        "before": before,
        "after": after,
        "changes": comparing.changes(before.sheet, after.sheet),
        "choices": character.revisions.defer("vectors", "document", "yaml"),
        "may_edit": edits,
        "draft_stays": edits and not begun(character).is_published,
    }
    return render(request, "profiles/compare.html", shown)


@require_POST
@role_required("author")
def revert(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Publish an earlier sheet again, as a new revision."""
    character = opened(request, slug)
    try:
        made = drafts.revert(character, revision_of(character, number), by=account(request))
    except SheetError as error:
        messages.error(request, f"Nothing was made live. {' '.join(error.problems)}")
    else:
        messages.success(request, f"Revision {made.number} is live: it says what revision {number} said.")
    return redirect("profiles:revisions", slug)


def side(character: Character, key: str, *, may_see_draft: bool) -> Side:
    """The sheet that `key` names: a number, "live" or "draft". 404 for one that isn't there."""
    if key == DRAFT and may_see_draft:
        return Side(DRAFT, "the draft", begun(character).sheet)
    live = character.live_revision
    if key == LIVE and live:
        return Side(LIVE, f"live, revision {live.number}", live.sheet, live)
    revision = revision_of(character, number_of(key))
    return Side(key, f"revision {revision.number}", revision.sheet, revision)


def revision_of(character: Character, number: int) -> Revision:
    """404 for one that isn't there."""
    found = character.revisions.filter(number=number).first()
    if found is None:
        raise Http404(f"{character.name} has no such revision. The list of revisions has them all.")
    return found
