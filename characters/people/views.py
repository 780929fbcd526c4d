"""Reading what is remembered of people. What changes it is in `actions`."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from characters.conversations import access
from characters.conversations.models import Person
from characters.memory.models import UserFact
from characters.people import pages, portable
from characters.people.facts import ALL_QUOTES, current_facts, fact_views, past_facts
from characters.people.forms import CorrectionForm, FactForm
from characters.people.pages import fact_of
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import has_role, role_required
from kgadmin.projection.models import Change

AT_A_GLANCE = 8
"""Entities and conversations beside the facts; their own pages have all."""
MOST_CHOICES = 500
"""Entities in a list to choose from."""

readers = role_required("operator", "tester")


class PeopleRequest(HttpRequest):
    """A request of somebody who is signed in, through django-htmx's middleware."""

    htmx: HtmxDetails
    user: User


@require_safe
@readers
def index(request: PeopleRequest) -> HttpResponse:
    """The people that this user may see: `?q=`, `?kind=`, `?page=`."""
    return render(request, "people/people.html", index_context(request))


def index_context(request: PeopleRequest, **more: Any) -> dict[str, Any]:
    """What the list of people shows."""
    people = pages.PeopleList(request.user, find=request.GET.get("q", ""), kind=request.GET.get("kind", ""))
    context = {
        "people": people,
        "page": people.page(request.GET.get("page")),
        "may_make": has_role(request.user, "tester"),
    }
    return context | more


@require_safe
@readers
def person(request: PeopleRequest, pk: int) -> HttpResponse:
    """What is known of one person: to one character (`?character=`), with what else there is of them."""
    found = access.person_for(request.user, pk)
    return render(request, "people/person.html", person_context(request, found))


@require_safe
@readers
def facts(request: PeopleRequest, pk: int) -> HttpResponse:
    """The part of a person's page that is asked for again while messages are read."""
    found = access.person_for(request.user, pk)
    if not request.htmx:
        return redirect("people:person", pk)
    return render(request, "people/person.html#facts", facts_context(request, found))


def person_context(request: PeopleRequest, found: Person, **more: Any) -> dict[str, Any]:
    """What a person's page shows."""
    context = facts_context(request, found)
    named = list(pages.entities_of(found)[:MOST_CHOICES])
    context |= {
        "entities": named[:AT_A_GLANCE],
        "conversations": pages.conversations_of(found)[:AT_A_GLANCE],
        "form": FactForm(person=found, entities=named),
        "may_trust": has_role(request.user, "operator"),
    }
    return context | more


def facts_context(request: PeopleRequest, found: Person) -> dict[str, Any]:
    """What the facts' part of the page shows."""
    character, known_to = pages.character_of(found, request.GET.get("character", ""))
    context = frame(request, found, "facts") | {
        "character": character,
        "known_to": known_to,
        "acquaintance": next((each for each in known_to if each.character == character), None),
        "reading": pages.Reading.of(found),
    }
    if character:
        context["page"], context["families"] = current_facts(found, character, request.GET.get("page"))
        context["past"] = past_facts(found, character)
    return context


def frame(request: PeopleRequest, found: Person, part: str) -> dict[str, Any]:
    """What all pages of a person have in common."""
    return {
        "person": found,
        "part": part,
        "slug": request.GET.get("character", ""),
        "may_write": access.may_write_person(request.user, found),
        "may_talk": has_role(request.user, "tester"),
        "entity_count": found.entities.count(),
        "conversation_count": found.conversations.count(),
    }


@require_safe
@readers
def fact(request: PeopleRequest, pk: int, fact_pk: int) -> HttpResponse:
    """One fact: where it was said, what it should say, forgetting it."""
    found = access.person_for(request.user, pk)
    return render(request, "people/fact.html", fact_context(request, found, fact_of(found, fact_pk)))


def fact_context(request: PeopleRequest, found: Person, row: UserFact, **more: Any) -> dict[str, Any]:
    """What a fact's page shows."""
    (view,) = fact_views(found, found.facts.filter(pk=row.pk), quotes=ALL_QUOTES)
    return frame(request, found, "facts") | {"view": view, "fact": row, "form": CorrectionForm(fact=row)} | more


@require_safe
@readers
def export(request: PeopleRequest, pk: int) -> HttpResponse:
    """Everything that is kept of a person, as one file."""
    found = access.person_for(request.user, pk)
    answer = JsonResponse(portable.document(found), json_dumps_params={"indent": 1, "ensure_ascii": False})
    name = f"{slugify(found.name) or 'person'}-{found.pk}.json"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@require_safe
@readers
def forgotten(request: PeopleRequest, was: int) -> HttpResponse:
    """What is left to do after a person was forgotten."""
    if Person.objects.filter(pk=was).exists():
        raise Http404("This person hasn't been forgotten.")
    context = {"was": was, "waits": Change.objects.waits(f"person:{was}")}
    return render(request, f"people/forgotten.html{'#state' if request.htmx else ''}", context)
