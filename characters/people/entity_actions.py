"""What is done to entities: their names, and that two of them are one."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from characters.conversations import access
from characters.conversations.models import Person
from characters.memory import entities
from characters.memory.models import Entity
from characters.people import pages
from characters.people.entity_views import entity_context
from characters.people.facts import fact_views
from characters.people.forms import NameForm, first_error
from characters.people.pages import entity_of
from characters.people.views import PeopleRequest, frame, readers
from kgadmin.rest.actions import Refused


@require_POST
@readers
def rename(request: PeopleRequest, pk: int, entity_pk: int) -> HttpResponse:
    """Give an entity another name; the old one becomes an alias."""
    person = access.person_for(request.user, pk, to_write=True)
    entity = entity_of(person, entity_pk)
    form = NameForm(request.POST)
    try:
        if form.is_valid():
            entities.rename(entity=entity, name=form.cleaned_data["name"], by=request.user)
            messages.success(request, f"It is called {form.cleaned_data['name']} now.")
            return redirect("people:entity", pk, entity_pk)
    except Refused as error:
        form.add_error("name", str(error))
    return _refused(request, person, entity, name_error=first_error(form))


@require_POST
@readers
def add_alias(request: PeopleRequest, pk: int, entity_pk: int) -> HttpResponse:
    """Give an entity a further name."""
    person = access.person_for(request.user, pk, to_write=True)
    entity = entity_of(person, entity_pk)
    form = NameForm(request.POST)
    try:
        if form.is_valid():
            entities.add_alias(entity=entity, text=form.cleaned_data["name"], by=request.user)
            messages.success(request, f"“{form.cleaned_data['name']}” finds {entity.name} from the next turn on.")
            return redirect("people:entity", pk, entity_pk)
    except Refused as error:
        form.add_error("name", str(error))
    return _refused(request, person, entity, alias_error=first_error(form))


def _refused(request: PeopleRequest, person: Person, entity: Entity, **error: str) -> HttpResponse:
    context: dict[str, Any] = entity_context(request, person, entity, **error)
    return render(request, "people/entity.html", context, status=400)


@require_POST
@readers
def remove_alias(request: PeopleRequest, pk: int, entity_pk: int, alias_pk: int) -> HttpResponse:
    """Take a further name away."""
    person = access.person_for(request.user, pk, to_write=True)
    alias = entity_of(person, entity_pk).aliases.filter(pk=alias_pk).first()
    if alias is not None:
        entities.remove_alias(alias=alias, by=request.user)
        messages.success(request, f"“{alias.text}” is removed.")
    return redirect("people:entity", pk, entity_pk)


@require_http_methods(["GET", "HEAD", "POST"])
@readers
def merge(request: PeopleRequest, pk: int, entity_pk: int) -> HttpResponse:
    """Two entities are one: what moves into `?into=`, and moving it."""
    person = access.person_for(request.user, pk, to_write=True)
    entity = entity_of(person, entity_pk)
    into_pk = pages.number(request.POST.get("into", request.GET.get("into", "")))
    if into_pk is None or into_pk == entity.pk:
        raise Http404("Choose another entity on this one's page, into which it goes.")
    into = entity_of(person, into_pk)
    if request.method == "POST":
        entities.merge(into=into, other=entity, by=request.user)
        messages.success(request, f"{entity.name} and {into.name} are one now: {into.name}.")
        return redirect("people:entity", pk, into.pk)
    context = {"entity": entity, "into": into, "moves": moves(person, entity, into)}
    return render(request, "people/merge.html", frame(request, person, "entities") | context)


def moves(person: Person, entity: Entity, into: Entity) -> dict[str, Any]:
    """What a merge moves, and what both have already."""
    there = {_says(view.fact, into) for view in fact_views(person, pages.facts_naming(into))}
    every = fact_views(person, pages.facts_naming(entity))
    views = [view for view in every if into.pk not in {view.fact.subject_id, view.fact.object_id}]
    mentioned = set(into.mentions.values_list("message", flat=True))
    mentions = set(entity.mentions.values_list("message", flat=True))
    return {
        "facts": [view for view in views if _says(view.fact, entity) not in there],
        "same": [view for view in views if _says(view.fact, entity) in there],
        "between": [view for view in every if view not in views],
        "mentions": len(mentions - mentioned),
        "names": [entity.name, *(alias.text for alias in entity.aliases.all())],
    }


def _says(fact: Any, entity: Entity) -> tuple[Any, ...]:
    """A fact without this entity: two that say the same of two entities become one."""
    return (
        fact.character_id,
        fact.predicate,
        fact.state,
        None if fact.subject_id == entity.pk else (fact.subject_id, "subject"),
        None if fact.object_id == entity.pk else (fact.object_id, "object"),
    )
