"""Context that all pages of the editor share: tabs, the facts' rows, changes since publishing, who writes."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from characters.authoring.drafts import services as drafts
from characters.authoring.editing import fields
from characters.authoring.models import SuggestedFact
from characters.domain import facts as turn_facts
from characters.domain import sheet as values
from characters.domain.sheet import Fact
from characters.profiles import comparison
from characters.profiles.access import character_for
from characters.profiles.comparison import Changes
from characters.profiles.models import Character, Draft, LearnedFact, Unsaved
from kgadmin.accounts.roles import PageRequest, role_required

MOST_DIGITS = 10
UNREGISTERED = values.Predicate("")
State = Literal["", "added", "changed", "removed"]
View = Callable[[PageRequest, str], HttpResponse]
Content = Callable[[PageRequest, Character, Draft], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Tab:
    """A page of the editor."""

    name: str
    url: str
    title: str
    count: int | None = None


def editable(request: HttpRequest, slug: str) -> Character:
    """Return the character if the user may edit it; 404 or 403 otherwise."""
    return character_for(request.user, slug, to_edit=True)


def tab_of(request: HttpRequest) -> str:
    """Return the name that the browser tab gave itself; empty without script."""
    form = request.POST if request.method == "POST" else request.GET
    return form.get("tab", "")[:32]


def version_of(request: HttpRequest) -> int | None:
    """Return the draft's version on the page that sent this form, or None if it has none."""
    return number_of(request.POST["version"]) if "version" in request.POST else None


def number_of(text: str) -> int:
    """Return the number of a version or revision; 0, which none has, if `text` isn't a number."""
    return int(text) if text.isdecimal() and len(text) < MOST_DIGITS else 0


def page(tab: str, template: str) -> Callable[[Content], View]:
    """Turn a function that returns a page's own context into a view, which adds what all pages show (`context`)."""

    def decorate(content: Content) -> View:
        def view(request: PageRequest, slug: str) -> HttpResponse:
            character = editable(request, slug)
            draft = drafts.draft_of(character)
            shown = context(request, character, draft, tab) | content(request, character, draft)
            return render(request, f"profiles/{template}.html", shown)

        view.__name__, view.__doc__ = content.__name__, content.__doc__
        return require_GET(role_required("author")(view))

    return decorate


def context(request: PageRequest, character: Character, draft: Draft, tab: str) -> dict[str, Any]:
    """Return the context of `profiles/editor.html`."""
    return {
        "tab": tab,
        "tabs": tabs(character, draft),
        "sheet": draft.sheet,
        "question": request.GET.get("question", "")[:500],
        **panel_context(request, character, draft),
    }


def panel_context(request: PageRequest, character: Character, draft: Draft) -> dict[str, Any]:
    """Return the context of the panel that says what publishing would do, and who writes."""
    changes = comparison.changes(character.sheet, draft.sheet)
    known = states(changes)
    sent = [part for part in fields.parts_of(request.POST) if part.startswith("fact:")]
    return {
        "character": character,
        "draft": draft,
        "changes": changes,
        "live": character.live_revision,
        "next_number": character.live_revision.number + 1 if character.live_revision else 1,
        "today": timezone.localdate(),
        "writer": None if draft.was_written_in(request.user, tab_of(request)) else draft.writer,
        "has_unsaved": Unsaved.objects.filter(character=character, user=request.user).exists(),
        "states": json.dumps({part: known.get(part.removeprefix("fact:"), "") for part in sent}),
    }


def tabs(character: Character, draft: Draft) -> list[Tab]:
    """Return the editor's tabs, with the number of entries on each."""
    document = draft.document
    waiting = SuggestedFact.objects.filter(character=character, state=SuggestedFact.State.WAITING)
    return [
        Tab("identity", "profiles:edit", "Identity"),
        Tab("facts", "profiles:edit_facts", "Facts", len(document["facts"])),
        Tab("suggestions", "profiles:suggestions", "Suggested", waiting.count()),
        Tab("learned", "profiles:learned", "Learned", LearnedFact.objects.active().filter(character=character).count()),
        Tab("personas", "profiles:edit_personas", "Personas", len(document.get("personas", ()))),
        Tab("themes", "profiles:edit_themes", "Anchors and concepts"),
        Tab("prompt", "profiles:edit_prompt", "Greetings and lore"),
        Tab("settings", "profiles:edit_settings", "Settings"),
        Tab("revisions", "profiles:revisions", "Revisions", character.revisions.count()),
    ]


@dataclass(frozen=True, slots=True)
class Row:
    """A fact of the draft, or a live one that was removed from the draft."""

    fact: Fact
    predicate: values.Predicate
    registered: bool
    sentence: str
    state: State

    @property
    def part(self) -> str:
        """Name of the fact's part of the sheet."""
        return f"fact:{self.fact.id}"


@dataclass(frozen=True, slots=True)
class Group:
    """Rows under one heading; in the sheet's own order there is one group without a heading."""

    family: str
    rows: tuple[Row, ...]


def fact_rows(draft: Draft, changes: Changes, registry: Mapping[str, values.Predicate]) -> list[Row]:
    """Return the draft's facts in the sheet's order, then the removed ones."""
    known = states(changes)
    there = [_row(fact, registry, known.get(fact.id, "")) for fact in draft.sheet.facts]
    return there + [_row(fact, registry, "removed") for fact in changes.removed]


def states(changes: Changes) -> dict[str, State]:
    """Return whether each fact is new or changed since publishing, by id; others aren't listed."""
    added: dict[str, State] = {fact.id: "added" for fact in changes.added}
    return added | {changed.after.id: "changed" for changed in changes.changed}


def _row(fact: Fact, registry: Mapping[str, values.Predicate], state: State) -> Row:
    predicate = registry.get(fact.predicate)
    sentence = turn_facts.sentence(fact, predicate) if fact.object.strip() else ""
    return Row(fact, predicate or UNREGISTERED, predicate is not None, sentence, state)


def matching(listed: Iterable[Row], text: str) -> Iterator[Row]:
    """Yield rows that contain every word of `text`, in predicate, object, family or questions."""
    words = text.casefold().split()
    for row in listed:
        fact = row.fact
        searched = " ".join((fact.predicate, fact.object, row.predicate.family, *fact.questions)).casefold()
        if all(word in searched for word in words):
            yield row


def by_family(listed: Iterable[Row]) -> list[Group]:
    """Group rows by their predicate's family, families in the order of their first fact."""
    families: dict[str, list[Row]] = {}
    for row in listed:
        families.setdefault(row.predicate.family, []).append(row)
    return [Group(family, tuple(each)) for family, each in families.items()]
