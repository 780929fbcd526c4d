"""`/v1`: characters as models."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_not_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt

from characters.conversations import clients
from characters.conversations.clients import Sent
from characters.conversations.models import Turn
from characters.profiles.models import Character
from characters.talk import say
from characters.talk.openai.errors import RefusedError
from characters.talk.openai.request import Completion, Talk, conversation_in, parsed, person_in
from characters.talk.openai.streaming import Answer
from characters.talk.progress import Progress
from characters.talk.say import in_thread
from kgadmin.accounts import keys
from kgadmin.accounts.keys import RefusedKeyError
from kgadmin.accounts.models import ApiKey
from kgadmin.accounts.roles import has_role
from kgadmin.rest.actions import Refused
from kgadmin.stores.errors import StoreError

P = ParamSpec("P")
RETRY_SECONDS = 5
Answering = Callable[Concatenate[HttpRequest, ApiKey, P], Coroutine[Any, Any, HttpResponseBase]]


def endpoint(
    method: str,
) -> Callable[[Answering[P]], Callable[Concatenate[HttpRequest, P], Coroutine[Any, Any, HttpResponseBase]]]:
    """Make a view for programs: authenticated by a key with the scope chat, with every error in OpenAI's shape."""

    def decorate(answer: Answering[P]) -> Callable[Concatenate[HttpRequest, P], Coroutine[Any, Any, HttpResponseBase]]:
        @csrf_exempt  # no cookie counts here
        @login_not_required
        @wraps(answer)
        async def view(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            try:
                if request.method != method:
                    sentence = f"This address accepts {method}, not {request.method}."
                    raise RefusedError(405, sentence, code="method_not_allowed", allow=method)
                return await answer(request, await in_thread(_key, request), *args, **kwargs)
            except RefusedError as error:
                return error.response()
            except StoreError as error:
                return RefusedError(503, error.message, code="engine_away", retry_after=RETRY_SECONDS).response()

        return view

    return decorate


def _key(request: HttpRequest) -> ApiKey:
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not text.strip():
        sentence = "Send an API key: “Authorization: Bearer kg-…”. Create one on your account's page."
        raise RefusedError(401, sentence, code="missing_api_key")
    try:
        key = keys.use(text.strip(), "chat")
    except RefusedKeyError as error:
        raise RefusedError(error.status, str(error), code=error.code, retry_after=error.retry_after) from error
    if not has_role(key.client.owner, "tester"):
        sentence = f"This key acts as {key.client.owner}, who isn't a tester. Ask an administrator."
        raise RefusedError(403, sentence, code="missing_role")
    return key


@csrf_exempt
@login_not_required
def nothing(request: HttpRequest, anything: str = "") -> HttpResponse:
    """404 for every other address, for any method, without a key."""
    sentence = f"There is nothing at {request.path[:200]}. Available are GET /v1/models and POST /v1/chat/completions."
    return RefusedError(404, sentence, code="unknown_url").response()


@endpoint("GET")
async def models(request: HttpRequest, key: ApiKey) -> HttpResponse:
    """The characters that can be talked to, as models."""
    listed = await in_thread(lambda: [_model(character) for character in _live()])
    return JsonResponse({"object": "list", "data": listed})


@endpoint("GET")
async def model(request: HttpRequest, key: ApiKey, slug: str) -> HttpResponse:
    """One character as a model; 404 if there is none to talk to."""
    return JsonResponse(_model(await in_thread(_character, slug)))


@endpoint("POST")
async def chat_completions(request: HttpRequest, key: ApiKey) -> HttpResponseBase:
    """Answer a message as the character, streaming or at once."""
    body = parsed(request)
    turn = await in_thread(_begin, request, key, body)
    progress = Progress()
    answer = Answer(turn, body.model, progress, say.start(turn.pk, progress))
    headers = await in_thread(_headers, request, turn)
    if not body.stream:
        return JsonResponse(await answer.completion(), headers=headers)
    await answer.begins()
    pieces = answer.pieces(include_usage=body.include_usage)
    return StreamingHttpResponse(pieces, content_type="text/event-stream", headers=headers | _UNBUFFERED)


_UNBUFFERED = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


def _begin(request: HttpRequest, key: ApiKey, body: Completion) -> Turn:
    character = _character(body.model)
    talk = Talk.of(body.messages)
    sent = Sent(
        client=key.client,
        character=character,
        text=talk.text,
        history=talk.history,
        person=person_in(request, body),
        name=talk.name,
        conversation=conversation_in(request, body),
        remembered=key.remembers and body.store is not False and not body.is_housekeeping,
        asked=talk.asked(body.options),
    )
    try:
        return clients.begin(sent)
    except Refused as error:
        raise RefusedError(400, str(error), param="messages") from error


def _headers(request: HttpRequest, turn: Turn) -> dict[str, str]:
    conversation = turn.conversation
    headers = {
        "X-Turn-Id": str(turn.pk),
        "X-Trace-Url": request.build_absolute_uri(reverse("playground:turn", args=[turn.pk])),
        "X-Memory": "on",
    }
    if conversation.sandbox:
        reason = "this request asked for it" if conversation.person.outside_id else "no user was sent"
        headers["X-Memory"] = f"off; {reason}"
    return headers


def _live() -> QuerySet[Character]:
    talkable = Character.objects.filter(live_revision__isnull=False, archived_at=None)
    return talkable.select_related("live_revision").defer("live_revision__vectors").order_by("slug")


def _character(slug: str) -> Character:
    character = _live().filter(slug=slug).first()
    if character is None:
        known = ", ".join(_live().values_list("slug", flat=True)) or "none yet"
        sentence = f"There is no character “{slug[:100]}” here. There are: {known}."
        raise RefusedError(404, sentence, code="model_not_found", param="model")
    return character


def _model(character: Character) -> dict[str, Any]:
    created = int(character.created_at.timestamp())
    return {"id": character.slug, "object": "model", "created": created, "owned_by": "kgadmin"}
