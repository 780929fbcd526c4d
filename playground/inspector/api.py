"""`GET /api/turns/{id}`: a turn with its trace, for programs."""

from typing import Any

from django.http import Http404, HttpRequest
from ninja import Router, Schema

from characters.conversations.models import Turn

router = Router(tags=["turns"])


class StageOut(Schema):
    """One stage: `status` is ok, skipped (with a `reason`) or failed (with an `error`)."""

    name: str
    status: str
    elapsed_ms: float
    error: str
    reason: str
    evidence: dict[str, Any]


class SectionOut(Schema):
    """A section of the prompt; `tokens` is an estimate."""

    name: str
    text: str
    tokens: int
    budget: int


class PromptOut(Schema):
    """What the model was sent."""

    text: str
    tokens: int
    sections: list[SectionOut]


class TurnOut(Schema):
    """A turn. `total_ms` is the turn's own work, without the reply; `state` says how far the reply is."""

    id: int
    character: str
    person: str
    message: str
    reply: str
    state: str
    error: str
    total_ms: float | None
    stages: list[StageOut]
    prompt: PromptOut


class Problem(Schema):
    """An error, by RFC 9457."""

    type: str
    title: str
    status: int
    detail: str


@router.get("/turns/{turn_id}", response={200: TurnOut, 401: Problem, 404: Problem}, summary="A turn with its trace")
def turn(request: HttpRequest, turn_id: int) -> dict[str, Any]:
    """The message, the reply, every stage with its evidence, and the prompt."""
    found = Turn.objects.with_trace().filter(pk=turn_id).first()
    if found is None:
        raise Http404("There is no such turn.")
    prompt = found.prompt
    return {
        "id": found.pk,
        "character": found.conversation.character.slug,
        "person": found.conversation.person.name,
        "message": found.message.text,
        "reply": found.text,
        "state": found.status,
        "error": found.error,
        "total_ms": found.assembled_ms,
        "stages": list(found.stages.all()),
        "prompt": {
            "text": prompt.get("text", ""),
            "tokens": prompt.get("tokens", 0),
            "sections": prompt.get("sections", []),
        },
    }
