"""`GET /api/turns/{id}`: a turn with its trace, for programs."""

from typing import Any

from ninja import Field, Router, Schema

from characters.conversations.access import turn_for
from characters.conversations.models import Turn
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.rest.problems import reads
from kgadmin.rest.schemas import PathId

router = Router(tags=["turns"])


class StageOut(Schema):
    """One stage: `status` is ok, skipped (with a `reason`) or failed (with an `error`)."""

    name: str = Field(examples=["background"])
    status: str = Field(examples=["ok"])
    elapsed_ms: float = Field(examples=[3.1])
    error: str = Field(examples=[""])
    reason: str = Field(examples=[""])
    evidence: dict[str, Any] = Field(examples=[{"used": [{"sentence": "My father fished."}], "dropped": []}])


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

    id: int = Field(examples=[1])
    character: str = Field(alias="conversation.character.slug", examples=["elena"])
    person: str = Field(alias="conversation.person.name", examples=["Mark"])
    message: str = Field(alias="message.text", examples=["What did your father do?"])
    reply: str = Field(alias="text", examples=["He fished, and then he opened a restaurant."])
    state: str = Field(alias="status", examples=["done"])
    error: str = Field(examples=[""])
    total_ms: float | None = Field(alias="assembled_ms", examples=[31.5])
    stages: list[StageOut]
    prompt: PromptOut

    @staticmethod
    def resolve_prompt(row: Turn) -> dict[str, Any]:
        return {"text": "", "tokens": 0, "sections": [], **row.prompt}


@router.get("/turns/{turn_id}", auth=door("tester"), response=reads(TurnOut), summary="A turn with its trace")
def turn(request: ApiRequest, turn_id: PathId) -> Turn:
    """The message, the reply, every stage with its evidence, and the prompt."""
    return turn_for(request.user, turn_id)
