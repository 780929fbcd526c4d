"""`/v1`: characters as models."""

from collections.abc import AsyncIterator, Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from characters.clients import services
from characters.clients.models import ClientRequest
from characters.clients.openai import completions, responses
from characters.clients.openai.answers import Asked, answer, character_named, live_characters
from characters.clients.openai.errors import RefusedError
from characters.clients.openai.reply import Reply
from characters.clients.openai.request import Completion, json_of, speaker_of, validated
from characters.clients.openai.responses import ResponseRequest
from characters.profiles.models import Character
from characters.talk.say import in_thread
from kgadmin.accounts import keys
from kgadmin.accounts.keys import RefusedKeyError
from kgadmin.accounts.models import ApiKey
from kgadmin.accounts.roles import has_role
from kgadmin.stores.errors import StoreError

P = ParamSpec("P")
RETRY_SECONDS = 5
Answering = Callable[Concatenate[HttpRequest, ApiKey, P], Coroutine[Any, Any, HttpResponseBase]]


def endpoint(
    method: str,
) -> Callable[[Answering[P]], Callable[Concatenate[HttpRequest, P], Coroutine[Any, Any, HttpResponseBase]]]:
    """Make a view for programs: authenticated by a key with the scope chat, with every error in OpenAI's shape."""

    def decorate(view: Answering[P]) -> Callable[Concatenate[HttpRequest, P], Coroutine[Any, Any, HttpResponseBase]]:
        @csrf_exempt  # no cookie counts here
        @login_not_required
        @wraps(view)
        async def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            try:
                if request.method != method:
                    sentence = f"This address accepts {method}, not {request.method}."
                    raise RefusedError(405, sentence, code="method_not_allowed", allow=method)
                key = await in_thread(_key, request)
                try:
                    return await view(request, key, *args, **kwargs)
                except RefusedError as error:
                    note = error.message
                    await in_thread(services.log, key.client, ClientRequest.Action.REFUSED, note=note)
                    raise
            except RefusedError as error:
                return error.response()
            except StoreError as error:
                return RefusedError(503, error.message, code="engine_away", retry_after=RETRY_SECONDS).response()

        return guarded

    return decorate


def _key(request: HttpRequest) -> ApiKey:
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not text.strip():
        sentence = "Send an API key: “Authorization: Bearer kg-…”. Create one on the page Clients."
        raise RefusedError(401, sentence, code="missing_api_key")
    try:
        key = keys.use(text.strip(), "chat")
    except RefusedKeyError as error:
        raise RefusedError(error.status, str(error), code=error.code, retry_after=error.retry_after) from error
    if not has_role(key.client.owner, "tester"):
        sentence = f"This key acts as {key.client.owner}, who isn't a tester. Ask an administrator."
        raise RefusedError(403, sentence, code="missing_role")
    return key


@endpoint("GET")
async def models(request: HttpRequest, key: ApiKey) -> HttpResponse:
    """The characters that can be talked to, as models, and the language model itself, if it is listed."""
    await in_thread(services.log, key.client, ClientRequest.Action.MODELS)
    listed = await in_thread(lambda: [_model(character) for character in live_characters()])
    if name := settings.CONFIG.llm_listed_as:
        listed.append(_entry(name, int(timezone.now().timestamp())))
    return JsonResponse({"object": "list", "data": listed})


@endpoint("GET")
async def model(request: HttpRequest, key: ApiKey, slug: str) -> HttpResponse:
    """One character as a model; 404 if there is none to talk to."""
    return JsonResponse(_model(await in_thread(character_named, slug)))


@endpoint("POST")
async def chat_completions(request: HttpRequest, key: ApiKey) -> HttpResponseBase:
    """Answer the newest message, streaming or at once."""
    body = await in_thread(lambda: validated(Completion, json_of(request)))
    reply = await answer(Asked(request, key, body, speaker_of(request, key, body)))
    if body.stream:
        return await _streamed(reply, completions.events(reply, body.model, include_usage=body.include_usage))
    return JsonResponse(await completions.full(reply, body.model), headers=reply.headers)


@endpoint("POST")
async def create_response(request: HttpRequest, key: ApiKey) -> HttpResponseBase:
    """Answer the newest message in the form of the Responses API."""
    asked = await in_thread(lambda: validated(ResponseRequest, json_of(request)))
    person = speaker_of(request, key, asked.as_completion([])).person
    body = asked.as_completion(await in_thread(responses.lines_before, key, asked.previous_response_id, person))
    reply = await answer(Asked(request, key, body, speaker_of(request, key, body)))
    if asked.stream:
        return await _streamed(reply, responses.events(reply, asked))
    return JsonResponse(await responses.full(reply, asked), headers=reply.headers)


@csrf_exempt
@login_not_required
async def nothing(request: HttpRequest, anything: str = "") -> HttpResponseBase:
    """404 for every other address, for any method, without a key; one with a slash too many is meant as without."""
    meant = {"models": models, "chat/completions": chat_completions, "responses": create_response}
    if view := meant.get(anything.strip("/")):
        return await view(request)
    sentence = (
        f"There is nothing at {request.path[:200]}. Available are GET /v1/models, POST /v1/chat/completions and "
        "POST /v1/responses."
    )
    return RefusedError(404, sentence, code="unknown_url").response()


async def _streamed(reply: Reply, events: AsyncIterator[str]) -> StreamingHttpResponse:
    await reply.begins()
    headers = reply.headers | {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(events, content_type="text/event-stream", headers=headers)


def _model(character: Character) -> dict[str, Any]:
    return _entry(character.slug, int(character.created_at.timestamp()))


def _entry(name: str, created: int) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": created, "owned_by": "kgadmin"}
