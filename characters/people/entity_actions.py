"""What is done to entities: their names, and that two of them are one."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from characters.conversations import access
from characters.memory import entities
from characters.people import entity_views, pages
from characters.people.facts import moves
from characters.people.forms import NameIn
from characters.people.pages import entity_of
from characters.people.views import frame, readers
from kgadmin.accounts.roles import PageRequest
from kgadmin.rest.actions import answer, on_page, read


@require_POST
@readers
@on_page(entity_views.entity)
def rename(request: PageRequest, pk: int, entity_pk: int) -> HttpResponse:
    """Give an entity another name; the old one becomes an alias."""
    entity = entity_of(access.person_for(request.user, pk, to_write=True), entity_pk)
    name = read(NameIn, request.POST).name
    entities.rename(entity=entity, name=name, by=request.user)
    return answer(request, f"It is called {name} now.", "people:entity", pk, entity_pk)


@require_POST
@readers
@on_page(entity_views.entity)
def add_alias(request: PageRequest, pk: int, entity_pk: int) -> HttpResponse:
    """Give an entity a further name."""
    entity = entity_of(access.person_for(request.user, pk, to_write=True), entity_pk)
    name = read(NameIn, request.POST).name
    entities.add_alias(entity=entity, text=name, by=request.user)
    return answer(request, f"“{name}” finds {entity.name} from the next turn on.", "people:entity", pk, entity_pk)


@require_POST
@readers
def remove_alias(request: PageRequest, pk: int, entity_pk: int, alias_pk: int) -> HttpResponse:
    """Take a further name away."""
    person = access.person_for(request.user, pk, to_write=True)
    alias = entity_of(person, entity_pk).aliases.filter(pk=alias_pk).first()
    if alias is None:  # a second click is no error
        return redirect("people:entity", pk, entity_pk)
    entities.remove_alias(alias=alias, by=request.user)
    return answer(request, f"“{alias.text}” is removed.", "people:entity", pk, entity_pk)


@require_http_methods(["GET", "HEAD", "POST"])
@readers
def merge(request: PageRequest, pk: int, entity_pk: int) -> HttpResponse:
    """Two entities are one: what moves into `?into=`, and moving it."""
    person = access.person_for(request.user, pk, to_write=True)
    entity = entity_of(person, entity_pk)
    into_pk = pages.number(request.POST.get("into", request.GET.get("into", "")))
    if into_pk is None or into_pk == entity.pk:
        raise Http404("Choose another entity on this one's page, into which it goes.")
    into = entity_of(person, into_pk)
    if request.method == "POST":
        entities.merge(into=into, other=entity, by=request.user)
        return answer(request, f"{entity.name} and {into.name} are one now: {into.name}.", "people:entity", pk, into.pk)
    context = {"entity": entity, "into": into, "moves": moves(person, entity, into)}
    return render(request, "people/merge.html", frame(request, person, "entities") | context)
