"""Reading what a person's facts and messages name: the entities, and exploring what is remembered about one."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_htmx.http import push_url

from characters.conversations import access
from characters.conversations.models import Person
from characters.people import exploring, finding, pages
from characters.people.facts import fact_views
from characters.people.pages import entity_of, mentioning, named
from characters.people.views import MOST_CHOICES, frame, readers
from characters.profiles.models import Character
from kgadmin.accounts.roles import PageRequest

ENTITIES_A_PAGE = 100
MENTIONS_A_PAGE = 20


@require_safe
@readers
def entities(request: PageRequest, pk: int) -> HttpResponse:
    """Everything that this person's facts and messages name: `?q=`, `?page=`."""
    found = access.person_for(request.user, pk)
    find = request.GET.get("q", "").replace("\0", "").strip()
    context = {"page": Paginator(named(found, find), ENTITIES_A_PAGE).get_page(request.GET.get("page")), "find": find}
    return render(request, "people/entities.html", frame(request, found, "entities") | context)


@require_safe
@readers
def entity(request: PageRequest, pk: int, entity_pk: int) -> HttpResponse:
    """One entity: its facts, where it is mentioned, its names, and merging it into another one."""
    found = access.person_for(request.user, pk)
    row = entity_of(found, entity_pk)
    context = {
        "entity": row,
        "facts": fact_views(found, pages.facts_naming(row)),
        "mentions": Paginator(mentioning(row), MENTIONS_A_PAGE).get_page(request.GET.get("page")),
        "others": found.entities.exclude(pk=row.pk)[:MOST_CHOICES],
        "known_to": found.acquaintances.select_related("character"),
    }
    return render(request, "people/entity.html", frame(request, found, "entities") | context)


@require_safe
@readers
def explore(request: PageRequest, pk: int) -> HttpResponse:
    """What a character remembers about something: `?character=`, `?about=`, `?hops=`, `?open=`, `?edge=`."""
    found = access.person_for(request.user, pk)
    character, known_to = pages.character_of(found, request.GET.get("character", ""))
    context = frame(request, found, "explore") | {"character": character, "known_to": known_to}
    if character:
        context |= _explored(request, found, character)
    if not request.htmx:
        return render(request, "people/explore.html", context)
    return push_url(render(request, "people/explore.html#explored", context), request.get_full_path())


def _explored(request: PageRequest, found: Person, character: Character) -> dict[str, Any]:
    text = request.GET.get("about", "").replace("\0", " ").strip()
    known = finding.known_entities(found, character)
    fitting = finding.asked_about(text, known)
    if len(fitting) != 1:
        choices = fitting or finding.suggested(text, known)
        return {"text": text, "choices": choices[:ENTITIES_A_PAGE], "is_ambiguous": bool(fitting)}
    asked = exploring.Asked.of(request.GET.dict(), found, character, fitting[0])
    return {"text": fitting[0].name, "explored": exploring.explore(asked)}
