"""Where a conversation starts: whom to talk to, as whom, and the first message. Works without JavaScript."""

from functools import partial
from urllib.parse import urlencode

from asgiref.sync import sync_to_async
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from characters.conversations import services
from characters.conversations.models import Conversation
from characters.profiles.access import talkable, talkable_for
from kgadmin.accounts.roles import PageRequest, role_required
from kgadmin.rest.actions import on_page
from playground.chat import pages, whom
from playground.chat.pages import go_to, greeting_of, key_of, started, text_of

RECENT = 12


@require_GET
@role_required("tester")
def index(request: PageRequest) -> HttpResponse:
    """Whom to talk to, each with questions to click, as whom, and the conversations so far."""
    mine = Conversation.objects.filter(owner=request.user, client=None, outside_id="")
    context = {
        "characters": talkable_for(request.user),
        "conversations": mine.select_related("character", "person")[:RECENT],
        "whom": whom.choices(request, request.user),
        "key": pages.form_key(),
    }
    return render(request, "playground/index.html", context)


@require_GET
@role_required("tester")
def new(request: PageRequest, slug: str) -> HttpResponse:
    """An empty conversation with one character."""
    character = talkable(request.user, slug)
    chosen = whom.choices(request, request.user)
    greetings = services.greetings(character, chosen.person)
    number = greeting_of(request)
    number = number if number < len(greetings) else 0
    context = {
        "character": character,
        "whom": chosen,
        "person": chosen.person,
        "sandbox": chosen.sandbox,
        "may_see": chosen.may_see,
        "turns": [],
        "greeting": greetings[number] if greetings else "",
        "greeting_number": number,
        "greetings": greetings,
        "key": pages.form_key(),
    }
    return render(request, "playground/conversation.html", context)


def _page_of_the_form(request: PageRequest) -> HttpResponse:
    slug = request.POST.get("with", "")
    return new(request, slug) if slug else index(request)


@require_POST
@role_required("tester")
@on_page(_page_of_the_form)
def new_person(request: PageRequest) -> HttpResponse:
    """Make a test person, and talk as them where the form stands: with a character, or before one is chosen."""
    slug = request.POST.get("with", "")
    if slug:
        talkable(request.user, slug)
    address = reverse("playground:new", args=[slug]) if slug else reverse("playground:index")
    person = services.new_test_person(name=request.POST.get("name", ""), by=request.user)
    return redirect(f"{address}?{urlencode({'as': person.pk})}")


@require_POST
@role_required("tester")
@on_page(new)
async def begin(request: PageRequest, slug: str) -> HttpResponse:
    """Start a conversation with its first message, and answer it."""
    character = await sync_to_async(talkable)(request.user, slug)
    person = await sync_to_async(whom.talks_as)(request, request.user)
    save = partial(
        services.begin,
        character=character,
        by=request.user,
        person=person,
        text=text_of(request),
        key=key_of(request),
        greeting=greeting_of(request),
    )
    return go_to(request, await started(save, wait=not request.htmx))
