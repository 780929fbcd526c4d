"""Reading conversations with a person, remembered, imported or in a sandbox."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from characters.conversations import access
from characters.conversations.models import Conversation
from characters.people import pages
from characters.people.pages import conversation_of
from characters.people.views import frame, readers
from kgadmin.accounts.roles import PageRequest

CONVERSATIONS_A_PAGE = 50
MESSAGES_A_PAGE = 100


@require_safe
@readers
def conversations(request: PageRequest, pk: int) -> HttpResponse:
    """All conversations with this person: `?page=`."""
    found = access.person_for(request.user, pk)
    page = Paginator(pages.conversations_of(found), CONVERSATIONS_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "people/conversations.html", frame(request, found, "conversations") | {"page": page})


@require_safe
@readers
def conversation(request: PageRequest, pk: int, conversation_pk: int) -> HttpResponse:
    """One conversation to read: `?page=`, or the page that has the message of `?message=`."""
    found = access.person_for(request.user, pk)
    shown = conversation_of(found, conversation_pk)
    rows = shown.messages.defer("vector").order_by("pk")
    page = Paginator(rows, MESSAGES_A_PAGE).get_page(_message_page(request, shown))
    context = {"conversation": shown, "page": page, "marked": pages.number(request.GET.get("message", ""))}
    return render(request, "people/conversation.html", frame(request, found, "conversations") | context)


def _message_page(request: PageRequest, shown: Conversation) -> str | int | None:
    marked = pages.number(request.GET.get("message", ""))
    if marked is None:
        return request.GET.get("page")
    return shown.messages.filter(pk__lt=marked).count() // MESSAGES_A_PAGE + 1
