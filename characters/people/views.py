"""Pages of people: what is remembered, and their conversations. Changes are in `actions`."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from characters.conversations import access
from characters.conversations.models import Conversation, Person
from characters.memory.facts import last_correction
from characters.people import pages, portable
from characters.people.facts import current_facts, fact_view, past_facts
from characters.people.forms import predicate_choices
from characters.people.pages import conversation_of, fact_of
from kgadmin.accounts.roles import PageRequest, has_role, role_required

AT_A_GLANCE = 8
"""Entities and conversations beside the facts; their own pages have all."""
MOST_CHOICES = 200
"""Entities in a list to choose from."""

PEOPLE_A_PAGE = 50
CONVERSATIONS_A_PAGE = 50
MESSAGES_A_PAGE = 100

readers = role_required("operator", "tester")


@require_safe
@readers
def index(request: PageRequest) -> HttpResponse:
    """The people that this user may see: `?q=`, `?kind=`, `?page=`."""
    people = pages.PeopleList(request.user, find=request.GET.get("q", ""), kind=request.GET.get("kind", ""))
    context = {
        "people": people,
        "page": Paginator(people.in_order, PEOPLE_A_PAGE).get_page(request.GET.get("page")),
        "may_make": has_role(request.user, "tester"),
    }
    return render(request, "people/people.html", context)


@require_safe
@readers
def person(request: PageRequest, pk: int) -> HttpResponse:
    """What one character (`?character=`) knows of a person, with an overview of the rest."""
    person = access.person_for(request.user, pk)
    named = list(pages.entities_of(person)[:MOST_CHOICES])
    context = facts_context(request, person) | {
        "entities": named[:AT_A_GLANCE],
        "subjects": named,
        "conversations": pages.conversations_of(person)[:AT_A_GLANCE],
        "predicates": predicate_choices(person.name),
        "may_trust": has_role(request.user, "operator"),
    }
    return render(request, "people/person.html", context)


@require_safe
@readers
def facts(request: PageRequest, pk: int) -> HttpResponse:
    """The part of a person's page that is polled while messages are read."""
    person = access.person_for(request.user, pk)
    if not request.htmx:
        return redirect("people:person", pk)
    return render(request, "people/person.html#facts", facts_context(request, person))


def facts_context(request: PageRequest, person: Person) -> dict[str, Any]:
    """Return the context of the page's facts."""
    character, known_to = pages.character_of(person, request.GET.get("character", ""))
    context = frame(request, person, "facts") | {
        "character": character,
        "known_to": known_to,
        "acquaintance": next((each for each in known_to if each.character == character), None),
        "reading": pages.Reading.of(person),
    }
    if character:
        context["page"], context["families"] = current_facts(person, character, request.GET.get("page"))
        context["past"] = past_facts(person, character)
    return context


def frame(request: PageRequest, person: Person, part: str) -> dict[str, Any]:
    """Return the context that all pages of a person share."""
    return {
        "person": person,
        "part": part,
        "slug": request.GET.get("character", ""),
        "may_write": access.may_write_person(request.user, person),
        "may_talk": has_role(request.user, "tester"),
        "entity_count": person.entities.count(),
        "conversation_count": person.conversations.count(),
    }


@require_safe
@readers
def fact(request: PageRequest, pk: int, fact_pk: int) -> HttpResponse:
    """One fact: where it was stated, correcting it, forgetting it."""
    person = access.person_for(request.user, pk)
    row = fact_of(person, fact_pk)
    who = row.subject.name if row.subject else person.name
    context = {
        "view": fact_view(row),
        "fact": row,
        "predicates": predicate_choices(who, row.predicate),
        "subjects": pages.entities_of(person).exclude(pk__in=[row.object_id, row.subject_id or 0])[:MOST_CHOICES],
        "correction": last_correction(row),
    }
    return render(request, "people/fact.html", frame(request, person, "facts") | context)


@require_safe
@readers
def export(request: PageRequest, pk: int) -> HttpResponse:
    """Everything stored about a person, as one file."""
    person = access.person_for(request.user, pk)
    answer = JsonResponse(portable.document(person), json_dumps_params={"indent": 1, "ensure_ascii": False})
    name = f"{slugify(person.name) or 'person'}-{person.pk}.json"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@require_safe
@readers
def forgotten(request: PageRequest, was: int) -> HttpResponse:
    """What is left to do after a person was forgotten."""
    return render(request, f"people/forgotten.html{'#state' if request.htmx else ''}", pages.left_to_forget(was))


@require_safe
@readers
def conversations(request: PageRequest, pk: int) -> HttpResponse:
    """All conversations with this person: `?page=`."""
    person = access.person_for(request.user, pk)
    page = Paginator(pages.conversations_of(person), CONVERSATIONS_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "people/conversations.html", frame(request, person, "conversations") | {"page": page})


@require_safe
@readers
def conversation(request: PageRequest, pk: int, conversation_pk: int) -> HttpResponse:
    """One conversation to read: `?page=`, or the page with the message of `?message=`."""
    person = access.person_for(request.user, pk)
    conversation = conversation_of(person, conversation_pk)
    rows = conversation.messages.defer("vector").order_by("pk")
    page = Paginator(rows, MESSAGES_A_PAGE).get_page(_message_page(request, conversation))
    context = {"conversation": conversation, "page": page, "marked": pages.number(request.GET.get("message", ""))}
    return render(request, "people/conversation.html", frame(request, person, "conversations") | context)


def _message_page(request: PageRequest, conversation: Conversation) -> str | int | None:
    marked = pages.number(request.GET.get("message", ""))
    if marked is None:
        return request.GET.get("page")
    return conversation.messages.filter(pk__lt=marked).count() // MESSAGES_A_PAGE + 1
