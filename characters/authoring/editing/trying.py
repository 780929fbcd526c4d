"""Trying a question: which facts would come up, from the draft or from what is live. Nothing is written."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from characters.authoring.editing.page import begun, context, opened
from characters.authoring.trial import try_question
from characters.profiles.models import Character
from kgadmin.accounts.roles import role_required
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError

MAX_QUESTION = 500


@require_GET
@role_required("author")
def try_it(request: HttpRequest, slug: str) -> HttpResponse:
    """The answer's fragment; the page of the facts with it for a browser without script."""
    character = opened(request, slug)
    shown = tried(request, character)
    if "HX-Request" in request.headers:
        return render(request, "profiles/_tryit.html", shown)
    return render(request, "profiles/try.html", context(request, character, begun(character), "facts") | shown)


def tried(request: HttpRequest, character: Character) -> dict[str, Any]:
    """What the question in the address finds; nothing where there is none."""
    question = " ".join(request.GET.get("question", "").replace("\0", "").split())[:MAX_QUESTION]
    of_live = request.GET.get("of") == "live" and character.sheet is not None
    shown: dict[str, Any] = {"character": character, "question": question, "of": "live" if of_live else "draft"}
    sheet = character.sheet if of_live and character.sheet else begun(character).sheet
    if not question:
        return shown
    try:
        found = try_question(sheet, question, character=character)
    except StoreError as error:
        return shown | {"problem": error.message}
    tokens = sum(wiring.count_tokens(fact.sentence) for fact in found.used)
    return shown | {"evidence": found, "tokens": tokens}
