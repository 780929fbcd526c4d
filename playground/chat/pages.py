"""Parts of the chat's pages: the turns of a branch, what each taught, and the form that sends a message."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from uuid import uuid4

from asgiref.sync import sync_to_async
from django.db.models import Min
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from characters.conversations.models import Conversation, Message, Turn
from characters.memory.models import Evidence, UserFact
from characters.people.facts import sentence_of
from characters.talk import say as talk
from kgadmin.accounts.roles import PageRequest
from kgadmin.jobs.models import Job

KEY = re.compile(r"[a-z0-9-]{1,64}")
SOURCES = frozenset(
    "identity persona examples lore client background primary supplemental memory connections history".split()
)
"""Sections of a prompt whose hue a turn's footer shows."""


@dataclass(frozen=True, slots=True)
class Learned:
    """Sentences about the person that a message stated first, and those it ended."""

    new: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    waits: bool = False
    """Whether the message is remembered, and not read yet."""
    problem: str = ""

    def __bool__(self) -> bool:
        return bool(self.new or self.ended or self.waits or self.problem)


NOTHING = Learned()


def learned_in(conversation: Conversation, messages: Iterable[Message]) -> dict[int, Learned]:
    """Return what was learned, by message of the person; nothing of a sandbox."""
    by_key = {message.pk: message for message in messages if message.place is not None}
    if conversation.sandbox or not by_key:
        return {}
    new, ended = _new(conversation, by_key), _ended(conversation, by_key)
    sentences = _sentences(conversation, [fact for facts in (*new.values(), *ended.values()) for fact in facts])
    problem = _problem(conversation) if any(message.is_unread for message in by_key.values()) else ""
    return {
        key: Learned(
            new=tuple(sentences[fact.pk] for fact in new[key] if fact.pk in sentences),
            ended=tuple(sentences[fact.pk] for fact in ended[key] if fact.pk in sentences),
            waits=message.is_unread and not problem,
            problem=problem if message.is_unread else "",
        )
        for key, message in by_key.items()
    }


def _new(conversation: Conversation, messages: Collection[int]) -> defaultdict[int, list[UserFact]]:
    rows = Evidence.objects.filter(fact__person=conversation.person, fact__character=conversation.character)
    dated = rows.filter(message__in=messages).annotate(first=Min("fact__evidence__message"))
    facts: defaultdict[int, list[UserFact]] = defaultdict(list)
    for row in dated.select_related("fact__subject", "fact__object").order_by("start", "pk"):
        if row.first == row.message_id:
            facts[row.message_id].append(row.fact)
    return facts


def _ended(conversation: Conversation, messages: Mapping[int, Message]) -> defaultdict[int, list[UserFact]]:
    at = {message.at: key for key, message in messages.items()}
    rows = UserFact.objects.of(conversation.person_id, conversation.character_id).filter(closed_at__in=at)
    facts: defaultdict[int, list[UserFact]] = defaultdict(list)
    for fact in rows.select_related("subject", "object"):
        if fact.closed_at:
            facts[at[fact.closed_at]].append(fact)
    return facts


def _sentences(conversation: Conversation, facts: Iterable[UserFact]) -> dict[int, str]:
    """Return the facts in words, by their keys. A pet's kind is in the sentence that names it."""
    facts = list(facts)
    pets = {fact.object_id for fact in facts if fact.predicate == "HAS_PET"}
    kinds = UserFact.objects.of(conversation.person_id, conversation.character_id).filter(
        subject__in=pets, predicate="IS_A"
    )
    species = dict(kinds.values_list("subject_id", "text"))
    return {
        fact.pk: sentence_of(conversation.person, fact, species.get(fact.object_id, ""))
        for fact in facts
        if fact.predicate != "IS_A" or fact.subject_id not in pets
    }


def _problem(conversation: Conversation) -> str:
    """Return why the person's messages aren't being read: the error of their last job, if it failed."""
    jobs = Job.objects.filter(kind="remember", subject=conversation.person.graph_id)
    last = jobs.order_by("-pk").first()
    return last.error if last and last.state == Job.State.FAILED else ""


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
        """Return what went into the prompt, in its order, each once."""
        sections = self.turn.prompt.get("sections", [])
        return list(dict.fromkeys(each["name"] for each in sections if each["name"] in SOURCES))

    @property
    def failed_stages(self) -> int:
        """Return how many of its stages failed."""
        return sum(stage.status == "failed" for stage in self.turn.stages.all())


def items(conversation: Conversation, current: Turn | None = None) -> list[TurnItem]:
    """Return the turns of the newest branch; per message its newest turn, or `current`, the one whose trace is
    shown.
    """
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
    """Return a key that makes sending the same form twice one turn."""
    return uuid4().hex


def text_of(request: PageRequest) -> str:
    """Return the form's text; browsers send line ends as CR LF."""
    return request.POST.get("message", "").replace("\r\n", "\n")


def key_of(request: PageRequest) -> str:
    """Return the form's key; an invalid one counts as none."""
    key = request.POST.get("key", "")
    return key if KEY.fullmatch(key) else ""


def greeting_of(request: PageRequest) -> int:
    """Return the chosen greeting of the character, else the first."""
    number = request.POST.get("greeting", request.GET.get("greeting", ""))
    return int(number) if number.isdecimal() and len(number) < 4 else 0


async def started(save: Callable[[], tuple[Turn, bool]], *, wait: bool) -> Turn:
    """Start the turn that `save` returns, if it is new, and wait for it if asked to."""
    turn, is_new = await sync_to_async(save)()
    if is_new:
        task = talk.start(turn.pk)
        if wait:
            await asyncio.shield(task)  # a reader that leaves ends the wait, and not the turn
    return turn


def go_to(request: PageRequest, turn: Turn) -> HttpResponse:
    """Redirect to the turn's page."""
    address = reverse("playground:turn", args=[turn.pk])
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
