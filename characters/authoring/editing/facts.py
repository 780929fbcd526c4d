"""Views that add, paste, remove, restore and move rows of the facts table."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from characters.authoring.drafts import parts, pasted_facts
from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.parts import Document
from characters.authoring.drafts.services import Edit
from characters.authoring.editing import fields
from characters.authoring.editing.actions import BY_ITSELF, back, panel, writes
from characters.authoring.editing.page import context, tab_of, version_of
from characters.profiles.documents import MAX_TEXT
from characters.profiles.models import Character, Draft, Predicate
from kgadmin.accounts.roles import PageRequest
from kgadmin.rest.actions import Refused

REMOVED = "removed facts"
"""Session key of the facts that an author removed last, for undo."""


@writes
def add(request: PageRequest, character: Character) -> HttpResponse:
    """Add one fact; without a predicate it is a plain sentence."""
    text = request.POST.get("object", "").strip()
    if not text:
        raise Refused("The object is empty. Write the fact first.")
    _append(request, character, [(fields.predicate_or_note(request.POST.get("predicate", "")), text)])
    return _next(request, f"{reverse('profiles:edit_facts', args=[character.slug])}?added")


@writes
def paste(request: PageRequest, character: Character) -> HttpResponse:
    """Read facts from pasted text and show them, or add them if the pressed button says so."""
    text = request.POST.get("text", "")
    registry = Predicate.objects.registry()
    pasted = pasted_facts.read(text, registry)
    draft = drafts.draft_of(character)
    there = {(row["predicate"], row["object"]) for row in draft.document["facts"]}
    new = [fact for fact in pasted if (fact.predicate, fact.object) not in there]
    if "add" not in request.POST or not new:
        asked = any(fact.questions for fact in new)
        shown = {"text": text, "new": new, "asked": asked, "known": len(pasted) - len(new), "registry": registry}
        return render(request, "profiles/edit_paste.html", context(request, character, draft, "facts") | shown)
    _append(request, character, [(fact.predicate, fact.object, *fact.questions) for fact in new])
    messages.success(request, f"{len(new)} fact{'s were' if len(new) > 1 else ' was'} added to the draft.")
    return _next(request, reverse("profiles:edit_facts", args=[character.slug]))


def _next(request: PageRequest, to: str) -> HttpResponse:
    """Redirect to `to`, or name it in `X-Next` for a page that sent the form automatically."""
    return HttpResponse(status=204, headers={"X-Next": to}) if BY_ITSELF in request.headers else redirect(to)


def _append(request: PageRequest, character: Character, facts: Sequence[tuple[str, ...]]) -> None:
    """Add facts, each a predicate, an object and questions. Raises `SheetError`, `ConflictError`."""

    def made(draft: Draft) -> Iterator[Edit]:
        for number, (predicate, text, *questions) in enumerate(facts, int(drafts.next_fact_id(draft)[1:])):
            row = {"id": f"f{number}", "predicate": predicate, "object": text, "questions": questions}
            yield Edit(f"fact:f{number}", row)

    drafts.change(character, made, by=request.user, tab=tab_of(request))


@writes
def change(request: PageRequest, character: Character) -> HttpResponse:
    """Save what was typed in the rows, then remove, restore or move some, as the pressed button says."""
    before: Document = {}
    pressed: list[Edit] = []

    def edits(draft: Draft) -> list[Edit]:
        typed = fields.edits(request.POST, draft.document)
        before.update(drafts.edited(draft.document, typed))
        is_undo = "undo" in request.POST
        pressed.extend(_undone(request, draft) if is_undo else _pressed(request, draft, before))
        return [*typed, *pressed]

    draft = drafts.change(character, edits, by=request.user, tab=tab_of(request), version=version_of(request))
    _remember_removed(request, pressed, before, draft)
    if "many" in request.POST and not pressed:
        messages.warning(request, "Select facts first.")
    if BY_ITSELF in request.headers:
        return panel(request, character, draft)
    changed = [edit.part for edit in pressed if edit.part.startswith("fact:") and edit.value is not None]
    return back(request, character.slug, place=changed[-1].replace(":", "-") if changed else "")


def _pressed(request: PageRequest, draft: Draft, document: Document) -> Iterator[Edit]:
    form, live = request.POST, drafts.live_document(draft.character)
    for fact_id in form.getlist("selected" if "many" in form else "remove"):
        yield Edit(f"fact:{fact_id}", None)
    if "restore" in form:
        yield from _restored(live, document, form["restore"])
    if fact := parts.get(document, f"fact:{form['asked']}") if "asked" in form else None:
        question = " ".join(form.get("question", "").split())[:MAX_TEXT]
        if question and question not in fact["questions"]:
            yield Edit(f"fact:{fact['id']}", fact | {"questions": [*fact["questions"], question]})
    for direction in {"up", "down"} & set(form):
        yield from _move(document, form[direction], form.get("beside", ""), up=direction == "up")


def _restored(live: Document, document: Document, fact_id: str) -> Iterator[Edit]:
    """Yield edits that restore a fact from the live sheet, behind the fact that precedes it there."""
    fact, ids = parts.get(live, f"fact:{fact_id}"), parts.get(document, parts.ORDER)
    if fact and fact_id not in ids:
        yield Edit(f"fact:{fact_id}", fact)
        yield Edit(parts.ORDER, _put_back(ids, fact_id, parts.get(live, parts.ORDER)))


def _move(document: Document, fact_id: str, beside: str, *, up: bool) -> Iterator[Edit]:
    """Yield the edit that moves a fact above or below the row shown beside it, or else the next one of the sheet."""
    ids = parts.get(document, parts.ORDER)
    if fact_id not in ids:
        return
    place = ids.index(fact_id) + (-1 if up else 1)
    neighbour = beside if beside in ids and beside != fact_id else ids[place] if 0 <= place < len(ids) else ""
    if neighbour:
        rest = [each for each in ids if each != fact_id]
        rest.insert(rest.index(neighbour) + (0 if up else 1), fact_id)
        yield Edit(parts.ORDER, rest)


def _remember_removed(request: PageRequest, edits: Iterable[Edit], before: Document, draft: Draft) -> None:
    """Keep in the session what these edits removed from `before`, now that they are saved in `draft`."""
    removed = {edit.part for edit in edits if edit.value is None}
    gone = [row for row in before["facts"] if f"fact:{row['id']}" in removed]
    if gone:
        order = parts.get(before, parts.ORDER)
        request.session[REMOVED] = {"draft": draft.pk, "version": draft.version, "facts": gone, "order": order}


def just_removed(request: PageRequest, draft: Draft) -> list[dict[str, Any]]:
    """Return the facts whose removal was the draft's last change."""
    removed = request.session.get(REMOVED, {})
    is_last = (removed.get("draft"), removed.get("version")) == (draft.pk, draft.version)
    return list(removed["facts"]) if is_last else []


def _undone(request: PageRequest, draft: Draft) -> Iterator[Edit]:
    """Yield edits that put missing facts back where they stood, even if something was saved since."""
    removed = request.session.get(REMOVED, {})
    if removed.get("draft") != draft.pk:
        return
    ids = parts.get(draft.document, parts.ORDER)
    for row in removed["facts"]:
        if row["id"] not in ids:
            ids = _put_back(ids, row["id"], removed["order"])
            yield Edit(f"fact:{row['id']}", row)
    if ids != parts.get(draft.document, parts.ORDER):
        yield Edit(parts.ORDER, ids)


def _put_back(ids: list[str], fact_id: str, order: list[str]) -> list[str]:
    """Return `ids` with `fact_id` behind the nearest of them that precedes it in `order`."""
    before = [each for each in order[: order.index(fact_id)] if each in ids]
    place = ids.index(before[-1]) + 1 if before else 0
    return [*ids[:place], fact_id, *ids[place:]]
