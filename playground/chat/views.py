"""Pages of a conversation: its turns, sending a message, stop, retry, and a turn's events, which tail its saved row."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

from asgiref.sync import sync_to_async
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import push_url

from characters.conversations import access, services
from characters.conversations.models import Conversation, Turn
from characters.profiles.access import may_edit
from characters.talk.say import in_thread
from characters.turn.trace import STAGES
from kgadmin.accounts.roles import PageRequest, has_role, role_required
from kgadmin.markdown import as_html
from kgadmin.rest.actions import on_page
from playground.chat import pages
from playground.chat.pages import go_to, key_of, started, text_of
from playground.inspector.evidence import statements_of
from playground.inspector.trace import trace_in

TAIL_SECONDS = 0.1


@require_GET
@role_required("tester")
def conversation(request: PageRequest, pk: int) -> HttpResponse:
    """A conversation, with the trace of its newest turn. An imported one has no turns: its person's pages show it."""
    row = access.conversation_for(request.user, pk)
    if row.is_imported:
        return redirect("people:conversation", row.person_id, row.pk)
    newest = Turn.objects.with_trace().filter(message__conversation=row).last()
    return _page(request, row, newest)


@require_GET
@role_required("tester")
def turn(request: PageRequest, pk: int, stage: str = "") -> HttpResponse:
    """A conversation, with the trace of one turn, and optionally one open stage."""
    if stage and stage not in STAGES:
        raise Http404(f"A turn has no stage “{stage}”. Its stages are {', '.join(STAGES)}.")
    row = access.turn_for(request.user, pk)
    return _page(request, row.conversation, row, stage)


def _page(request: PageRequest, conversation: Conversation, current: Turn | None, stage: str = "") -> HttpResponse:
    turns = pages.items(conversation, current)
    context = _context(request, conversation) | {
        "conversation": conversation,
        "turns": turns,
        "greeting": conversation.greeting,
        "trace": trace_in(turns, stage),
        "key": pages.form_key(),
    }
    return render(request, "playground/conversation.html", context)


def _context(request: PageRequest, conversation: Conversation) -> dict[str, Any]:
    """Return the context: who talks in a conversation, and what the viewer may do there."""
    return {
        "character": conversation.character,
        "person": conversation.person,
        "sandbox": conversation.sandbox,
        "may_see": access.may_read_person(request.user, conversation.person),
        "may_write": access.may_write_in(request.user, conversation),
        "may_edit": may_edit(request.user, conversation.character),
        "may_review": has_role(request.user, "operator"),
    }


@require_POST
@role_required("tester")
@on_page(conversation)
async def say(request: PageRequest, pk: int) -> HttpResponse:
    """Save a message in a conversation, and answer it."""
    row = await sync_to_async(access.conversation_for)(request.user, pk, to_write=True)
    save = partial(services.start_turn, conversation=row, text=text_of(request), key=key_of(request))
    turn = await started(save, wait=not request.htmx)
    return await sync_to_async(_new_turn)(request, turn) if request.htmx else go_to(request, turn)


def _new_turn(request: PageRequest, new: Turn) -> HttpResponse:
    """Return the new turn for the end of the list; it streams itself, and loads its trace once there is one."""
    context = _item(request, access.turn_for(request.user, new.pk)) | {"key": pages.form_key()}
    response = render(request, "playground/conversation.html#new_turn", context)
    return push_url(response, reverse("playground:turn", args=[new.pk]))


def _item(request: PageRequest, turn: Turn) -> dict[str, Any]:
    turns = pages.items(turn.conversation, turn)
    return _context(request, turn.conversation) | {"item": next(item for item in turns if item.current)}


@require_GET
@role_required("tester")
def article(request: PageRequest, pk: int) -> HttpResponse:
    """One turn of the chat as it is now, loaded when its stream has ended."""
    return render(request, "playground/conversation.html#turn", _item(request, access.turn_for(request.user, pk)))


@require_GET
@role_required("tester")
def learned(request: PageRequest, pk: int) -> HttpResponse:
    """What was learned from a turn; 204 for a page that polls while its message is still being read."""
    context = _item(request, access.turn_for(request.user, pk))
    if request.htmx and context["item"].learned.waits:
        return HttpResponse(status=204)
    return render(request, "playground/_learned.html", context)


@require_GET
@role_required("tester")
def trace(request: PageRequest, pk: int) -> HttpResponse:
    """The trace of a turn, beside the chat."""
    return _trace(request, pk, "playground/_trace.html")


@require_GET
@role_required("tester")
def ending(request: PageRequest, pk: int) -> HttpResponse:
    """The reply's stage, polled for by a trace that was shown before the reply had ended."""
    return _trace(request, pk, "playground/_ending.html")


def _trace(request: PageRequest, pk: int, template: str) -> HttpResponse:
    turn = access.turn_for(request.user, pk)
    shown = trace_in(pages.items(turn.conversation, turn))
    return render(request, template, _context(request, turn.conversation) | {"trace": shown})


@require_GET
@role_required("tester")
def stated(request: PageRequest, pk: int) -> HttpResponse:
    """What the character said about themself; 204 for a trace that polls while the reply is being read."""
    turn = access.turn_for(request.user, pk)
    statements = statements_of(turn)
    if request.htmx and (statements is None or statements.unexamined):
        return HttpResponse(status=204)
    context = _context(request, turn.conversation) | {"turn": turn, "statements": statements}
    return render(request, "playground/_examined.html", context)


@require_POST
@role_required("tester")
def stop(request: PageRequest, pk: int) -> HttpResponse:
    """Ask the process that answers to stop; what has arrived is kept."""
    access.turn_for(request.user, pk, to_write=True).ask_to_stop()
    return HttpResponse(status=204) if request.htmx else redirect("playground:turn", pk)


@require_POST
@role_required("tester")
@on_page(turn)
async def again(request: PageRequest, pk: int) -> HttpResponse:
    """Answer the same message once more: a turn of its own."""
    tried = await sync_to_async(access.turn_for)(request.user, pk, to_write=True)
    return go_to(request, await started(partial(services.try_again, tried), wait=not request.htmx))


@require_GET
@role_required("tester")
async def events(request: PageRequest, pk: int) -> StreamingHttpResponse:
    """Server-sent events: `assembled` once, `reply` with the text so far, `end`."""
    turn = await sync_to_async(access.turn_for)(request.user, pk)
    response = StreamingHttpResponse(_tail(turn), content_type="text/event-stream")
    response["Cache-Control"] = "no-cache"
    response["X-Accel-Buffering"] = "no"
    return response


async def _tail(turn: Turn) -> AsyncIterator[str]:
    is_assembled, shown = False, ""
    while True:
        await in_thread(turn.refresh_from_db, fields=["state", "text", "heartbeat_at", "assembled_ms"])
        if not is_assembled and turn.assembled_ms is not None:
            is_assembled = True
            yield _event("assembled", "")
        if turn.text != shown:
            shown = turn.text
            yield _event("reply", as_html(shown))
        if not turn.is_running:
            yield _event("end", turn.status)
            return
        await asyncio.sleep(TAIL_SECONDS)


def _event(name: str, data: str) -> str:
    lines = "\n".join(f"data: {line}" for line in data.split("\n"))
    return f"event: {name}\n{lines}\n\n"
