"""The chat: start a conversation, say something, stop, try again. Every page works without JavaScript."""

import asyncio
import re
from functools import partial
from typing import Any, cast

from asgiref.sync import sync_to_async
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect, push_url

from characters.conversations import services
from characters.conversations.models import Conversation, Turn
from characters.conversations.services import MessageError
from characters.profiles.models import Character
from characters.talk import say as talk
from characters.turn.trace import STAGES
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import role_required
from playground.chat import pages
from playground.inspector.trace import trace_in

RECENT = 12
KEY = re.compile(r"[a-z0-9-]{1,64}")


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)


@require_GET
@role_required("tester")
def index(request: HttpRequest) -> HttpResponse:
    """Whom to talk to, each with questions to click, and the conversations so far."""
    context = {
        "characters": Character.objects.filter(live_revision__isnull=False).select_related("live_revision"),
        "conversations": _own(request)[:RECENT],
        "key": pages.form_key(),
    }
    return render(request, "playground/index.html", context)


def _own(request: HttpRequest) -> Any:
    return Conversation.objects.filter(owner=_user(request)).select_related("character", "person")


@require_GET
@role_required("tester")
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """An empty conversation with one character."""
    return _new_page(request, pages.character_for(slug))


def _new_page(request: HttpRequest, character: Character, *, text: str = "", error: str = "") -> HttpResponse:
    context = {
        "character": character,
        "person": services.person_of_tester(_user(request)),
        "turns": [],
        "key": pages.form_key(),
        "text": _showable(text),
        "error": error,
    }
    return render(request, "playground/conversation.html", context, status=400 if error else 200)


@require_POST
@role_required("tester")
async def begin(request: HttpRequest, slug: str) -> HttpResponse:
    """Start a conversation with its first message, and answer it."""
    character = await sync_to_async(pages.character_for)(slug)
    text = _text(request)
    try:
        turn, is_new = await sync_to_async(_begin)(_user(request), character, text, _key(request))
    except MessageError as error:
        return await sync_to_async(_refused)(request, str(error), partial(_new_page, request, character, text=text))
    await _answer(request, turn, is_new=is_new)
    return _go_to(request, turn)


def _begin(user: User, character: Character, text: str, key: str) -> tuple[Turn, bool]:
    services.check_message(text)
    begun = Turn.objects.filter(key=key, message__conversation__owner=user) if key else Turn.objects.none()
    if existing := begun.first():
        return existing, False
    try:
        with transaction.atomic():
            conversation = services.start_conversation(character=character, by=user, first=text)
            return services.start_turn(conversation=conversation, text=text, key=key)
    except MessageError:
        if existing := begun.first():  # the same form was sent twice at the same moment
            return existing, False
        raise


@require_GET
@role_required("tester")
def conversation(request: HttpRequest, pk: int) -> HttpResponse:
    """A conversation, with the trace of its newest turn."""
    found = pages.conversation_for(_user(request), pk)
    newest = Turn.objects.with_trace().filter(message__conversation=found).last()
    return _page(request, found, newest)


@require_GET
@role_required("tester")
def turn(request: HttpRequest, pk: int, stage: str = "") -> HttpResponse:
    """A conversation, with the trace of one turn, and perhaps one stage of it opened."""
    if stage and stage not in STAGES:
        raise Http404(f"A turn has no stage “{stage}”. Its stages are {', '.join(STAGES)}.")
    found = pages.turn_for(_user(request), pk)
    return _page(request, found.conversation, found, stage=stage)


def _page(
    request: HttpRequest,
    found: Conversation,
    current: Turn | None,
    *,
    stage: str = "",
    text: str = "",
    error: str = "",
) -> HttpResponse:
    turns = pages.items(found, current)
    context = {
        "conversation": found,
        "character": found.character,
        "person": found.person,
        "turns": turns,
        "item": next((item for item in turns if item.current), None),
        "trace": trace_in(turns, stage),
        "may_write": _may_write(request, found),
        "key": pages.form_key(),
        "text": _showable(text),
        "error": error,
    }
    return render(request, "playground/conversation.html", context, status=400 if error else 200)


@require_POST
@role_required("tester")
async def say(request: HttpRequest, pk: int) -> HttpResponse:
    """Say something in a conversation, and answer it."""
    found = await sync_to_async(pages.conversation_for)(_user(request), pk, to_write=True)
    text = _text(request)
    start = partial(services.start_turn, conversation=found, text=text, key=_key(request))
    try:
        started, is_new = await sync_to_async(start)()
    except MessageError as error:
        page = partial(_page, request, found, None, text=text)
        return await sync_to_async(_refused)(request, str(error), page)
    await _answer(request, started, is_new=is_new)
    if not request.htmx:  # type: ignore[attr-defined]
        return _go_to(request, started)
    return await sync_to_async(_said)(request, started)


def _text(request: HttpRequest) -> str:
    """What the form holds; browsers send line ends as CR LF."""
    return request.POST.get("message", "").replace("\r\n", "\n")


def _showable(text: str) -> str:
    """What of a refused message can stand on a page: halves of characters become question marks."""
    return text.encode(errors="replace").decode()


def _key(request: HttpRequest) -> str:
    """The form's key; what no form of ours holds counts as none."""
    key = request.POST.get("key", "")
    return key if KEY.fullmatch(key) else ""


def _refused(request: HttpRequest, error: str, page: Any) -> HttpResponse:
    """The sentence beside the composer; without JavaScript the whole page with it, the text kept."""
    if not request.htmx:  # type: ignore[attr-defined]
        return cast(HttpResponse, page(error=error))
    response = render(request, "playground/conversation.html#problem", {"error": error}, status=400)
    response["HX-Retarget"], response["HX-Reswap"] = "#problem", "outerHTML"
    return response


async def _answer(request: HttpRequest, started: Turn, *, is_new: bool) -> None:
    """Start the task that answers; without JavaScript nobody listens to it, so wait."""
    if is_new:
        task = talk.start(started.pk)
        if not request.htmx:  # type: ignore[attr-defined]
            await asyncio.shield(task)  # a reader that leaves ends the wait, and not the turn


def _go_to(request: HttpRequest, started: Turn) -> HttpResponse:
    address = reverse("playground:turn", args=[started.pk])
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)  # type: ignore[attr-defined]


def _said(request: HttpRequest, started: Turn) -> HttpResponse:
    """The new turn for the end of the list; it streams itself, and brings its trace when there is one."""
    context = _item(request, pages.turn_for(_user(request), started.pk)) | {"key": pages.form_key()}
    response = render(request, "playground/conversation.html#said", context)
    return push_url(response, reverse("playground:turn", args=[started.pk]))


def _item(request: HttpRequest, found: Turn) -> dict[str, Any]:
    """What the template of one turn needs."""
    return {
        "item": next(item for item in pages.items(found.conversation, found) if item.current),
        "character": found.conversation.character,
        "person": found.conversation.person,
        "may_write": _may_write(request, found.conversation),
    }


def _may_write(request: HttpRequest, found: Conversation) -> bool:
    return found.owner_id == _user(request).pk or _user(request).is_superuser


@require_GET
@role_required("tester")
def article(request: HttpRequest, pk: int) -> HttpResponse:
    """One turn of the chat as it is now: asked for when its stream has ended."""
    return render(request, "playground/conversation.html#turn", _item(request, pages.turn_for(_user(request), pk)))


@require_POST
@role_required("tester")
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask the process that answers to stop; what has arrived is kept."""
    found = pages.turn_for(_user(request), pk, to_write=True)
    found.ask_to_stop()
    return HttpResponse(status=204) if request.htmx else redirect("playground:turn", pk)  # type: ignore[attr-defined]


@require_POST
@role_required("tester")
async def again(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer the same message once more: a turn of its own."""
    found = await sync_to_async(pages.turn_for)(_user(request), pk, to_write=True)
    retried, is_new = await sync_to_async(services.try_again)(found)
    await _answer(request, retried, is_new=is_new)
    return _go_to(request, retried)
