"""What every form that says something has in common: reading it, refusing it, answering it."""

import asyncio
import re
from collections.abc import Callable
from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from characters.conversations.models import Turn
from characters.talk import say as talk
from kgadmin.accounts.models import User

KEY = re.compile(r"[a-z0-9-]{1,64}")


def user_of(request: HttpRequest) -> User:
    """Who is signed in; every view of the playground asks for a role first."""
    return cast(User, request.user)


def text_of(request: HttpRequest) -> str:
    """What the form holds; browsers send line ends as CR LF."""
    return request.POST.get("message", "").replace("\r\n", "\n")


def key_of(request: HttpRequest) -> str:
    """The form's key; what no form of ours holds counts as none."""
    key = request.POST.get("key", "")
    return key if KEY.fullmatch(key) else ""


def greeting_of(request: HttpRequest) -> int:
    """Which of the character's greetings was chosen: the first, where none was."""
    number = request.POST.get("greeting", request.GET.get("greeting", ""))
    return int(number) if number.isdecimal() and len(number) < 4 else 0


def showable(text: str) -> str:
    """What of a refused text can stand on a page: halves of characters become question marks."""
    return text.encode(errors="replace").decode()


def refused(request: HttpRequest, error: str, page: Callable[..., HttpResponse]) -> HttpResponse:
    """The sentence beside the composer; without JavaScript the whole page with it, the text kept."""
    if not request.htmx:  # type: ignore[attr-defined]
        return page(error=error)
    response = render(request, "playground/conversation.html#problem", {"error": error}, status=400)
    response["HX-Retarget"], response["HX-Reswap"] = "#problem", "outerHTML"
    return response


async def answer(request: HttpRequest, started: Turn, *, is_new: bool) -> None:
    """Start the task that answers; without JavaScript nobody listens to it, so wait."""
    if is_new:
        task = talk.start(started.pk)
        if not request.htmx:  # type: ignore[attr-defined]
            await asyncio.shield(task)  # a reader that leaves ends the wait, and not the turn


def go_to(request: HttpRequest, started: Turn) -> HttpResponse:
    """On to the turn's page."""
    address = reverse("playground:turn", args=[started.pk])
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)  # type: ignore[attr-defined]
