"""Pages of import and export: upload a file, preview what it becomes, import it; download a character."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from characters.authoring.editing.page import tab_of
from characters.authoring.suggestions.services import open_suggestions
from characters.cards import exports as files
from characters.cards import imports
from characters.cards.card import MAX_FILE, MAX_JSON
from characters.cards.imports import ACCEPTED, content_of
from characters.profiles.access import character_for, editable_for, may_edit
from characters.profiles.models import Card
from kgadmin.accounts.roles import PageRequest, role_required
from kgadmin.rest.actions import Refused, answer, first_or_404, on_page

authors = role_required("author")
readers = role_required("author", "operator", "tester")

LIMITS = f"Up to {MAX_FILE // 1_000_000} MB; the card’s own text up to {MAX_JSON // 1_000_000} MB."


@require_http_methods(["GET", "HEAD", "POST"])
@authors
@on_page()
def upload(request: PageRequest) -> HttpResponse:
    """Store an uploaded file and redirect to its preview."""
    if request.method == "POST":
        file = request.FILES.get("file")
        if file is None:
            raise Refused("Choose a file first.")
        card = imports.upload(name=file.name or "", content=content_of(file), by=request.user)
        return redirect("profiles:import_preview", card.pk)
    waiting = Card.objects.filter(created_by=request.user, taken_at=None).defer("content")
    context = {"accepted": ACCEPTED, "limits": LIMITS, "waiting": waiting}
    return render(request, "profiles/import.html", context)


@require_safe
@authors
@on_page(upload)
def preview(request: PageRequest, card: int) -> HttpResponse:
    """Show what a file becomes; nothing is imported yet."""
    row = _card_for(request, card)
    if row.character:
        return redirect("profiles:edit", row.character.slug)
    try:
        plan = imports.plan_of(row)
    except Refused:  # uploaded to an older version of this program
        row.delete()
        raise
    characters = editable_for(request.user) if row.kind == Card.Kind.LOREBOOK else []
    return render(request, "profiles/import_preview.html", {"card": row, "plan": plan, "characters": characters})


@require_POST
@authors
@on_page(preview)
def take(request: PageRequest, card: int) -> HttpResponse:
    """Import a previewed file."""
    row = _card_for(request, card)
    slug = request.POST.get("character", "")
    character = character_for(request.user, slug, to_edit=True) if slug else None
    taken = imports.take(row, by=request.user, tab=tab_of(request), character=character)
    message = f"{row.name} was imported into the draft of {taken.name}; publish it to make it live."
    if count := len(open_suggestions(taken)):
        message += f" {count} fact{'s are' if count > 1 else ' is'} suggested from its text: see “Suggested”."
    return answer(request, message, "profiles:edit", taken.slug)


@require_POST
@authors
def discard(request: PageRequest, card: int) -> HttpResponse:
    """Delete a preview."""
    row = _card_for(request, card)
    if row.taken_at is None:
        row.delete()
        messages.success(request, f"{row.name} is discarded.")
    return redirect("profiles:import")


def _card_for(request: PageRequest, card: int) -> Card:
    """Return an upload of this account, or for an administrator anybody's; 404 otherwise."""
    rows = Card.objects.select_related("character")
    rows = rows if request.user.is_superuser else rows.filter(created_by=request.user)
    return first_or_404(
        rows.filter(pk=card), "There is no such upload. It may have been discarded: upload the file again."
    )


@require_safe
@readers
def exports(request: PageRequest, slug: str) -> HttpResponse:
    """List the formats in which a character can be downloaded."""
    character = files.exported_for(request.user, slug)
    editable = may_edit(request.user, character)
    context = {
        "character": character,
        "formats": files.FORMATS,
        "limits": LIMITS,
        "original": files.original_of(character) if editable else None,
        "lorebooks": files.lorebooks_of(character, may_edit=editable),
    }
    return render(request, "profiles/exports.html", context)


@require_safe
@readers
def export(request: PageRequest, slug: str, form: str) -> HttpResponse:
    """Download the character as a file."""
    return files.file_for(request.user, slug, form).response()


@require_safe
@readers
def export_lorebook(request: PageRequest, slug: str, card: int) -> HttpResponse:
    """Download an imported lorebook in its own shape; whoever can't edit the character gets it once it is live."""
    character = files.exported_for(request.user, slug)
    books = files.lorebooks_of(character, may_edit=may_edit(request.user, character))
    row = next((row for row, _ in books if row.pk == card), None)
    if row is None:
        raise Http404("There is no such lorebook. See the export page for available files.")
    return files.lorebook_of(character, row).response()
