"""The pages of the editor, one per part of a sheet."""

from datetime import timedelta
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from characters.authoring.drafts import parts
from characters.authoring.drafts import services as drafts
from characters.authoring.editing import removals, rows
from characters.authoring.editing.page import begun, context, opened, panel_context
from characters.conversations import fact_use
from characters.conversations.fact_use import FactUse
from characters.domain import concepts
from characters.domain.placeholders import PLACEHOLDERS
from characters.domain.sheet import AmbientSettings
from characters.profiles.access import may_share
from characters.profiles.documents import MAX_IDENTITY
from characters.profiles.models import Character, Draft, Predicate
from characters.profiles.progress import publishing
from characters.turn.trace import OPTIONAL_STAGES
from kgadmin.accounts.roles import role_required
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.markdown import as_html
from kgadmin.stores import wiring

ROWS_OF_A_PAGE = 200
ENTRIES_OF_A_PAGE = 50
USED_IN = timedelta(days=30)
TEXTS = (
    ("nickname", "Nickname", "What {{char}} says, where it isn’t the name."),
    ("system_prompt", "System prompt", "Stands before the identity text."),
    ("example_messages", "Example messages", "How the character talks; <START> parts the examples."),
    (
        "post_history_instructions",
        "Instructions after the history",
        "The last words of every prompt, after the newest message.",
    ),
)
"""Texts of a sheet that a card may bring: part, title, what it is for."""


@require_GET
@role_required("author")
def identity(request: HttpRequest, slug: str) -> HttpResponse:
    """Name and identity text, with a preview."""
    character = opened(request, slug)
    draft = begun(character)
    frame = context(request, character, draft, "identity")
    return render(request, "profiles/edit_identity.html", frame | told(draft.sheet.identity))


def told(identity: str) -> dict[str, Any]:
    """What an author wants to know about an identity text."""
    return {
        "text": identity,
        "html": as_html(identity),
        "tokens": wiring.count_tokens(identity),
        "placeholders": [(each, each in identity) for each in PLACEHOLDERS],
    }


@require_POST
@role_required("author")
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """The identity text that is being typed, as it will be read."""
    opened(request, slug)
    text = request.POST.get("identity/value", "")[:MAX_IDENTITY].replace("\0", "")
    return render(request, "profiles/edit_identity.html#preview", told(text))


@require_GET
@role_required("author")
def facts(request: HttpRequest, slug: str) -> HttpResponse:
    """All facts as a table."""
    character = opened(request, slug)
    draft = begun(character)
    return render(request, "profiles/edit_facts.html", facts_context(request, character, draft))


def facts_context(request: HttpRequest, character: Character, draft: Draft) -> dict[str, Any]:
    """For the table: filtered, grouped, a page of it."""
    registry = Predicate.objects.registry()
    frame = context(request, character, draft, "facts")
    found = rows.rows(draft, frame["changes"], registry)
    text, grouped = request.GET.get("q", ""), request.GET.get("order") != "sheet"
    shown = list(rows.matching(found, text))
    if grouped:
        shown = [row for group in rows.by_family(shown) for row in group.rows]
    wanted = request.GET.get("fact", "")
    place = next((number for number, row in enumerate(shown) if row.fact.id == wanted), None)
    number = request.GET.get("page") if place is None else place // ROWS_OF_A_PAGE + 1
    page = Paginator(shown, ROWS_OF_A_PAGE).get_page(number)
    use = fact_use.since(character.pk, timezone.now() - USED_IN) if character.live_revision else FactUse()
    groups = rows.by_family(page.object_list) if grouped else [rows.Group("", tuple(page.object_list))]
    return frame | {
        "groups": groups,
        "page": page,
        "total": len(draft.document["facts"]),
        "q": text,
        "grouped": grouped,
        "registry": registry.values(),
        "added": "added" in request.GET,
        "removed": removals.just_removed(request, draft),
        "use": use,
        "learned_count": character.learned.told().count(),
    }


@require_GET
@role_required("author")
def yaml(request: HttpRequest, slug: str) -> HttpResponse:
    """Facts and everything else but the identity, as YAML."""
    character = opened(request, slug)
    draft = begun(character)
    more = {
        "text": drafts.shown_yaml(draft),
        "changed_since": draft.yaml_typed and draft.yaml_typed_for != draft.version,
        "problems": drafts.yaml_problems(draft),
    }
    return render(request, "profiles/edit_yaml.html", context(request, character, draft, "facts") | more)


@require_GET
@role_required("author")
def personas(request: HttpRequest, slug: str) -> HttpResponse:
    """The hats that a character wears."""
    character = opened(request, slug)
    draft = begun(character)
    bases = dict(KnowledgeBase.objects.values_list("slug", "name"))
    gone = {slug: slug for persona in draft.sheet.personas for slug in persona.bases if slug not in bases}
    more = {"personas": draft.sheet.personas, "bases": bases | gone, "gone": gone, "default": parts.DEFAULT}
    return render(request, "profiles/edit_personas.html", context(request, character, draft, "personas") | more)


@require_GET
@role_required("author")
def themes(request: HttpRequest, slug: str) -> HttpResponse:
    """Anchors and concepts."""
    character = opened(request, slug)
    draft = begun(character)
    more = {"made": concepts.made(draft.sheet, Predicate.objects.registry())}
    return render(request, "profiles/edit_themes.html", context(request, character, draft, "themes") | more)


@require_GET
@role_required("author")
def prompt(request: HttpRequest, slug: str) -> HttpResponse:
    """Greetings, lore, and the other texts that cards bring."""
    character = opened(request, slug)
    draft = begun(character)
    texts = [(part, title, says, getattr(draft.sheet, part)) for part, title, says in TEXTS]
    lore = Paginator(draft.sheet.lore, ENTRIES_OF_A_PAGE).get_page(request.GET.get("page"))
    frame = context(request, character, draft, "prompt")
    return render(request, "profiles/edit_prompt.html", frame | {"texts": texts, "page": lore})


@require_GET
@role_required("author")
def published(request: HttpRequest, slug: str) -> HttpResponse:
    """How far the live sheet is on its way into the graph; asked for every second until it is there."""
    character = opened(request, slug)
    return render(request, "profiles/_publishing.html", {"character": character, "progress": publishing(character)})


@require_GET
@role_required("author")
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Stages, ambient settings, questions to click."""
    character = opened(request, slug)
    draft = begun(character)
    of_families = draft.sheet.settings.ambient.families
    families = sorted({row.family for row in Predicate.objects.all()} | set(of_families))
    more = {
        "stages": [
            (stage, stage.replace("_", " ").capitalize(), stage not in draft.sheet.settings.stages_off)
            for stage in OPTIONAL_STAGES
        ],
        "families": [(family, of_families.get(family, 1)) for family in families],
        "usual": AmbientSettings(),
        "may_share": may_share(request.user, character),
    }
    return render(request, "profiles/edit_settings.html", context(request, character, draft, "settings") | more)


@require_GET
@role_required("author")
def panel(request: HttpRequest, slug: str) -> HttpResponse:
    """Who writes, and what publishing would do now: asked for by an open page every few seconds."""
    character = opened(request, slug)
    return render(request, "profiles/_draft.html", panel_context(request, character, begun(character)))
