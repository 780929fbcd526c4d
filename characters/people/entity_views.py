"""Pages of entities: those of a person's facts and messages, their names, merging, and exploring around one."""

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import push_url

from characters.conversations import access
from characters.conversations.models import Person
from characters.memory import entities as services
from characters.people import exploration, pages
from characters.people.facts import fact_views, moves
from characters.people.forms import NameIn
from characters.people.pages import entity_of, mentioning, named
from characters.people.views import MOST_CHOICES, frame, readers
from characters.profiles.models import Character
from kgadmin.accounts.roles import PageRequest
from kgadmin.rest.actions import answer, on_page, read

ENTITIES_A_PAGE = 100
MENTIONS_A_PAGE = 20


@require_safe
@readers
def entities(request: PageRequest, pk: int) -> HttpResponse:
    """All entities of this person: `?q=`, `?page=`."""
    person = access.person_for(request.user, pk)
    find = request.GET.get("q", "").replace("\0", "").strip()
    context = {"page": Paginator(named(person, find), ENTITIES_A_PAGE).get_page(request.GET.get("page")), "find": find}
    return render(request, "people/entities.html", frame(request, person, "entities") | context)


@require_safe
@readers
def entity(request: PageRequest, pk: int, entity_pk: int) -> HttpResponse:
    """One entity: its facts, mentions and names, and merging it into another one."""
    person = access.person_for(request.user, pk)
    row = entity_of(person, entity_pk)
    context = {
        "entity": row,
        "facts": fact_views(person, pages.facts_naming(row)),
        "mentions": Paginator(mentioning(row), MENTIONS_A_PAGE).get_page(request.GET.get("page")),
        "others": person.entities.exclude(pk=row.pk)[:MOST_CHOICES],
        "known_to": person.acquaintances.select_related("character"),
    }
    return render(request, "people/entity.html", frame(request, person, "entities") | context)


@require_safe
@readers
def explore(request: PageRequest, pk: int) -> HttpResponse:
    """What a character remembers about an entity: `?character=`, `?about=`, `?hops=`, `?open=`, `?edge=`."""
    person = access.person_for(request.user, pk)
    character, known_to = pages.character_of(person, request.GET.get("character", ""))
    context = frame(request, person, "explore") | {"character": character, "known_to": known_to}
    if character:
        context |= _explored(request, person, character)
    if not request.htmx:
        return render(request, "people/explore.html", context)
    return push_url(render(request, "people/explore.html#explored", context), request.get_full_path())


def _explored(request: PageRequest, person: Person, character: Character) -> dict[str, Any]:
    text = request.GET.get("about", "").replace("\0", " ").strip()
    known = exploration.known_entities(person, character)
    fitting = exploration.entities_for(text, known)
    if len(fitting) != 1:
        choices = fitting or exploration.suggested(text, known)
        return {"text": text, "choices": choices[:ENTITIES_A_PAGE], "is_ambiguous": bool(fitting)}
    walk = exploration.Walk.of(request.GET.dict(), person, character, fitting[0])
    return {"text": fitting[0].name, "explored": exploration.explore(walk)}


@require_POST
@readers
@on_page(entity)
def rename(request: PageRequest, pk: int, entity_pk: int) -> HttpResponse:
    """Rename an entity; the old name becomes an alias."""
    entity = entity_of(access.person_for(request.user, pk, to_write=True), entity_pk)
    name = read(NameIn, request.POST).name
    services.rename(entity=entity, name=name, by=request.user)
    return answer(request, f"It is called {name} now.", "people:entity", pk, entity_pk)


@require_POST
@readers
@on_page(entity)
def add_alias(request: PageRequest, pk: int, entity_pk: int) -> HttpResponse:
    """Add an alias."""
    entity = entity_of(access.person_for(request.user, pk, to_write=True), entity_pk)
    name = read(NameIn, request.POST).name
    services.add_alias(entity=entity, text=name, by=request.user)
    return answer(request, f"“{name}” finds {entity.name} from the next turn.", "people:entity", pk, entity_pk)


@require_POST
@readers
def remove_alias(request: PageRequest, pk: int, entity_pk: int, alias_pk: int) -> HttpResponse:
    """Remove an alias."""
    person = access.person_for(request.user, pk, to_write=True)
    alias = entity_of(person, entity_pk).aliases.filter(pk=alias_pk).first()
    if alias is None:  # a second click is no error
        return redirect("people:entity", pk, entity_pk)
    services.remove_alias(alias=alias, by=request.user)
    return answer(request, f"“{alias.text}” is removed.", "people:entity", pk, entity_pk)


@require_http_methods(["GET", "HEAD", "POST"])
@readers
def merge(request: PageRequest, pk: int, entity_pk: int) -> HttpResponse:
    """Merge the entity into `?into=`: preview what would move, then move it."""
    person = access.person_for(request.user, pk, to_write=True)
    entity = entity_of(person, entity_pk)
    into_pk = pages.number(request.POST.get("into", request.GET.get("into", "")))
    if into_pk is None or into_pk == entity.pk:
        raise Http404("Choose another entity to merge into on this one's page.")
    into = entity_of(person, into_pk)
    if request.method == "POST":
        services.merge(into=into, other=entity, by=request.user)
        return answer(request, f"{entity.name} and {into.name} were merged: {into.name}.", "people:entity", pk, into.pk)
    context = {"entity": entity, "into": into, "moves": moves(person, entity, into)}
    return render(request, "people/merge.html", frame(request, person, "entities") | context)
