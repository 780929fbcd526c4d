"""What answers a request: a turn with the character, or the language model by itself."""

from dataclasses import dataclass
from http import HTTPStatus
from uuid import uuid4

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from characters.clients import services
from characters.clients.models import ClientRequest
from characters.clients.openai import chores
from characters.clients.openai.errors import RefusedError
from characters.clients.openai.reply import PlainReply, Reply, TurnReply, unavailable
from characters.clients.openai.request import Completion, Speaker, newest
from characters.clients.openai.talk import Talk
from characters.conversations import clients
from characters.conversations.clients import Sent
from characters.conversations.models import Turn
from characters.profiles.models import Character
from characters.talk import say
from characters.talk.say import in_thread
from kgadmin.accounts.models import ApiKey
from kgadmin.rest.actions import Refused
from kgadmin.stores import wiring
from kgadmin.stores.language_model import ChatMessage, ChatRequest, Grounding

Action = ClientRequest.Action
OF_PERSON = ("user_facts", "ambient", "memory")
"""Stages that a quiet prompt leaves out. It is filed under its person, so that it is forgotten with them."""
NO_MODEL = "No language model is connected that could write this: set LLM_BASE_URL. Titles and tags work without."


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: who asks, with which key, whose words they are."""

    request: HttpRequest
    key: ApiKey
    body: Completion
    speaker: Speaker


async def answer(asked: Asked) -> Reply:
    """Begin the reply to a request. Raises `RefusedError`."""
    if asked.body.model == settings.CONFIG.llm_listed_as:
        return await _plain(asked, Action.PLAIN)
    character = await in_thread(character_named, asked.body.model)
    called, is_streamed = character.name.split()[0], bool(asked.body.stream)
    talk = await in_thread(Talk.of, asked.body.lines, called, streamed=is_streamed)
    if talk.wants == "chore":
        return await _plain(asked, Action.CHORE)
    turn, headers = await in_thread(_begin, asked, character, talk)
    return TurnReply.of(turn, headers)


def _begin(asked: Asked, character: Character, talk: Talk) -> tuple[Turn, dict[str, str]]:
    body, speaker = asked.body, asked.speaker
    quiet = talk.wants == "quiet"
    client = {
        "history": newest(talk.history),
        "system": talk.system,
        "options": body.options,
        "prefill": talk.prefill,
        "passed_over": body.passed_over,
    }
    sent = Sent(
        client=asked.key.client,
        character=character,
        text=talk.text,
        history=talk.history,
        person=speaker.person,
        name=talk.name if not speaker.name else speaker.name,
        conversation="" if quiet else speaker.conversation,
        sends_all=speaker.sends_all,
        prefill=talk.prefill,
        remembered=body.store is not False and not quiet,
        asked={"client": client, "off": OF_PERSON if quiet else ()},
    )
    try:
        turn = clients.begin(sent)
    except Refused as error:
        raise RefusedError(error.status if error.status != 422 else 400, str(error), param="messages") from error
    why = "a quiet prompt" if quiet else "this request asked for it" if body.store is False else speaker.why_nobody
    services.log(
        asked.key.client,
        Action.QUIET if quiet else Action.CONTINUE if talk.prefill else _action(turn),
        model=character.slug,
        person=turn.conversation.person if speaker.person else None,
        turn=turn,
        passed_over=body.passed_over,
        note=why,
    )
    trace = asked.request.build_absolute_uri(reverse("playground:turn", args=[turn.pk]))
    return turn, {"X-Turn-Id": str(turn.pk), "X-Trace-Url": trace} | _headers(asked, why)


def _action(turn: Turn) -> ClientRequest.Action:
    if turn.variant_of is None:
        return Action.MESSAGE
    return Action.AGAIN if turn.variant_of.message_id == turn.message_id else Action.EDIT


async def _plain(asked: Asked, action: ClientRequest.Action) -> Reply:
    """Let the language model answer the messages as they are; nothing is stored but a line in the program's log."""
    body, why = asked.body, "the character is not asked"
    headers = _headers(asked, why)
    await in_thread(
        services.log,
        asked.key.client,
        action,
        model=body.model,
        person=await in_thread(services.known_person, asked.key.client, asked.speaker.person),
        passed_over=body.passed_over,
        note=why,
    )
    request = ChatRequest(
        tuple(ChatMessage(line.role, line.text) for line in body.lines),
        Grounding(speaker=""),
        **say.model_options(body.options),
    )
    number, now = uuid4().hex, int(timezone.now().timestamp())
    if wiring.language_model().judges:
        return PlainReply.of(number, now, request, headers)
    text = chores.offline(body.lines, body.options.get("response_format")) if action == Action.CHORE else None
    if text is None:
        raise unavailable(NO_MODEL)
    return PlainReply.written(number, now, request, headers, text)


def _headers(asked: Asked, why_nobody: str) -> dict[str, str]:
    headers = {"X-Memory": f"off; {why_nobody}" if why_nobody else "on"}
    names = ", ".join(name for name in asked.body.passed_over if name.isascii())
    return headers | ({"X-Passed-Over": names} if names else {})


def live_characters() -> QuerySet[Character]:
    """Return the characters that can be talked to."""
    talkable = Character.objects.filter(live_revision__isnull=False, archived_at=None)
    return talkable.select_related("live_revision").defer("live_revision__vectors").order_by("slug")


def character_named(slug: str) -> Character:
    """Return a character that can be talked to. Raises `RefusedError` if there is none."""
    character = live_characters().filter(slug=slug).first()
    if character is None:
        known = ", ".join(live_characters().values_list("slug", flat=True)) or "none yet"
        sentence = f"There is no character “{slug[:100]}” here. There are: {known}."
        raise RefusedError(HTTPStatus.NOT_FOUND, sentence, code="model_not_found", param="model")
    return character
