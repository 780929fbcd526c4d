"""As whom a tester may talk, for programs."""

from typing import Any

from ninja import Field, Query, Router, Schema

from characters.conversations.models import Person
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.rest.problems import reads
from kgadmin.rest.schemas import Text
from playground.chat.whom import real_people

router = Router(tags=["conversations"])


class PlayedOut(Schema):
    """Somebody as whom one can talk."""

    id: int = Field(examples=[12])
    name: str = Field(examples=["Mark"])


class WhomOut(Schema):
    """Test people, who remember what is said as them, and real ones, as whom one talks in a sandbox."""

    test_people: list[PlayedOut]
    real_people: list[PlayedOut] = Field(description="Those who were met last.")


class WhomFilter(Schema):
    """May be left out."""

    q: Text = Field("", max_length=100, examples=["Mar"], description="A part of a real person's name.")


@router.get("/talking-as", auth=door("tester"), response=reads(WhomOut), summary="As whom you may talk")
def whom(request: ApiRequest, asked: Query[WhomFilter]) -> dict[str, Any]:
    """Their ids are what a new conversation takes as `person`."""
    return {"test_people": Person.objects.playable_by(request.user), "real_people": real_people(asked.q.strip())}
