"""Saving what is typed: each part by itself, half a second after the last key, or all of a page by its button."""

import json
import re
from datetime import timedelta
from itertools import count
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.text import slugify
from django.views.decorators.http import require_POST

from characters.authoring.drafts import parts
from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.parts import UnknownPartError
from characters.authoring.drafts.services import ConflictError, TypedConflictError
from characters.authoring.editing import fields, presence, rows
from characters.authoring.editing.page import account, begun, draft_context, opened
from characters.domain import concepts
from characters.domain.sheet import LoreEntry, Sheet
from characters.profiles import comparing, documents
from characters.profiles.documents import SheetError
from characters.profiles.models import Character, Draft, Predicate
from kgadmin.accounts.roles import role_required

BY_ITSELF = "X-Autosave"
"""A header of requests that a page sends by itself; its answer is the draft's panel."""
CONFLICT, UNFIT = 409, 422
MOST_DIGITS = 10
COPY = re.compile(r"[a-z0-9]{1,32}")
COPY_IS_KNOWN = timedelta(days=400)
"""The longest that browsers keep a cookie."""


@require_POST
@role_required("author")
def save(request: HttpRequest, slug: str) -> HttpResponse:
    """Save the parts that the form has. 409 with both versions where somebody else changed one, 422 with a sentence."""
    character = opened(request, slug)
    try:
        edits = fields.edits(request.POST, begun(character).document)
        draft = drafts.save(character, edits, by=account(request))
    except ConflictError as error:
        return conflict(request, character, error, fields.edits(request.POST, begun(character).document))
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
        drafts.change(character, lambda draft: _entry(request.POST, draft.document), by=account(request))
    except ConflictError as error:
        name = error.part.partition(":")[2]
        is_removal = "remove" in request.POST
        changed = f"Nothing was removed: {error.by} changed {name} meanwhile. Look at it, then remove it again."
        messages.error(request, changed if is_removal else f"There is one already: {name}. Choose another name.")
    except (SheetError, UnknownPartError) as error:
        return unfit(request, character, problems(error))
    return back(request, slug)


def _entry(form: QueryDict, document: parts.Document) -> list[drafts.Edit]:
    removed = form.get("remove", "")
    if removed.partition(":")[0] in {"persona", "concept", "lore"}:
        return [drafts.Edit(removed, None, form.get(f"{removed}/{fields.WAS}", ""))]
    kind, name = form.get("add", ""), " ".join(form.get("name", "").split())
    nothing = parts.digest(None)
    if not name:
        raise SheetError(["Give it a name first."])
    if kind == "persona":
        slug = slugify(name).replace("-", "_") or _free_slug(document)
        value = {"slug": slug, "name": name, "instructions": "", "bases": [], "keywords": []}
        first = [] if document.get("personas") else [drafts.Edit(parts.DEFAULT, slug)]
        return [drafts.Edit(f"persona:{slug}", value, nothing), *first]
    if kind == "concept":
        predicates = _made(documents.load(document)).get(name.lower(), [])
        return [drafts.Edit(f"concept:{name.lower()}", {"name": name.lower(), "predicates": predicates}, nothing)]
    if kind == "lore":
        return [_new_lore(name, document)]
    raise SheetError(["Choose what to add: a persona, a concept or an entry of the lore."])


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
    return drafts.Edit(f"lore:{entry_id}", entry, parts.digest(None))


def unfit(request: HttpRequest, character: Character, problems: list[str]) -> HttpResponse:
    """What can't be saved, and why."""
    template = "profiles/_unfit.html" if BY_ITSELF in request.headers else "profiles/unfit.html"
    return render(request, template, {"character": character, "problems": problems}, status=UNFIT)


def back(request: HttpRequest, slug: str, place: str = "") -> HttpResponse:
    """To the page that the form stands on, and to a place there."""
    to = request.POST.get("next", "") or urlsplit(request.headers.get("Referer", "")).path
    if not (url_has_allowed_host_and_scheme(to, allowed_hosts=None) and to.startswith("/")):
        return redirect("profiles:edit", slug)
    return redirect(f"{to.partition('#')[0]}#{place}" if place else to)


def conflict(
    request: HttpRequest, character: Character, error: ConflictError, edits: list[drafts.Edit]
) -> HttpResponse:
    """Both versions of what two authors changed, for this one to choose."""
    mine = next((edit.value for edit in edits if edit.part == error.part), None)
    context = {
        "character": character,
        "error": error,
        "pieces": comparing.told_apart(error.theirs, mine),
        "again": _again(request, error),
        "others": _others(request, error),
        "is_own": error.by == account(request).get_username(),
        "next": request.POST.get("next", ""),
        "by_itself": BY_ITSELF in request.headers,
    }
    template = "profiles/_conflict.html" if BY_ITSELF in request.headers else "profiles/conflict.html"
    return render(request, template, context, status=CONFLICT)


def _again(request: HttpRequest, error: ConflictError) -> list[tuple[str, str]]:
    """The form once more, saying that it has seen the other version."""
    seen = {f"{error.part}/{fields.WAS}": parts.digest(error.theirs)}
    kept = [(name, str(value)) for name, values in request.POST.lists() for value in values if name not in seen]
    return [pair for pair in kept if "/" in pair[0]] + list(seen.items())


def _others(request: HttpRequest, error: ConflictError) -> list[tuple[str, str]]:
    """The other parts of the form: they are saved also where this one isn't."""
    sent = [(name, str(value)) for name, values in request.POST.lists() for value in values]
    return [(name, value) for name, value in sent if "/" in name and name.rpartition("/")[0] != error.part]


def panel(request: HttpRequest, character: Character, draft: Draft) -> HttpResponse:
    """The answer to a page that saved by itself: the draft's panel, and in a header what its author has seen now."""
    context = draft_context(character, draft) | {"others": presence.others(character, account(request))}
    response = render(request, "profiles/_draft.html", context)
    digests = fields.digests(request.POST, draft.document)
    response["X-Was"] = json.dumps(digests)
    states = rows.states(context["changes"])
    response["X-States"] = json.dumps({part: states.get(part.removeprefix("fact:"), "") for part in digests})
    return _arrived(request, character, response)


def _arrived(request: HttpRequest, character: Character, response: HttpResponse) -> HttpResponse:
    """Tell the browser that its copy of what was sent is kept here. A cookie does, also to a page that was closed."""
    copy = request.POST.get("copy", "")
    if COPY.fullmatch(copy):
        path = reverse("profiles:sheet", args=[character.slug])
        response.set_cookie(f"copy-{copy}", "1", COPY_IS_KNOWN, path=path, secure=request.is_secure(), samesite="Lax")
    return response


@require_POST
@role_required("author")
def save_yaml(request: HttpRequest, slug: str) -> HttpResponse:
    """Save the background as YAML; a text that can't be read is kept as it is, and says where."""
    character = opened(request, slug)
    text = request.POST.get("yaml", "").replace("\r\n", "\n")
    version = request.POST.get("version", "")
    seen = request.POST.get("seen", "")
    try:
        draft = drafts.save_yaml(character, text, version=number_of(version), by=account(request), seen=seen)
    except ConflictError as error:
        return _two_texts(request, character, error, text)
    except SheetError as error:
        if BY_ITSELF in request.headers:
            return _kept_unfit(request, character, error, text)
        if problem := drafts.why_not_kept(text):
            messages.error(request, problem)
        return yaml_page(slug)
    if BY_ITSELF in request.headers:
        response = panel(request, character, draft)
        response["X-Version"], response["X-Seen"] = str(draft.version), drafts.yaml_seen(draft)
        return response
    messages.success(request, "Saved to the draft.")
    return yaml_page(slug)


def _kept_unfit(request: HttpRequest, character: Character, error: SheetError, text: str) -> HttpResponse:
    """What is wrong with a text that is kept as it is."""
    response = unfit(request, character, error.problems)
    if drafts.why_not_kept(text):
        return response
    response["X-Seen"] = parts.digest(text)
    return _arrived(request, character, response)


def _two_texts(request: HttpRequest, character: Character, error: ConflictError, text: str) -> HttpResponse:
    """Both versions of the background. Keeping this one has seen the other one, and nothing else."""
    draft = begun(character)
    typed = isinstance(error, TypedConflictError)
    theirs = error.theirs if typed else drafts.told_yaml(draft)
    context: dict[str, Any] = {
        "character": character,
        "error": error,
        "typed": typed,
        "is_own": error.by == account(request).get_username(),
        "text": text,
        "pieces": comparing.words(theirs, text),
        "version": request.POST.get("version", "") if typed else draft.version,
        "seen": parts.digest(theirs) if typed else drafts.yaml_seen(draft),
        "drops": not typed and bool(draft.yaml_typed),
    }
    return render(request, "profiles/conflict_yaml.html", context, status=CONFLICT)


def number_of(text: str) -> int:
    """A version or a revision in a form; 0, which none has, for what is no number."""
    return int(text) if text.isdecimal() and len(text) < MOST_DIGITS else 0


def yaml_page(slug: str) -> HttpResponse:
    """The YAML, with what is wrong with it."""
    return redirect("profiles:edit_yaml", slug)


@require_POST
@role_required("author")
def drop_yaml(request: HttpRequest, slug: str) -> HttpResponse:
    """Let go of typed YAML that can't be read."""
    try:
        drafts.drop_yaml(opened(request, slug), by=account(request), seen=request.POST.get("seen", ""))
    except ConflictError as error:
        messages.error(request, f"{error.by} typed on meanwhile, so nothing was dropped. This is the text now.")
    else:
        messages.success(request, "The text with the error is gone; this is what the draft says.")
    return yaml_page(slug)
