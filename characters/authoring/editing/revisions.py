"""A character's revisions: who, when and why; any two compared; one made live again."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from characters.authoring.drafts import parts
from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.unsaved import YAML
from characters.authoring.editing.actions import writes
from characters.authoring.editing.page import account, begun, context, number_of, opened, tab_of
from characters.domain.sheet import Sheet
from characters.profiles import comparison
from characters.profiles.access import character_for, may_edit
from characters.profiles.comparison import Piece
from characters.profiles.models import Character, Draft, Revision, Unsaved
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
    draft = begun(character)
    page = context(request, character, draft, "revisions") | {"revisions": found, "unsaved": list(_unsaved(draft))}
    return render(request, "profiles/edit_revisions.html", page)


def _unsaved(draft: Draft) -> Iterator[tuple[Unsaved, list[tuple[str, tuple[Piece, ...]]]]]:
    """What authors typed and couldn't save, each part beside what the draft says."""
    for row in draft.character.unsaved.select_related("user"):
        yield row, [(part, _beside(draft, part, value)) for part, value in row.edits]


def _beside(draft: Draft, part: str, value: Any) -> tuple[Piece, ...]:
    if part == YAML:
        return comparison.words(drafts.shown_yaml(draft), value)
    return comparison.told_apart(parts.get(draft.document, part), value)


@writes
def decide_unsaved(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Put what one typed and couldn't save into the draft, or discard it."""
    row = opened(request, slug).unsaved.filter(pk=pk, user=account(request)).first()
    if row is None:
        raise Http404("This text isn't there any more, or isn't yours.")
    if "use" in request.POST:
        drafts.take_unsaved(row, by=account(request), tab=tab_of(request))
    else:
        row.delete()
    return redirect("profiles:revisions", slug)


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
        "changes": comparison.changes(before.sheet, after.sheet),
        "choices": character.revisions.defer("vectors", "document", "yaml"),
        "may_edit": edits,
        "draft_stays": edits and not begun(character).is_published,
    }
    return render(request, "profiles/compare.html", shown)


@writes
def revert(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Publish an earlier sheet again, as a new revision."""
    character = opened(request, slug)
    made = drafts.revert(character, revision_of(character, number), by=account(request), tab=tab_of(request))
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
