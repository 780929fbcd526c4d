"""What the chat's pages show, the turns of a branch, and what every form that sends a message has in common."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from uuid import uuid4

from asgiref.sync import sync_to_async
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from characters.conversations.models import Conversation, Turn
from characters.talk import say as talk
from kgadmin.accounts.roles import PageRequest
from playground.chat.learned import NOTHING, Learned, learned_in

KEY = re.compile(r"[a-z0-9-]{1,64}")
SOURCES = frozenset(
    "identity persona examples lore client background primary supplemental memory connections history".split()
)
"""Sections of a prompt whose hue a turn's footer shows."""


@dataclass(frozen=True, slots=True)
class TurnItem:
    """A turn in the chat."""

    number: int
    turn: Turn
    tries: int
    current: bool = False
    last: bool = False
    learned: Learned = NOTHING

    @property
    def sources(self) -> list[str]:
        """What went into the prompt, in its order, each once."""
        sections = self.turn.prompt.get("sections", [])
        return list(dict.fromkeys(each["name"] for each in sections if each["name"] in SOURCES))

    @property
    def failed_stages(self) -> int:
        """How many of its stages failed."""
        return sum(stage.status == "failed" for stage in self.turn.stages.all())


def items(conversation: Conversation, current: Turn | None = None) -> list[TurnItem]:
    """The turns of the newest branch; per message its newest turn, or `current`, the one whose trace is shown."""
    turns = Turn.objects.for_list().filter(message__conversation=conversation)
    by_message: dict[int, list[Turn]] = {}
    for turn in turns:
        by_message.setdefault(turn.message_id, []).append(turn)
    path = [message for message in conversation.path() if message.pk in by_message]
    learned = learned_in(conversation, path)
    listed: list[TurnItem] = []
    for number, message in enumerate(path, 1):
        tries = by_message[message.pk]
        turn = current if current and current.message_id == message.pk else tries[-1]
        is_last = number == len(path)
        listed.append(TurnItem(number, turn, len(tries), turn is current, is_last, learned.get(message.pk, NOTHING)))
    return listed


def form_key() -> str:
    """A key that makes sending the same form twice one turn."""
    return uuid4().hex


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
