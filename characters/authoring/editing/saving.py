"""Saving what is typed: by itself, half a second after the last key, or all of a page by its button."""

from itertools import count
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.text import slugify
from django.views.decorators.http import require_POST

from characters.authoring.drafts import parts, unsaved
from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.parts import UnknownPartError
from characters.authoring.drafts.services import ConflictError
from characters.authoring.editing import fields
from characters.authoring.editing.page import account, begun, opened, panel_context, seen, tab_of
from characters.domain import concepts
from characters.domain.sheet import LoreEntry, Sheet
from characters.profiles import documents
from characters.profiles.documents import SheetError
from characters.profiles.models import Character, Draft, Predicate
from kgadmin.accounts.roles import role_required

BY_ITSELF = "X-Autosave"
"""A header of requests that a page sends by itself; its answer is the draft's panel."""
NOT_KEPT, CONFLICT, UNFIT = 400, 409, 422


@require_POST
@role_required("author")
def save(request: HttpRequest, slug: str) -> HttpResponse:
    """Save the parts that the form has. 409 where another tab writes: what was typed is kept. 422 with a sentence."""
    character = opened(request, slug)
    edits: list[drafts.Edit] = []
    try:
        edits = fields.edits(request.POST, begun(character).document)
        draft = drafts.save(character, edits, by=account(request), tab=tab_of(request), seen=seen(request))
    except ConflictError as error:
        return refused(request, character, error, [(edit.part, edit.value) for edit in edits])
    except (SheetError, UnknownPartError) as error:
        return unfit(request, character, problems(error))
    if BY_ITSELF in request.headers:
        return panel(request, character, draft)
    if edits:
        messages.success(request, "Saved to the draft.")
    return back(request, slug)


def problems(error: Exception) -> list[str]:
    """The sentences of an error."""
    return error.problems if isinstance(error, SheetError) else [str(error)]


@require_POST
@role_required("author")
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """Add or remove a persona or a concept, as the pressed button says."""
    character = opened(request, slug)
    try:
        drafts.change(
            character,
            lambda draft: _entry(request.POST, draft.document),
            by=account(request),
            tab=tab_of(request),
            seen=seen(request),
        )
    except ConflictError as error:
        messages.error(request, str(error))
    except (SheetError, UnknownPartError) as error:
        return unfit(request, character, problems(error))
    return back(request, slug)


def _entry(form: QueryDict, document: parts.Document) -> list[drafts.Edit]:
    removed = form.get("remove", "")
    if removed.partition(":")[0] in {"persona", "concept", "lore"}:
        return [drafts.Edit(removed, None)]
    kind, name = form.get("add", ""), " ".join(form.get("name", "").split())
    if not name:
        raise SheetError(["Give it a name first."])
    if kind == "persona":
        slug = slugify(name).replace("-", "_") or _free_slug(document)
        value = {"slug": slug, "name": name, "instructions": "", "bases": [], "keywords": []}
        first = [] if document.get("personas") else [drafts.Edit(parts.DEFAULT, slug)]
        return [*_made_new(document, f"persona:{slug}", value), *first]
    if kind == "concept":
        predicates = _made(documents.load(document)).get(name.lower(), [])
        return _made_new(document, f"concept:{name.lower()}", {"name": name.lower(), "predicates": predicates})
    if kind == "lore":
        return [_new_lore(name, document)]
    raise SheetError(["Choose what to add: a persona, a concept or an entry of the lore."])


def _made_new(document: parts.Document, part: str, value: parts.Document) -> list[drafts.Edit]:
    if parts.get(document, part) is not None:
        raise ConflictError(f"There is one already: {part.partition(':')[2]}. Choose another name.")
    return [drafts.Edit(part, value)]


def _free_slug(document: parts.Document) -> str:
    """For a name without a letter that can stand in one."""
    taken = {row["slug"] for row in document.get("personas") or []}
    return next(each for number in count(1) if (each := f"persona_{number}") not in taken)


def _made(sheet: Sheet) -> dict[str, list[str]]:
    """By name, the predicates of the concepts that publishing would make."""
    return {concept.name: list(concept.predicates) for concept in concepts.made(sheet, Predicate.objects.registry())}


def _new_lore(name: str, document: parts.Document) -> drafts.Edit:
    taken = {row["id"] for row in document.get("lore") or []}
    entry_id = next(each for number in count(1) if (each := f"n{number}") not in taken)  # imported ones begin otherwise
    entry = documents.dump(Sheet("", "", lore=(LoreEntry(entry_id, "", name, keys=(name,)),)))["lore"][0]
    return drafts.Edit(f"lore:{entry_id}", entry)


def unfit(request: HttpRequest, character: Character, problems: list[str], *, status: int = UNFIT) -> HttpResponse:
    """What can't be saved, and why."""
    template = "profiles/_unfit.html" if BY_ITSELF in request.headers else "profiles/unfit.html"
    return render(request, template, {"character": character, "problems": problems}, status=status)


def back(request: HttpRequest, slug: str, place: str = "") -> HttpResponse:
    """To the page that the form stands on, and to a place there."""
    to = request.POST.get("next", "") or urlsplit(request.headers.get("Referer", "")).path
    if not (url_has_allowed_host_and_scheme(to, allowed_hosts=None) and to.startswith("/")):
        return redirect("profiles:edit", slug)
    return redirect(f"{to.partition('#')[0]}#{place}" if place else to)


def refused(
    request: HttpRequest, character: Character, error: ConflictError, typed: list[tuple[str, Any]]
) -> HttpResponse:
    """Another tab writes: what was typed here is kept under Revisions."""
    draft = begun(character)
    unsaved.keep(draft, typed, by=account(request))
    if BY_ITSELF in request.headers:
        return panel(request, character, draft, status=CONFLICT)
    messages.error(request, f"{error} What you typed is kept under Revisions.")
    return back(request, character.slug)


def panel(request: HttpRequest, character: Character, draft: Draft, *, status: int = 200) -> HttpResponse:
    """The answer to a page that saved by itself: the draft's panel, with how the saved rows stand to what is live."""
    return render(request, "profiles/_draft.html", panel_context(request, character, draft), status=status)


@require_POST
@role_required("author")
def take_over(request: HttpRequest, slug: str) -> HttpResponse:
    """Write the draft in this tab from now on."""
    drafts.take_over(opened(request, slug), by=account(request), tab=tab_of(request))
    return back(request, slug)


@require_POST
@role_required("author")
def save_yaml(request: HttpRequest, slug: str) -> HttpResponse:
    """Save the background as YAML; a text that can't be read is kept as it is, and says where."""
    character = opened(request, slug)
    text = request.POST.get("yaml", "").replace("\r\n", "\n")
    try:
        draft = drafts.save_yaml(character, text, by=account(request), tab=tab_of(request), seen=seen(request))
    except ConflictError as error:
        return refused(request, character, error, [(unsaved.YAML, text)])
    except SheetError as error:
        is_kept = not drafts.why_not_kept(text)
        if BY_ITSELF in request.headers or not is_kept:
            return unfit(request, character, error.problems, status=UNFIT if is_kept else NOT_KEPT)
        return redirect("profiles:edit_yaml", slug)
    if BY_ITSELF in request.headers:
        return panel(request, character, draft)
    messages.success(request, "Saved to the draft.")
    return redirect("profiles:edit_yaml", slug)


@require_POST
@role_required("author")
def drop_yaml(request: HttpRequest, slug: str) -> HttpResponse:
    """Drop typed YAML that can't be read."""
    try:
        drafts.drop_yaml(opened(request, slug), by=account(request), tab=tab_of(request))
    except ConflictError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "The text with the error is gone; this is what the draft says.")
    return redirect("profiles:edit_yaml", slug)
