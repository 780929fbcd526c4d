"""The pages of import and export: upload a file, look at what becomes of it, take it; download a character."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from characters.authoring.editing.page import tab_of
from characters.authoring.suggestions.services import open_suggestions
from characters.cards import exporting, reading, taking, writing
from characters.cards.errors import CardError
from characters.cards.exporting import download, exported_for
from characters.cards.uploads import ACCEPTED, content_of
from characters.profiles.access import character_for, editable_for, may_edit
from characters.profiles.models import Card, Character
from kgadmin.accounts.roles import PageRequest, role_required
from kgadmin.rest.actions import Refused, answer, on_page

authors = role_required("author")
readers = role_required("author", "operator", "tester")

LIMITS = f"Up to {reading.MAX_FILE // 1_000_000} MB; the card’s own text up to {reading.MAX_JSON // 1_000_000} MB."


@require_http_methods(["GET", "HEAD", "POST"])
@authors
@on_page()
def upload(request: PageRequest) -> HttpResponse:
    """Take a file and show what it holds."""
    if request.method == "POST":
        file = request.FILES.get("file")
        if file is None:
            raise Refused("Choose a file first.")
        card = taking.upload(name=file.name or "", content=content_of(file), by=request.user)
        return redirect("profiles:import_preview", card.pk)
    waiting = Card.objects.filter(created_by=request.user, taken_at=None).defer("content")
    context = {"accepted": ACCEPTED, "limits": LIMITS, "waiting": waiting}
    return render(request, "profiles/import.html", context)


@require_safe
@authors
@on_page(upload)
def preview(request: PageRequest, card: int) -> HttpResponse:
    """What becomes of a file; nothing of it is imported yet."""
    found = _card_for(request, card)
    if found.character:
        return redirect(editor_of(found.character))
    try:
        plan = taking.plan_of(found, None)
    except CardError:  # taken by an older version of this program
        found.delete()
        raise
    context = {
        "card": found,
        "plan": plan,
        "name": taking.renamed(plan.sheet).name,
        "characters": editable_for(request.user) if found.kind == Card.Kind.LOREBOOK else [],
    }
    return render(request, "profiles/import_preview.html", context)


@require_POST
@authors
@on_page(preview)
def take(request: PageRequest, card: int) -> HttpResponse:
    """Import it."""
    found = _card_for(request, card)
    slug = request.POST.get("character", "")
    character = character_for(request.user, slug, to_edit=True) if slug else None
    taken = taking.take(found, by=request.user, tab=tab_of(request), character=character)
    said = f"{found.name} is imported into the draft of {taken.name}; nothing of it is live yet."
    return answer(request, said + _suggested(taken), editor_of(taken))


def _suggested(character: Character) -> str:
    """A sentence about the facts that wait in her editor."""
    count = len(open_suggestions(character))
    if not count:
        return ""
    return f" {count} fact{'s are' if count > 1 else ' is'} suggested from its text: see “Suggested”."


@require_POST
@authors
def discard(request: PageRequest, card: int) -> HttpResponse:
    """Throw a preview away."""
    found = _card_for(request, card)
    if found.taken_at is None:
        found.delete()
        messages.success(request, f"{found.name} is thrown away.")
    return redirect("profiles:import")


def _card_for(request: PageRequest, card: int) -> Card:
    """The account's own upload; 404 otherwise."""
    found = taking.uploaded_by(request.user, card)
    if found is None:
        raise Http404("There is no such upload. It may have been thrown away: upload the file again.")
    return found


@require_safe
@readers
def exports(request: PageRequest, slug: str) -> HttpResponse:
    """The forms in which a character can be downloaded."""
    character = exported_for(request.user, slug)
    rows, editable = character.cards.defer("content"), may_edit(request.user, character)
    context = {
        "character": character,
        "forms": writing.FORMS,
        "limits": LIMITS,
        "sheet": exporting.sheet_of(character),
        "original": rows.exclude(kind=Card.Kind.LOREBOOK).first() if editable else None,
        "lorebooks": exporting.lorebooks_of(character, may_edit=editable),
    }
    return render(request, "profiles/exports.html", context)


@require_safe
@readers
def export(request: PageRequest, slug: str, form: str) -> HttpResponse:
    """One of them, as a file."""
    character = exported_for(request.user, slug)
    return download(exporting.file_named(character, form, may_edit=may_edit(request.user, character)))


@require_safe
@readers
def export_lorebook(request: PageRequest, slug: str, card: int) -> HttpResponse:
    """A lorebook that was imported for a character, in its own shape; who only reads gets it once it is live."""
    character = exported_for(request.user, slug)
    books = exporting.lorebooks_of(character, may_edit=may_edit(request.user, character))
    row = next((row for row, _ in books if row.pk == card), None)
    return download(exporting.lorebook_of(character, row) if row else None)


def editor_of(character: Character) -> str:
    """The address where its draft is written."""
    return reverse("profiles:edit", args=[character.slug])
