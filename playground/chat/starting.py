"""Where a conversation starts: whom to talk to, as whom, and the first message. Works without JavaScript."""

from functools import partial
from typing import Any
from urllib.parse import urlencode

from asgiref.sync import sync_to_async
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from characters.conversations import services
from characters.conversations.models import Conversation
from characters.profiles.access import talkable, talkable_for
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import role_required
from kgadmin.rest.actions import Refused
from playground.chat import pages, whom
from playground.chat.answering import answer, go_to, greeting_of, key_of, refused, showable, text_of, user_of

RECENT = 12


@require_GET
@role_required("tester")
def index(request: HttpRequest) -> HttpResponse:
    """Whom to talk to, each with questions to click, as whom, and the conversations so far."""
    return _index_page(request, whom.choices(request, user_of(request)))


def _index_page(request: HttpRequest, chosen: whom.Whom) -> HttpResponse:
    context = {
        "characters": talkable_for(user_of(request)),
        "conversations": _own(user_of(request))[:RECENT],
        "whom": chosen,
        "key": pages.form_key(),
    }
    return render(request, "playground/index.html", context, status=400 if chosen.error else 200)


def _own(user: User) -> QuerySet[Conversation]:
    return Conversation.objects.filter(owner=user, client=None, outside_id="").select_related("character", "person")


@require_GET
@role_required("tester")
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """An empty conversation with one character."""
    return _new_page(request, talkable(user_of(request), slug))


def _new_page(
    request: HttpRequest, character: Character, *, chosen: whom.Whom | None = None, text: str = "", error: str = ""
) -> HttpResponse:
    chosen = chosen or whom.choices(request, user_of(request))
    context = {
        "character": character,
        "whom": chosen,
        "person": chosen.person,
        "sandbox": chosen.sandbox,
        "may_see": chosen.may_see,
        "turns": [],
        **_greetings(request, character, chosen),
        "key": pages.form_key(),
        "text": showable(text),
        "error": error,
    }
    return render(request, "playground/conversation.html", context, status=400 if error or chosen.error else 200)


def _greetings(request: HttpRequest, character: Character, chosen: whom.Whom) -> dict[str, Any]:
    """How the character begins, and how else it may."""
    texts = services.greetings(character, chosen.person)
    number = greeting_of(request)
    number = number if number < len(texts) else 0
    return {"greeting": texts[number] if texts else "", "greeting_number": number, "greetings": texts}


@require_POST
@role_required("tester")
def new_person(request: HttpRequest) -> HttpResponse:
    """Make a test person, and talk as them where the form stands: with a character, or before one is chosen."""
    slug = request.POST.get("with", "")
    character = talkable(user_of(request), slug) if slug else None
    name = request.POST.get("name", "")
    try:
        person = services.new_test_person(name=name, by=user_of(request))
    except Refused as error:
        chosen = whom.choices(request, user_of(request), typed=showable(name), error=str(error))
        return _new_page(request, character, chosen=chosen) if character else _index_page(request, chosen)
    address = reverse("playground:new", args=[slug]) if character else reverse("playground:index")
    return redirect(f"{address}?{urlencode({'as': person.pk})}")


@require_POST
@role_required("tester")
async def begin(request: HttpRequest, slug: str) -> HttpResponse:
    """Start a conversation with its first message, and answer it."""
    character = await sync_to_async(talkable)(user_of(request), slug)
    person = await sync_to_async(whom.talks_as)(request, user_of(request))
    text = text_of(request)
    start = partial(
        services.begin,
        character=character,
        by=user_of(request),
        person=person,
        text=text,
        key=key_of(request),
        greeting=greeting_of(request),
    )
    try:
        turn, is_new = await sync_to_async(start)()
    except Refused as error:
        return await sync_to_async(refused)(request, str(error), partial(_new_page, request, character, text=text))
    await answer(request, turn, is_new=is_new)
    return go_to(request, turn)
