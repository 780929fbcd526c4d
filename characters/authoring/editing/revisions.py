"""Views that publish or discard the draft, and list, compare and revert revisions."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from characters.authoring.drafts import parts
from characters.authoring.drafts import services as drafts
from characters.authoring.editing.actions import back, writes
from characters.authoring.editing.page import editable, number_of, page, tab_of, version_of
from characters.domain.sheet import Sheet
from characters.profiles import comparison, documents
from characters.profiles.access import character_for, may_edit, revision_of
from characters.profiles.comparison import Piece
from characters.profiles.models import Character, Draft, Revision, Unsaved
from kgadmin.accounts.roles import PageRequest, role_required
from kgadmin.rest.actions import answer, first_or_404, on_page

DRAFT, LIVE = "draft", "live"


@dataclass(frozen=True, slots=True)
class Side:
    """One of two compared sheets."""

    key: str
    title: str
    sheet: Sheet
    revision: Revision | None = None


@page("publish", "publish")
def preview(request: PageRequest, character: Character, draft: Draft) -> dict[str, Any]:
    """Show what publishing will add, change and delete, and what prevents it."""
    return {"problems": documents.problems(draft.sheet)}


@require_POST
@role_required("author")
@on_page(preview)
def publish(request: PageRequest, slug: str) -> HttpResponse:
    """Publish the draft as it was shown; if it has changed since, show it again."""
    revision = drafts.publish_draft(
        editable(request, slug),
        version=version_of(request) or 0,
        by=request.user,
        tab=tab_of(request),
        note=request.POST.get("note", "").strip(),
        live=number_of(request.POST["live"]) if "live" in request.POST else None,
    )
    return answer(request, f"Revision {revision.number} is live: the next turn uses it.", "profiles:edit", slug)


@writes
def discard(request: PageRequest, character: Character) -> HttpResponse:
    """Reset the draft to the live sheet."""
    drafts.discard(character, by=request.user, tab=tab_of(request), version=version_of(request))
    return back(request, character.slug, message="The draft matches the live revision again.")


@page("revisions", "edit_revisions")
def index(request: PageRequest, character: Character, draft: Draft) -> dict[str, Any]:
    """List the revisions, the newest first, and texts that couldn't be saved."""
    revisions = character.revisions.defer("vectors", "document", "yaml").select_related("created_by")
    return {"revisions": revisions, "unsaved": list(_unsaved(draft))}


def _unsaved(draft: Draft) -> Iterator[tuple[Unsaved, list[tuple[str, tuple[Piece, ...]]]]]:
    """Yield texts that authors couldn't save, each part compared with the draft."""
    for row in draft.character.unsaved.select_related("user"):
        now = {part: parts.get(draft.document, part) for part, _ in row.edits if part != drafts.YAML}
        now[drafts.YAML] = drafts.yaml_of(draft).yaml
        yield row, [(part, comparison.pieces(now[part], value)) for part, value in row.edits]


@writes
def decide_unsaved(request: PageRequest, character: Character, pk: int) -> HttpResponse:
    """Move one of the user's unsaved texts into the draft, or discard it."""
    rows = character.unsaved.filter(pk=pk, user=request.user)
    row = first_or_404(rows, "This text no longer exists, or isn't yours.")
    if "use" in request.POST:
        drafts.take_unsaved(row, by=request.user, tab=tab_of(request))
    else:
        row.delete()
    return answer(request, "", "profiles:revisions", character.slug)


@require_GET
@role_required("author", "operator", "tester")
def compare(request: PageRequest, slug: str) -> HttpResponse:
    """Show two sheets side by side: `?from=3&to=live`; `draft` for whoever may edit."""
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
        "draft_stays": edits and not drafts.draft_of(character).is_published,
    }
    return render(request, "profiles/compare.html", shown)


@writes
def revert(request: PageRequest, character: Character, number: int) -> HttpResponse:
    """Publish an earlier sheet again, as a new revision."""
    made = drafts.revert(character, revision_of(character, number), by=request.user, tab=tab_of(request))
    message = f"Revision {made.number} is live, with the sheet of revision {number}."
    return answer(request, message, "profiles:revisions", character.slug)


def side(character: Character, key: str, *, may_see_draft: bool) -> Side:
    """Return the sheet that `key` names: a revision's number, "live" or "draft". 404 if there is none."""
    if key == DRAFT and may_see_draft:
        return Side(DRAFT, "the draft", drafts.draft_of(character).sheet)
    if key == LIVE:
        live = revision_of(character)
        return Side(LIVE, f"live, revision {live.number}", live.sheet, live)
    revision = revision_of(character, number_of(key))
    return Side(key, f"revision {revision.number}", revision.sheet, revision)
