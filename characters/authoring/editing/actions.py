"""Save what is typed: automatically half a second after the last key, or a whole page by its button."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import count
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.text import slugify
from django.views.decorators.http import require_POST

from characters.authoring.drafts import parts
from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import ConflictError, Edit, NoWriterError
from characters.authoring.editing import fields
from characters.authoring.editing.page import editable, panel_context, tab_of, version_of
from characters.domain.sheet import LoreEntry, Persona, Sheet, concepts_by_family
from characters.profiles import documents
from characters.profiles.documents import SheetError
from characters.profiles.models import Character, Draft, Predicate
from kgadmin.accounts.roles import PageRequest, role_required
from kgadmin.rest.actions import Refused

BY_ITSELF = "X-Autosave"
"""Header of a request that a page sends automatically; the answer is the draft's panel."""
NEW = ("text", "object", "name")
"""Form fields for something new, which is no part of the sheet yet."""
SHOWN_AT = {"publish": "profiles:publish_preview", "paste_facts": "profiles:edit_facts"}
"""URL name of an address that only takes POST, to the page that shows its result."""
View = Callable[..., HttpResponse]


def writes(view: View) -> View:
    """Turn a function of a request and a character into a view that writes the draft and answers refusals."""

    @require_POST
    @role_required("author")
    def answered(request: PageRequest, /, slug: str, **given: int) -> HttpResponse:
        character = editable(request, slug)
        try:
            return view(request, character, **given)
        except ConflictError as error:
            return _conflict(request, character, error)
        except Refused as error:
            return _refused(request, error)

    answered.__name__, answered.__doc__ = view.__name__, view.__doc__
    return answered


def _conflict(request: PageRequest, character: Character, error: ConflictError) -> HttpResponse:
    """Keep what was typed under Revisions, and say that somebody else writes."""
    draft, form = drafts.draft_of(character), request.POST
    typed = [(edit.part, edit.value) for edit in fields.edits(form, draft.document)]
    typed += [(drafts.YAML, _yaml_in(form))] if "yaml" in form else []
    drafts.keep_unsaved(draft, typed, by=request.user)
    if BY_ITSELF in request.headers:
        return panel(request, character, draft, status=error.status)
    if not typed and isinstance(error, NoWriterError) and any(form.get(name) for name in NEW):
        return _refused(request, error)  # the browser still has the text
    messages.error(request, f"{error} What you typed is saved under Revisions." if typed else str(error))
    return back(request, character.slug)


def _refused(request: PageRequest, error: Refused) -> HttpResponse:
    if BY_ITSELF in request.headers:
        problems = error.problems if isinstance(error, SheetError) else [str(error)]
        return render(request, "profiles/_unfit.html", {"problems": problems}, status=error.status)
    messages.error(request, str(error))
    return render(request, "refused.html", status=error.status)


def saved(request: PageRequest, character: Character, draft: Draft, *, place: str = "") -> HttpResponse:
    """Answer a save with the draft's panel if the page saved automatically, else with the page of the form."""
    if BY_ITSELF in request.headers:
        return panel(request, character, draft)
    return back(request, character.slug, place=place, message="Saved to the draft.")


def panel(request: PageRequest, character: Character, draft: Draft, *, status: int = 200) -> HttpResponse:
    """Render the draft's panel, with how the saved rows differ from the live sheet."""
    return render(request, "profiles/_draft.html", panel_context(request, character, draft), status=status)


def back(request: PageRequest, slug: str, *, place: str = "", message: str = "") -> HttpResponse:
    """Redirect to the page that contains the form, and to `place` on it."""
    if message:
        messages.success(request, message)
    to = request.POST.get("next", "") or urlsplit(request.headers.get("Referer", "")).path
    if not (url_has_allowed_host_and_scheme(to, allowed_hosts=None) and to.startswith("/")):
        return redirect("profiles:edit", slug)
    with suppress(Resolver404):
        name = resolve(to).url_name or ""
        to = reverse(SHOWN_AT[name], args=[slug]) if name in SHOWN_AT else to
    return redirect(f"{to.partition('#')[0]}#{place}" if place else to)


@writes
def save(request: PageRequest, character: Character) -> HttpResponse:
    """Save the parts in the form. 409 if somebody else writes (the text is kept), 422 for an invalid value."""
    edits = fields.edits(request.POST, drafts.draft_of(character).document)
    draft = drafts.save(character, edits, by=request.user, tab=tab_of(request), version=version_of(request))
    return saved(request, character, draft)


@writes
def entries(request: PageRequest, character: Character) -> HttpResponse:
    """Add or remove a persona, a concept or a lore entry, as the pressed button says."""
    form = request.POST
    kind, name = form.get("add", ""), " ".join(form.get("name", "").split())

    def edits(draft: Draft) -> list[Edit]:
        if "remove" in form:
            return [Edit(form["remove"], None)]
        if not name or kind not in _NEW:
            raise Refused("Give it a name first.")
        return _NEW[kind](name, draft.document)

    drafts.change(character, edits, by=request.user, tab=tab_of(request), version=version_of(request))
    return back(request, character.slug)


def _new_persona(name: str, document: parts.Document) -> list[Edit]:
    slug = slugify(name).replace("-", "_") or _free("persona_", (row["slug"] for row in document["personas"]))
    row = documents.persona_row(Persona(slug, name, ""))
    first = [] if document["personas"] else [Edit(parts.DEFAULT, slug)]
    return [_new(document, f"persona:{slug}", row), *first]


def _new_concept(name: str, document: parts.Document) -> list[Edit]:
    """Return edits that add a concept, with the predicates that publishing would give a concept of this name."""
    made = concepts_by_family(documents.load(document), Predicate.objects.registry())
    predicates = next((list(concept.predicates) for concept in made if concept.name == name.lower()), [])
    return [_new(document, f"concept:{name.lower()}", {"name": name.lower(), "predicates": predicates})]


def _new_lore(name: str, document: parts.Document) -> list[Edit]:
    entry_id = _free("n", (row["id"] for row in document["lore"]))  # imported entries have other prefixes
    entry = documents.dump(Sheet("", "", lore=(LoreEntry(entry_id, "", name, keys=(name,)),)))["lore"][0]
    return [Edit(f"lore:{entry_id}", entry)]


_NEW = {"persona": _new_persona, "concept": _new_concept, "lore": _new_lore}


def _new(document: parts.Document, part: str, value: parts.Document) -> Edit:
    if parts.get(document, part) is not None:
        raise ConflictError(f"There already is one: {part.partition(':')[2]}. Choose another name.")
    return Edit(part, value)


def _free(prefix: str, taken: Iterable[str]) -> str:
    names = {*taken}
    return next(name for number in count(1) if (name := f"{prefix}{number}") not in names)


@writes
def take_over(request: PageRequest, character: Character) -> HttpResponse:
    """Make this tab the draft's writer."""
    drafts.take_over(character, by=request.user, tab=tab_of(request))
    return back(request, character.slug)


@writes
def save_yaml(request: PageRequest, character: Character) -> HttpResponse:
    """Save the background as YAML; a text that can't be read is kept, and the page lists its errors."""
    version = version_of(request)
    try:
        text = _yaml_in(request.POST)
        draft = drafts.save_yaml(character, text, by=request.user, tab=tab_of(request), version=version)
    except SheetError as error:
        if BY_ITSELF in request.headers or error.status == drafts.NOT_STORED:
            raise
        return redirect("profiles:edit_yaml", character.slug)
    return saved(request, character, draft)


def _yaml_in(form: QueryDict) -> str:
    return form.get("yaml", "").replace("\r\n", "\n")


@writes
def drop_yaml(request: PageRequest, character: Character) -> HttpResponse:
    """Discard typed YAML that can't be read."""
    drafts.drop_yaml(character, by=request.user, tab=tab_of(request))
    messages.success(request, "The text with the error was discarded. This is the draft.")
    return redirect("profiles:edit_yaml", character.slug)
