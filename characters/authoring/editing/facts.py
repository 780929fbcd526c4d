"""What an author does to whole rows of the facts' table."""

from collections.abc import Iterable, Iterator, Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from characters.authoring.drafts import parts, pasted_facts
from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.parts import Document
from characters.authoring.drafts.services import Edit
from characters.authoring.editing import fields, removals, rows
from characters.authoring.editing.actions import BY_ITSELF, back, panel, writes
from characters.authoring.editing.page import account, begun, context, opened, seen, tab_of
from characters.profiles.documents import MAX_TEXT
from characters.profiles.models import Character, Draft, Predicate
from kgadmin.rest.actions import Refused


@writes
def add(request: HttpRequest, slug: str) -> HttpResponse:
    """Add one fact; without a predicate it is a plain sentence."""
    character = opened(request, slug)
    text = request.POST.get("object", "").strip()
    predicate = fields.predicate_or_note(request.POST.get("predicate", ""))
    if not text:
        raise Refused("Write the fact first: the object is empty.")
    _append(character, [(predicate, text)], request)
    return _on(request, f"{reverse('profiles:edit_facts', args=[slug])}?added")


@writes
def paste(request: HttpRequest, slug: str) -> HttpResponse:
    """Read facts out of a pasted text, and show them before they are added."""
    character = opened(request, slug)
    text = request.POST.get("text", "")
    registry = Predicate.objects.registry()
    found = pasted_facts.read(text, registry)
    draft = begun(character)
    there = {(row["predicate"], row["object"]) for row in draft.document["facts"]}
    new = [fact for fact in found if (fact.predicate, fact.object) not in there]
    if "add" not in request.POST or not new:
        asked = any(fact.questions for fact in new)
        shown = {"text": text, "new": new, "asked": asked, "known": len(found) - len(new), "registry": registry}
        return render(request, "profiles/edit_paste.html", context(request, character, draft, "facts") | shown)
    _append(character, [(fact.predicate, fact.object, *fact.questions) for fact in new], request)
    messages.success(request, f"{len(new)} fact{'s were' if len(new) > 1 else ' was'} added to the draft.")
    return _on(request, reverse("profiles:edit_facts", args=[slug]))


def _on(request: HttpRequest, to: str) -> HttpResponse:
    """To the next page; a page that added by itself is told which, and goes there once it knows that this worked."""
    return HttpResponse(status=204, headers={"X-Next": to}) if BY_ITSELF in request.headers else redirect(to)


def _append(character: Character, facts: Sequence[tuple[str, ...]], request: HttpRequest) -> None:
    """Add facts, each a predicate, an object and questions. Raises `SheetError`, `ConflictError`."""

    def made(draft: Draft) -> Iterator[Edit]:
        first = int(drafts.next_fact_id(draft)[1:])
        return (_new(number, *fact) for number, fact in enumerate(facts, first))

    drafts.change(character, made, by=account(request), tab=tab_of(request))


def _new(number: int, predicate: str, text: str, *questions: str) -> Edit:
    value = {"id": f"f{number}", "predicate": predicate, "object": text, "questions": list(questions)}
    return Edit(f"fact:f{number}", value)


@writes
def change(request: HttpRequest, slug: str) -> HttpResponse:
    """Remove, restore, duplicate or move rows, or undo a removal, as the pressed button says.

    What was typed in the rows is saved before.
    """
    character = opened(request, slug)
    made = _Made(request)
    draft = drafts.change(character, made, by=account(request), tab=tab_of(request), seen=seen(request))
    removals.keep(request, made.edits, made.before, draft)
    if not made.edits:
        _say_that_nothing_was_done(request)
    return panel(request, character, draft) if BY_ITSELF in request.headers else back(request, slug, _place(made.edits))


class _Made:
    """The edits that a pressed button means for the draft as it was typed, and its document `before` them."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request
        self.edits: list[Edit] = []
        self.before: Document = {}

    def __call__(self, draft: Draft) -> list[Edit]:
        typed = fields.edits(self._request.POST, draft.document)
        self.before = draft.document
        for edit in typed:
            self.before = parts.put(self.before, edit.part, edit.value)
        is_undo = "undo" in self._request.POST
        made = removals.undone(self._request, draft) if is_undo else _edits(self._request, draft, self.before)
        self.edits = list(made)
        return [*typed, *self.edits]


def _say_that_nothing_was_done(request: HttpRequest) -> None:
    if "many" in request.POST:
        messages.warning(request, "Tick the facts first.")
    if "undo" in request.POST:
        messages.warning(request, "There is nothing to put back: these facts are there, or were removed elsewhere.")


def _place(edits: Sequence[Edit]) -> str:
    """The fact to go on with: the last that was made, or changed."""
    made = [edit.part for edit in edits if edit.part.startswith("fact:") and edit.value is not None]
    return made[-1].replace(":", "-") if made else ""


def _edits(request: HttpRequest, draft: Draft, document: Document) -> Iterable[Edit]:
    live = drafts.live_document(draft.character)
    given, selected = request.POST, request.POST.getlist("selected")
    one = {name: given[name] for name in ("remove", "restore", "duplicate", "up", "down") if name in given}
    many = given.get("many", "")
    if "restore" in one:
        yield from _restored(live, document, one["restore"])
    for fact_id in [one["remove"]] if "remove" in one else selected if many == "remove" else []:
        yield Edit(f"fact:{fact_id}", None)
    chosen = [one["duplicate"]] if "duplicate" in one else selected if many == "duplicate" else []
    yield from _duplicates(document, live, chosen)
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


def _restored(live: Document, document: Document, fact_id: str) -> Iterable[Edit]:
    """The fact as it is live, behind the one that stands before it there."""
    fact, ids = parts.get(live, f"fact:{fact_id}"), parts.get(document, parts.ORDER)
    if fact and fact_id not in ids:
        yield Edit(f"fact:{fact_id}", fact)
        yield Edit(parts.ORDER, rows.put_back(ids, fact_id, parts.get(live, parts.ORDER)))


def _duplicates(document: Document, live: Document, ids: Iterable[str]) -> Iterable[Edit]:
    """A copy of each fact right behind it."""
    order = parts.get(document, parts.ORDER)
    for fact_id in ids:
        fact = parts.get(document, f"fact:{fact_id}")
        if fact is None:
            continue
        made = parts.next_fact_id(document, live)
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
