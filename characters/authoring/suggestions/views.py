"""The page on which an author decides a character's suggested facts, one by one."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from characters.authoring.drafts import services as drafts
from characters.authoring.editing import page as editor
from characters.authoring.models import SuggestedFact
from characters.authoring.suggestions import services
from characters.authoring.suggestions.services import suggestion_for
from characters.profiles.access import character_for
from characters.profiles.models import Character
from kgadmin.accounts.roles import PageRequest, role_required
from kgadmin.rest.actions import answer, back, on_page
from kgadmin.stores import wiring

MOST_WAITING = 100
MOST_DECIDED = 20
PAGE = "profiles/suggestions.html"


@require_safe
@role_required("author")
def suggestions(request: PageRequest, slug: str) -> HttpResponse:
    """List what waits, and what was decided last."""
    character = character_for(request.user, slug, to_edit=True)
    if request.htmx:
        return render(request, f"{PAGE}#suggestions", context(character))
    frame = editor.context(request, character, drafts.draft_of(character), "suggestions")
    return render(request, PAGE, frame | context(character))


def context(character: Character) -> dict[str, Any]:
    """Return the list's context, for its own page or another."""
    waiting = services.open_suggestions(character)
    decided = SuggestedFact.objects.filter(character=character).decided().select_related("decided_by")
    return {
        "character": character,
        "waiting": waiting[:MOST_WAITING],
        "waiting_count": len(waiting),
        "decided": decided[:MOST_DECIDED],
        "job": services.job_of(character),
        "model": wiring.language_model(),
    }


@require_POST
@role_required("author")
@on_page(suggestions)
def read(request: PageRequest, slug: str) -> HttpResponse:
    """Read the draft's identity text: by patterns at once, by the language model in a job."""
    character = character_for(request.user, slug, to_edit=True)
    if "model" in request.POST:
        services.ask_model(character, by=request.user)
        return _answer(request, character, "The language model reads the identity text.")
    count = services.suggest_from_identity(character)
    sentence = {0: "Nothing new was found in the identity text.", 1: "One new suggestion."}
    return _answer(request, character, sentence.get(count, f"{count} new suggestions."))


@require_POST
@role_required("author")
@on_page(suggestions)
def decide(request: PageRequest, slug: str, pk: int) -> HttpResponse:
    """Accept a suggestion, dismiss it, or undo either."""
    character = character_for(request.user, slug, to_edit=True)
    verb, object, tab = request.POST.get("verb", ""), request.POST.get("object", ""), editor.tab_of(request)
    message = services.decide(suggestion_for(character, pk), verb, by=request.user, tab=tab, object=object)
    return _answer(request, character, message)


def _answer(request: PageRequest, character: Character, message: str) -> HttpResponse:
    to = f"{back(request, otherwise=reverse('profiles:suggestions', args=[character.slug]))}#suggestions"
    return answer(request, message, to, part=f"{PAGE}#suggestions", context=context(character))
