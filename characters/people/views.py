"""Reading what is remembered of people. What changes it is in `actions`."""

from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from characters.conversations import access
from characters.conversations.models import Person
from characters.people import pages, portable
from characters.people.facts import current_facts, past_facts, whole
from characters.people.forms import predicate_choices
from characters.people.pages import fact_of
from kgadmin.accounts.roles import PageRequest, has_role, role_required

AT_A_GLANCE = 8
"""Entities and conversations beside the facts; their own pages have all."""
MOST_CHOICES = 500
"""Entities in a list to choose from."""

readers = role_required("operator", "tester")


@require_safe
@readers
def index(request: PageRequest) -> HttpResponse:
    """The people that this user may see: `?q=`, `?kind=`, `?page=`."""
    people = pages.PeopleList(request.user, find=request.GET.get("q", ""), kind=request.GET.get("kind", ""))
    context = {
        "people": people,
        "page": people.page(request.GET.get("page")),
        "may_make": has_role(request.user, "tester"),
    }
    return render(request, "people/people.html", context)


@require_safe
@readers
def person(request: PageRequest, pk: int) -> HttpResponse:
    """What is known of one person: to one character (`?character=`), with what else there is of them."""
    found = access.person_for(request.user, pk)
    named = list(pages.entities_of(found)[:MOST_CHOICES])
    context = facts_context(request, found) | {
        "entities": named[:AT_A_GLANCE],
        "subjects": named,
        "conversations": pages.conversations_of(found)[:AT_A_GLANCE],
        "predicates": predicate_choices(found.name),
        "may_trust": has_role(request.user, "operator"),
    }
    return render(request, "people/person.html", context)


@require_safe
@readers
def facts(request: PageRequest, pk: int) -> HttpResponse:
    """The part of a person's page that is asked for again while messages are read."""
    found = access.person_for(request.user, pk)
    if not request.htmx:
        return redirect("people:person", pk)
    return render(request, "people/person.html#facts", facts_context(request, found))


def facts_context(request: PageRequest, found: Person) -> dict[str, Any]:
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


def frame(request: PageRequest, found: Person, part: str) -> dict[str, Any]:
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
def fact(request: PageRequest, pk: int, fact_pk: int) -> HttpResponse:
    """One fact: where it was said, what it should say, forgetting it."""
    found = access.person_for(request.user, pk)
    row = fact_of(found, fact_pk)
    who = row.subject.name if row.subject else found.name
    context = {"view": whole(row), "fact": row, "predicates": predicate_choices(who, row.predicate)}
    return render(request, "people/fact.html", frame(request, found, "facts") | context)


@require_safe
@readers
def export(request: PageRequest, pk: int) -> HttpResponse:
    """Everything that is kept of a person, as one file."""
    found = access.person_for(request.user, pk)
    answer = JsonResponse(portable.document(found), json_dumps_params={"indent": 1, "ensure_ascii": False})
    name = f"{slugify(found.name) or 'person'}-{found.pk}.json"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@require_safe
@readers
def forgotten(request: PageRequest, was: int) -> HttpResponse:
    """What is left to do after a person was forgotten."""
    return render(request, f"people/forgotten.html{'#state' if request.htmx else ''}", pages.left_to_forget(was))
