"""What an author does to whole rows of the facts' table."""

from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from characters.profiles.documents import MAX_TEXT, SheetError
from characters.profiles.drafts import parts, pasting
from characters.profiles.drafts import services as drafts
from characters.profiles.drafts.parts import Document
from characters.profiles.drafts.services import Edit
from characters.profiles.editing import fields, rows
from characters.profiles.editing.page import account, begun, context, opened
from characters.profiles.editing.saving import back, unfit
from characters.profiles.models import Character, Draft, Predicate
from characters.turn.facts import NOTE
from kgadmin.accounts.roles import role_required


@require_POST
@role_required("author")
def add(request: HttpRequest, slug: str) -> HttpResponse:
    """Add one fact; without a predicate it is a plain sentence."""
    character = opened(request, slug)
    text = request.POST.get("object", "").strip()
    predicate = fields.predicate(request.POST.get("predicate", "")) or NOTE
    if not text:
        messages.error(request, "Write what holds of her first: the object is empty.")
    else:
        try:
            _append(character, begun(character), [(predicate, text)], request)
        except SheetError as error:
            return unfit(request, character, error.problems)
    return redirect(f"{reverse('profiles:edit_facts', args=[slug])}?added")


@require_POST
@role_required("author")
def paste(request: HttpRequest, slug: str) -> HttpResponse:
    """Read facts out of a pasted text, and show them before they are added."""
    character = opened(request, slug)
    text = request.POST.get("text", "")
    registry = Predicate.objects.registry()
    found = pasting.read(text, registry)
    draft = begun(character)
    there = {(row["predicate"], row["object"]) for row in draft.document["facts"]}
    new = [fact for fact in dict.fromkeys(found) if (fact.predicate, fact.object) not in there]
    if "add" not in request.POST or not new:
        shown = {"text": text, "new": new, "known": len(found) - len(new), "registry": registry}
        return render(request, "profiles/edit_paste.html", context(request, character, draft, "facts") | shown)
    try:
        _append(character, draft, [(fact.predicate, fact.object) for fact in new], request)
    except SheetError as error:
        return unfit(request, character, error.problems)
    messages.success(request, f"{len(new)} facts were added to the draft.")
    return redirect("profiles:edit_facts", slug)


def _append(character: Character, draft: Draft, facts: Iterable[tuple[str, str]], request: HttpRequest) -> None:
    document, edits = draft.document, []
    for predicate, text in facts:
        fact_id = parts.next_fact_id(document)
        value = {"id": fact_id, "predicate": predicate, "object": text, "questions": []}
        edits.append(Edit(f"fact:{fact_id}", value, parts.digest(None)))
        document = document | {"facts": [*document["facts"], value]}
    drafts.save(character, edits, by=account(request))


@require_POST
@role_required("author")
def change(request: HttpRequest, slug: str) -> HttpResponse:
    """Remove, restore, duplicate or move rows, as the pressed button says."""
    character = opened(request, slug)
    draft = begun(character)
    edits = list(_edits(request, character, draft.document))
    if edits:
        drafts.save(character, edits, by=account(request))
    return back(request, slug)


def _edits(request: HttpRequest, character: Character, document: Document) -> Iterable[Edit]:
    given, selected = request.POST, request.POST.getlist("selected")
    one = {name: given[name] for name in ("remove", "restore", "duplicate", "up", "down") if name in given}
    many = given.get("many", "")
    if "restore" in one:
        yield from _restored(character, one["restore"])
    for fact_id in [one["remove"]] if "remove" in one else selected if many == "remove" else []:
        yield Edit(f"fact:{fact_id}", None)
    chosen = [one["duplicate"]] if "duplicate" in one else selected if many == "duplicate" else []
    yield from _duplicates(document, chosen)
    if "asked" in given:
        yield from _asked(document, given["asked"], " ".join(given.get("question", "").split())[:MAX_TEXT])
    for direction in ("up", "down"):
        if direction in one:
            yield from _move(document, one[direction], given.get("beside", ""), up=direction == "up")


def _asked(document: Document, fact_id: str, question: str) -> Iterable[Edit]:
    """The fact with one more question that it answers."""
    fact = parts.get(document, f"fact:{fact_id}")
    if fact and question and question not in fact["questions"]:
        yield Edit(f"fact:{fact_id}", fact | {"questions": [*fact["questions"], question]})


def _restored(character: Character, fact_id: str) -> Iterable[Edit]:
    """The fact as it is live."""
    live = character.live_revision.document if character.live_revision else {"facts": []}
    fact = parts.get(live, f"fact:{fact_id}")
    if fact:
        yield Edit(f"fact:{fact_id}", fact)


def _duplicates(document: Document, ids: Iterable[str]) -> Iterable[Edit]:
    """A copy of each fact right behind it."""
    order = parts.get(document, parts.ORDER)
    for fact_id in ids:
        fact = parts.get(document, f"fact:{fact_id}")
        if fact is None:
            continue
        made = parts.next_fact_id(document)
        copy = fact | {"id": made}
        document = document | {"facts": [*document["facts"], copy]}
        order.insert(order.index(fact_id) + 1, made)
        yield Edit(f"fact:{made}", copy)
        yield Edit(parts.ORDER, list(order))


def _move(document: Document, fact_id: str, beside: str, *, up: bool) -> Iterable[Edit]:
    """Above or below the row that is shown beside it; the next one of the sheet where none is."""
    ids = parts.get(document, parts.ORDER)
    if fact_id not in ids:
        return
    place = ids.index(fact_id) + (-1 if up else 1)
    neighbour = beside if beside in ids and beside != fact_id else ids[place] if 0 <= place < len(ids) else ""
    if neighbour:
        yield Edit(parts.ORDER, rows.moved(ids, fact_id, neighbour, up=up))
