"""What every form that sends a message has in common: reading it, answering it."""

import asyncio
import re
from collections.abc import Callable

from asgiref.sync import sync_to_async
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from characters.conversations.models import Turn
from characters.talk import say as talk
from kgadmin.accounts.roles import PageRequest

KEY = re.compile(r"[a-z0-9-]{1,64}")


def text_of(request: PageRequest) -> str:
    """What the form holds; browsers send line ends as CR LF."""
    return request.POST.get("message", "").replace("\r\n", "\n")


def key_of(request: PageRequest) -> str:
    """The form's key; what no form of ours holds counts as none."""
    key = request.POST.get("key", "")
    return key if KEY.fullmatch(key) else ""


def greeting_of(request: PageRequest) -> int:
    """Which of the character's greetings was chosen: the first, where none was."""
    number = request.POST.get("greeting", request.GET.get("greeting", ""))
    return int(number) if number.isdecimal() and len(number) < 4 else 0


async def started(save: Callable[[], tuple[Turn, bool]], *, wait: bool) -> Turn:
    """The turn that `save` gives; if it is new, the task that answers it is started, and waited for if told so."""
    turn, is_new = await sync_to_async(save)()
    if is_new:
        task = talk.start(turn.pk)
        if wait:
            await asyncio.shield(task)  # a reader that leaves ends the wait, and not the turn
    return turn


def go_to(request: PageRequest, turn: Turn) -> HttpResponse:
    """On to the turn's page."""
    address = reverse("playground:turn", args=[turn.pk])
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
