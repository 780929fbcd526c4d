"""The settings of a knowledge base. They lie here since they say which characters may use it."""

from collections.abc import Mapping
from typing import Any, Literal

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from characters.profiles import bases
from kgadmin.accounts.roles import PageRequest, role_required
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.access import base_for
from kgadmin.knowledge.forms import BaseSettings
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.rest.actions import answer, on_page, read
from kgadmin.rest.schemas import Body, Text

LABELS = {"chunk_tokens": "Chunk size", "overlap_tokens": "Overlap"}
FIELDS = tuple(BaseSettings.model_fields)


class ScopeForm(Body):
    """Which characters may use a base; nothing where the page doesn't ask."""

    scope: Literal["all", "some", ""] = ""
    characters: list[Text] = []


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("operator")
@on_page()
def settings(request: PageRequest, slug: str) -> HttpResponse:
    """Show the settings of a base, and save them."""
    base = base_for(request.user, slug, to_write=True)
    if request.method != "POST":
        return render(request, "knowledge/settings.html", _context(request, base))
    before = (base.chunk_tokens, base.overlap_tokens)
    scope = read(ScopeForm, request.POST)
    with transaction.atomic():
        knowledge.change(base, by=request.user, **read(BaseSettings, request.POST, **LABELS).dict())
        if scope.scope:
            bases.set_scope(base, for_everyone=scope.scope == "all", slugs=scope.characters, by=request.user)
    is_cut_anew = before != (base.chunk_tokens, base.overlap_tokens) and base.documents.exists()
    more = " Documents keep the chunks that they have: choose Re-ingest to cut them anew." * is_cut_anew
    return answer(request, f"The settings of {base.name} are saved.{more}", base)


def _context(request: PageRequest, base: KnowledgeBase) -> Mapping[str, Any]:
    """Return what the page shows: what was typed where it was refused, else what is saved."""
    scope = bases.scope_of(base, request.user)
    saved = {field: getattr(base, field) for field in FIELDS} | {"scope": "all" if scope.for_everyone else "some"}
    return {
        "base": base,
        "values": request.POST or saved,
        "chosen": request.POST.getlist("characters") if request.POST else scope.slugs,
        "characters": bases.choices_for(base, request.user),
        "is_lorebook": bases.is_lorebook(base),
        "naming": bases.naming(base),
        "figures": {"documents": base.documents.count(), "chunks": base.chunks.count(), "labels": base.labels.count()},
        "provenances": KnowledgeBase.Provenance.choices,
        "languages": KnowledgeBase.Language.choices,
    }
