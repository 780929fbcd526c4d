"""Pages of the editor, one per part of a sheet."""

from datetime import timedelta
from typing import Any

from django.conf import settings as config
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from characters.authoring.drafts import parts
from characters.authoring.drafts import services as drafts
from characters.authoring.editing.facts import just_removed
from characters.authoring.editing.page import (
    Group,
    by_family,
    context,
    editable,
    fact_rows,
    matching,
    page,
    panel_context,
)
from characters.authoring.lint.checks import FactUse, fact_use_since
from characters.authoring.trial import MAX_QUESTION, try_question
from characters.domain.sheet import PLACEHOLDERS, REFLEXIVES, AmbientSettings, concepts_by_family
from characters.profiles import comparison
from characters.profiles.access import may_share
from characters.profiles.documents import MAX_IDENTITY
from characters.profiles.models import Character, Draft, Predicate
from characters.profiles.projection import publishing
from characters.turn.trace import OPTIONAL_STAGES
from kgadmin.accounts.roles import PageRequest, role_required
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.markdown import as_html
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from kgadmin.stores.model_list import ModelList

ROWS_OF_A_PAGE = 200
ENTRIES_OF_A_PAGE = 50
LIST_SECONDS = 1.0
"""Most seconds that a page waits for the list of models."""
USED_IN = timedelta(days=30)
TEXTS = (
    ("nickname", "Nickname", "The name that replaces {{char}}, if not the character's own."),
    ("system_prompt", "System prompt", "Placed before the identity text."),
    ("example_messages", "Example messages", "How the character talks; <START> separates the examples."),
    (
        "post_history_instructions",
        "Instructions after the history",
        "Placed last in every prompt, after the newest message.",
    ),
)
"""Texts of a sheet that a card may bring: part, title, purpose."""


@page("identity", "edit_identity")
def identity(request: PageRequest, character: Character, draft: Draft) -> dict[str, Any]:
    """Show name and identity text, with a preview."""
    return _described(draft.sheet.identity)


def _described(text: str) -> dict[str, Any]:
    return {
        "text": text,
        "html": as_html(text),
        "tokens": wiring.count_tokens(text),
        "placeholders": [(each, each in text) for each in PLACEHOLDERS],
    }


@require_POST
@role_required("author")
def preview(request: PageRequest, slug: str) -> HttpResponse:
    """Render a preview of the identity text that is being typed."""
    editable(request, slug)
    text = request.POST.get("identity/value", "")[:MAX_IDENTITY].replace("\0", "")
    return render(request, "profiles/edit_identity.html#preview", _described(text))


@page("facts", "edit_facts")
def facts(request: PageRequest, character: Character, draft: Draft) -> dict[str, Any]:
    """Show the facts as a table: filtered, grouped, one page of it."""
    registry = Predicate.objects.registry()
    text, grouped = request.GET.get("q", ""), request.GET.get("order") != "sheet"
    changes = comparison.changes(character.sheet, draft.sheet)
    shown = list(matching(fact_rows(draft, changes, registry), text))
    if grouped:
        shown = [row for group in by_family(shown) for row in group.rows]
    wanted = request.GET.get("fact", "")
    place = next((number for number, row in enumerate(shown) if row.fact.id == wanted), None)
    number = request.GET.get("page") if place is None else place // ROWS_OF_A_PAGE + 1
    part = Paginator(shown, ROWS_OF_A_PAGE).get_page(number)
    use = fact_use_since(character.pk, timezone.now() - USED_IN) if character.live_revision else FactUse()
    return {
        "groups": by_family(part.object_list) if grouped else [Group("", tuple(part.object_list))],
        "page": part,
        "total": len(draft.document["facts"]),
        "q": text,
        "grouped": grouped,
        "registry": registry.values(),
        "added": "added" in request.GET,
        "removed": just_removed(request, draft),
        "use": use,
        "learned_count": character.learned.active().count(),
    }


@page("facts", "edit_yaml")
def yaml(request: PageRequest, character: Character, draft: Draft) -> dict[str, Any]:
    """Show facts and everything else but the identity, as YAML."""
    shown = drafts.yaml_of(draft)
    return {
        "text": shown.yaml,
        "problems": shown.problems,
        "changed_since": draft.yaml_typed and draft.yaml_typed_for != draft.version,
    }


@page("personas", "edit_personas")
def personas(request: PageRequest, character: Character, draft: Draft) -> dict[str, Any]:
    """Show the personas, the bases that they go with, and the models that they may name."""
    model = wiring.language_model()
    bases = KnowledgeBase.objects.names()
    gone = {slug: slug for persona in draft.sheet.personas for slug in persona.bases if slug not in bases}
    return {
        "personas": draft.sheet.personas,
        "bases": bases | gone,
        "gone": gone,
        "default": parts.DEFAULT,
        "models": model.models(wait=LIST_SECONDS) if draft.sheet.personas else ModelList(),
        "usual_model": model.name,
        "reply_tokens": config.CONFIG.llm_reply_tokens,
    }


@page("themes", "edit_themes")
def themes(request: PageRequest, character: Character, draft: Draft) -> dict[str, Any]:
    """Show anchors and concepts."""
    return {"made": concepts_by_family(draft.sheet, Predicate.objects.registry())}


@page("prompt", "edit_prompt")
def prompt(request: PageRequest, character: Character, draft: Draft) -> dict[str, Any]:
    """Show greetings, lore, and the other texts that cards bring."""
    texts = [(part, title, purpose, getattr(draft.sheet, part)) for part, title, purpose in TEXTS]
    lore = Paginator(draft.sheet.lore, ENTRIES_OF_A_PAGE).get_page(request.GET.get("page"))
    return {"texts": texts, "page": lore}


@page("settings", "edit_settings")
def settings(request: PageRequest, character: Character, draft: Draft) -> dict[str, Any]:
    """Show pronouns, stages, learning, ambient settings, suggested questions."""
    factors = draft.sheet.settings.ambient.families
    families = sorted({*Predicate.objects.values_list("family", flat=True), *factors})
    return {
        "stages": [
            (stage, stage.replace("_", " ").capitalize(), stage not in draft.sheet.settings.stages_off)
            for stage in OPTIONAL_STAGES
        ],
        "pronouns": list(REFLEXIVES),
        "families": [(family, factors.get(family, 1)) for family in families],
        "usual": AmbientSettings(),
        "may_share": may_share(request.user, character),
    }


@require_GET
@role_required("author")
def published(request: PageRequest, slug: str) -> HttpResponse:
    """Show how much of the live sheet is in the graph; pages poll this every second until all of it is."""
    character = editable(request, slug)
    return render(request, "profiles/_publishing.html", {"character": character, "progress": publishing(character)})


@require_GET
@role_required("author")
def panel(request: PageRequest, slug: str) -> HttpResponse:
    """Show who writes and what publishing would do now; open pages poll this every few seconds."""
    character = editable(request, slug)
    return render(request, "profiles/_draft.html", panel_context(request, character, drafts.draft_of(character)))


@require_GET
@role_required("author")
def try_it(request: PageRequest, slug: str) -> HttpResponse:
    """Show which facts the question in the address brings up, from the draft or the live sheet. Nothing is written."""
    character = editable(request, slug)
    draft = drafts.draft_of(character)
    question = " ".join(request.GET.get("question", "").replace("\0", "").split())[:MAX_QUESTION]
    live = character.sheet if request.GET.get("of") == "live" else None
    shown: dict[str, Any] = {"character": character, "question": question, "of": "live" if live else "draft"}
    if question:
        try:
            evidence = try_question(live or draft.sheet, question, character=character)
            tokens = sum(wiring.count_tokens(fact.sentence) for fact in evidence.used)
            shown |= {"evidence": evidence, "tokens": tokens}
        except StoreError as error:
            shown["problem"] = error.message
    if request.htmx:
        return render(request, "profiles/_tryit.html", shown)
    return render(request, "profiles/try.html", context(request, character, draft, "facts") | shown)
