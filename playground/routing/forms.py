"""Input of the routing pages and API."""

from ninja import Field

from kgadmin.rest.schemas import Body, Id, Slug, Text
from playground.routing.models import MAX_TEXT
from playground.routing.preview import MAX_MESSAGE

NO_BASE = "none"
"""How no base is written in a form and in a file."""


class MessageIn(Body):
    """A message to try with a character."""

    q: Text = Field("", max_length=MAX_MESSAGE)
    character: Slug | None = None


class LabelIn(Body):
    """A labelled message: its text or the turn that it comes from, and its base ("none": no base)."""

    text: Text = Field("", max_length=MAX_TEXT, examples=["Luna knocked my tea over again."])
    turn: Id | None = Field(None, description="A turn, in place of a text.")
    base: Text = Field(NO_BASE, max_length=100, examples=["marine_biology"])


class RoutingRunIn(Body):
    """Which character's bases to run the labelled messages through."""

    character: Slug = Field(examples=["elena"])


class Compared(Body):
    """The run to compare with."""

    other: Id | None = None
