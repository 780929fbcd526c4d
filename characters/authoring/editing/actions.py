"""Saving what is typed: by itself, half a second after the last key, or all of a page by its button."""

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from itertools import count
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.text import slugify
from django.views.decorators.http import require_POST

from characters.authoring.drafts import parts, unsaved
from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import ConflictError, NoWriterError
from characters.authoring.editing import fields
from characters.authoring.editing.page import account, begun, opened, panel_context, seen, tab_of
from characters.domain import concepts
from characters.domain.sheet import LoreEntry, Sheet
from characters.profiles import documents
from characters.profiles.documents import SheetError
from characters.profiles.models import Character, Draft, Predicate
from kgadmin.accounts.roles import role_required
from kgadmin.rest.actions import Refused

BY_ITSELF = "X-Autosave"
"""A header of requests that a page sends by itself; its answer is the draft's panel."""
NOT_KEPT = 400
NEW = ("text", "object", "name")
"""Fields in which something new is typed, that is no part of the sheet yet."""
SHOWN_AT = {"publish": "profiles:publish_preview", "paste_facts": "profiles:edit_facts"}
"""Where that can be looked at which a form's own address shows."""
View = Callable[..., HttpResponse]


def writes(view: View) -> View:
    """A view that writes the draft of its character: what is refused is answered here, and what was typed is kept."""

    @wraps(view)
    @require_POST
    @role_required("author")
    def answered(request: HttpRequest, /, slug: str, **given: int) -> HttpResponse:
        try:
            return view(request, slug, **given)
        except ConflictError as error:
            return _kept(request, opened(request, slug), error)
        except Refused as error:
            return unfit(request, opened(request, slug), error)

    return answered


@writes
def save(request: HttpRequest, slug: str) -> HttpResponse:
    """Save the parts that the form has. 409 where another tab writes: what was typed is kept. 422 with a sentence."""
    character = opened(request, slug)
    edits = fields.edits(request.POST, begun(character).document)
    draft = drafts.save(character, edits, by=account(request), tab=tab_of(request), seen=seen(request))
    if BY_ITSELF in request.headers:
        return panel(request, character, draft)
    if edits:
        messages.success(request, "Saved to the draft.")
    return back(request, slug)


@writes
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """Add or remove a persona or a concept, as the pressed button says."""

    def made(draft: Draft) -> list[drafts.Edit]:
        return _entry(request.POST, draft.document)

    drafts.change(opened(request, slug), made, by=account(request), tab=tab_of(request), seen=seen(request))
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


def unfit(request: HttpRequest, character: Character, error: Refused, *, status: int = 0) -> HttpResponse:
    """What can't be saved, and why."""
    template = "profiles/_unfit.html" if BY_ITSELF in request.headers else "profiles/unfit.html"
    problems = error.problems if isinstance(error, SheetError) else [str(error)]
    context = {"character": character, "problems": problems}
    return render(request, template, context, status=status or error.status)


def back(request: HttpRequest, slug: str, place: str = "") -> HttpResponse:
    """To the page that the form stands on, and to a place there."""
    to = request.POST.get("next", "") or urlsplit(request.headers.get("Referer", "")).path
    if not (url_has_allowed_host_and_scheme(to, allowed_hosts=None) and to.startswith("/")):
        return redirect("profiles:edit", slug)
    with suppress(Resolver404):
        name = resolve(to).url_name or ""
        to = reverse(SHOWN_AT[name], args=[slug]) if name in SHOWN_AT else to
    return redirect(f"{to.partition('#')[0]}#{place}" if place else to)


def _kept(request: HttpRequest, character: Character, error: ConflictError) -> HttpResponse:
    """Another tab writes: what was typed here is kept under Revisions."""
    draft, form = begun(character), request.POST
    typed = [(edit.part, edit.value) for edit in fields.edits(form, draft.document)]
    typed += [(unsaved.YAML, yaml_in(form))] if "yaml" in form else []
    unsaved.keep(draft, typed, by=account(request))
    if BY_ITSELF in request.headers:
        return panel(request, character, draft, status=error.status)
    if not typed and isinstance(error, NoWriterError) and any(form.get(name) for name in NEW):
        return unfit(request, character, error)  # the browser has it still
    messages.error(request, f"{error} What you typed is kept under Revisions." if typed else str(error))
    return back(request, character.slug)


def panel(request: HttpRequest, character: Character, draft: Draft, *, status: int = 200) -> HttpResponse:
    """The answer to a page that saved by itself: the draft's panel, with how the saved rows stand to what is live."""
    return render(request, "profiles/_draft.html", panel_context(request, character, draft), status=status)


@writes
def take_over(request: HttpRequest, slug: str) -> HttpResponse:
    """Write the draft in this tab from now on."""
    drafts.take_over(opened(request, slug), by=account(request), tab=tab_of(request))
    return back(request, slug)


@writes
def save_yaml(request: HttpRequest, slug: str) -> HttpResponse:
    """Save the background as YAML; a text that can't be read is kept as it is, and says where."""
    character, text, by_itself = opened(request, slug), yaml_in(request.POST), BY_ITSELF in request.headers
    try:
        draft = drafts.save_yaml(character, text, by=account(request), tab=tab_of(request), seen=seen(request))
    except SheetError as error:
        if drafts.why_not_kept(text):
            return unfit(request, character, error, status=NOT_KEPT)
        if by_itself:
            raise
        return redirect("profiles:edit_yaml", slug)
    if by_itself:
        return panel(request, character, draft)
    messages.success(request, "Saved to the draft.")
    return redirect("profiles:edit_yaml", slug)


def yaml_in(form: QueryDict) -> str:
    """The text that was typed."""
    return form.get("yaml", "").replace("\r\n", "\n")


@writes
def drop_yaml(request: HttpRequest, slug: str) -> HttpResponse:
    """Drop typed YAML that can't be read."""
    drafts.drop_yaml(opened(request, slug), by=account(request), tab=tab_of(request))
    messages.success(request, "The text with the error is gone; this is what the draft says.")
    return redirect("profiles:edit_yaml", slug)
