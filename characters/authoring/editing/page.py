"""What every page of the editor shows: the draft against what is live, the parts of a sheet, who writes."""

import json
from dataclasses import dataclass
from typing import Any, cast

from django.http import HttpRequest
from django.utils import timezone

from characters.authoring.drafts import services as drafts
from characters.authoring.editing import fields, rows
from characters.authoring.suggestions.models import SuggestedFact
from characters.profiles import comparison
from characters.profiles.access import character_for
from characters.profiles.comparison import Changes
from characters.profiles.learned.models import LearnedFact
from characters.profiles.models import Character, Draft, Unsaved
from kgadmin.accounts.models import User

MOST_DIGITS = 10


@dataclass(frozen=True, slots=True)
class Tab:
    """A page of the editor."""

    name: str
    url: str
    title: str
    count: int | None = None


def opened(request: HttpRequest, slug: str) -> Character:
    """The character, to be changed by whoever asks. 404 or 403 otherwise."""
    return character_for(request.user, slug, to_edit=True)


def account(request: HttpRequest) -> User:
    """Who is signed in; views ask for a role before."""
    return cast(User, request.user)


def tab_of(request: HttpRequest) -> str:
    """The browser tab that asks, which names itself; empty without script."""
    given = request.POST if request.method == "POST" else request.GET
    return given.get("tab", "")[:32]


def seen(request: HttpRequest) -> int | None:
    """The version of the draft that the page shows which sent this form."""
    return number_of(request.POST["version"]) if "version" in request.POST else None


def number_of(text: str) -> int:
    """A version or a revision in a form; 0, which none has, for what is no number."""
    return int(text) if text.isdecimal() and len(text) < MOST_DIGITS else 0


def context(request: HttpRequest, character: Character, draft: Draft, tab: str) -> dict[str, Any]:
    """For `profiles/editor.html`."""
    return {
        "tab": tab,
        "tabs": tabs(character, draft),
        "sheet": draft.sheet,
        "question": request.GET.get("question", "")[:500],
        **panel_context(request, character, draft),
    }


def panel_context(request: HttpRequest, character: Character, draft: Draft) -> dict[str, Any]:
    """For the panel that says what publishing would do, and who writes."""
    found = changes(character, draft)
    states = rows.states(found)
    sent = [part for part in fields.parts_of(request.POST) if part.startswith("fact:")]
    return {
        "character": character,
        "draft": draft,
        "changes": found,
        "live": character.live_revision,
        "next_number": character.live_revision.number + 1 if character.live_revision else 1,
        "today": timezone.localdate(),
        "writer": None if draft.was_written_in(account(request), tab_of(request)) else draft.writer,
        "has_unsaved": Unsaved.objects.filter(character=character, user=account(request)).exists(),
        "states": json.dumps({part: states.get(part.removeprefix("fact:"), "") for part in sent}),
    }


def changes(character: Character, draft: Draft) -> Changes:
    """What publishing the draft would change."""
    return comparison.changes(character.sheet, draft.sheet)


def tabs(character: Character, draft: Draft) -> list[Tab]:
    """The pages of the editor, with how much there is on each."""
    document = draft.document
    waiting = SuggestedFact.objects.filter(character=character, state=SuggestedFact.State.WAITING)
    return [
        Tab("identity", "profiles:edit", "Identity"),
        Tab("facts", "profiles:edit_facts", "Facts", len(document["facts"])),
        Tab("suggestions", "profiles:suggestions", "Suggested", waiting.count()),
        Tab("learned", "profiles:learned", "Learned", LearnedFact.objects.told().filter(character=character).count()),
        Tab("personas", "profiles:edit_personas", "Personas", len(document.get("personas", ()))),
        Tab("themes", "profiles:edit_themes", "Anchors and concepts"),
        Tab("prompt", "profiles:edit_prompt", "Greetings and lore"),
        Tab("settings", "profiles:edit_settings", "Settings"),
        Tab("revisions", "profiles:revisions", "Revisions", character.revisions.count()),
    ]


def begun(character: Character) -> Draft:
    """Her draft."""
    return drafts.draft_of(character)
