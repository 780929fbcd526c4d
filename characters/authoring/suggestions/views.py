"""The suggested facts of a character, decided one by one by an author."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from characters.authoring.editing import page as editor
from characters.authoring.suggestions import services
from characters.authoring.suggestions.models import SuggestedFact
from characters.authoring.suggestions.services import suggestion_for
from characters.profiles.access import character_for
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import role_required
from kgadmin.rest.actions import Refused
from kgadmin.stores import wiring

MOST_WAITING = 100
MOST_DECIDED = 20
PAGE = "profiles/suggestions.html"


class HtmxRequest(HttpRequest):
    """A request of somebody who is signed in, through django-htmx's middleware."""

    htmx: HtmxDetails
    user: User


@require_safe
@role_required("author")
def suggestions(request: HtmxRequest, slug: str) -> HttpResponse:
    """What waits, and what was decided last."""
    character = character_for(request.user, slug, to_edit=True)
    if request.htmx:
        return render(request, f"{PAGE}#suggestions", context(character))
    frame = editor.context(request, character, editor.begun(character), "suggestions")
    return render(request, PAGE, frame | context(character))


def context(character: Character) -> dict[str, Any]:
    """What the list shows, on its own page or within another."""
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
def read(request: HtmxRequest, slug: str) -> HttpResponse:
    """Read the draft's identity text: by patterns at once, by the language model in a job."""
    character = character_for(request.user, slug, to_edit=True)
    if "model" in request.POST:
        try:
            services.ask_model(character, by=request.user)
        except Refused as error:
            return _answer(request, character, error=str(error))
        return _answer(request, character, "The language model reads the identity text.")
    found = services.suggest_from_identity(character)
    sentence = {0: "Nothing new was found in the identity text.", 1: "One new suggestion."}
    return _answer(request, character, sentence.get(found, f"{found} new suggestions."))


@require_POST
@role_required("author")
def decide(request: HtmxRequest, slug: str, pk: int) -> HttpResponse:
    """Accept a suggestion, dismiss it, or undo either."""
    character = character_for(request.user, slug, to_edit=True)
    suggestion = suggestion_for(character, pk)
    try:
        said = _decided(suggestion, request.POST.get("verb", ""), request)
    except Refused as error:
        return _answer(request, character, error=str(error))
    return _answer(request, character, said)


def _decided(suggestion: SuggestedFact, verb: str, request: HtmxRequest) -> str:
    tab = editor.tab_of(request)
    if verb == "accept":
        return services.accept(
            suggestion, by=request.user, tab=editor.tab_of(request), object=request.POST.get("object", "")
        )
    if verb == "dismiss":
        return services.dismiss(suggestion, by=request.user)
    if verb == "undo":
        return services.undo(suggestion, by=request.user, tab=tab)
    raise Refused("Choose accept, dismiss or undo.", status=409)


def _answer(request: HtmxRequest, character: Character, said: str = "", *, error: str = "") -> HttpResponse:
    if request.htmx:
        shown = context(character) | {"said": said, "error": error}
        return render(request, f"{PAGE}#suggestions", shown, status=400 if error else 200)
    if error:
        messages.error(request, error)
    else:
        messages.success(request, said)
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
        back = reverse("profiles:suggestions", args=[character.slug])
    return redirect(f"{back}#suggestions")
