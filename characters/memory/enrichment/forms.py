"""Input for starting a run, filtering relations and relabelling one, from a form or the API."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, get_args

from django.db.models import QuerySet
from django.http import QueryDict
from ninja import Field, Schema

from characters.conversations.models import Person
from characters.domain.relations import Relation as RelationClass
from kgadmin.rest.schemas import Body, Id, Slug

Status = Literal["drawn", "uncertain", "unclassified", "relabelled", "rejected"]
STATUSES: tuple[Status, ...] = get_args(Status)
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class EnrichmentRunIn(Body):
    """A new run: whose messages, how many neighbours, and its caps."""

    character: Slug = Field(examples=["elena"])
    person: Id | None = Field(None, examples=[12], description="Everyone if omitted.")
    anchors: int = Field(5, ge=1, le=50, description="Nearest messages of each message (K).")
    frontier: int = Field(3, ge=1, le=20, description="Nearest messages of each anchor, to classify (M).")
    floor: Share = Field(0.45, description="Messages with a lower similarity aren't linked.")
    threshold: Share = Field(0.6, description="Relations with a lower confidence are kept, but not drawn.")
    max_calls: int = Field(200, ge=1, le=100_000, description="The run ends at this number.")
    max_tokens: int = Field(200_000, ge=1_000, le=100_000_000, description="Prompts and answers; the run ends there.")
    without_model: bool = Field(False, description="By words only; makes no call.")


RUN_SETTINGS = {
    "anchors": "Similarity anchors (K)",
    "frontier": "Semantic frontier (M)",
    "floor": "Similarity floor",
    "threshold": "Confidence threshold",
    "max_calls": "Maximum calls",
    "max_tokens": "Maximum tokens",
}
"""Settings of a run, as the page names them; the last two only with a language model."""


class RelationFilter(Schema):
    """Filters of relations; all are optional."""

    relation: RelationClass | None = None
    status: Status | None = None
    character: Slug | None = Field(None, examples=["elena"])
    person: Id | None = None
    run: Annotated[int, Field(ge=1, le=2**53)] | None = None


class RelabelIn(Body):
    """The class that an operator gives a pair."""

    relation: RelationClass = Field(examples=["Reframe/Correction"])


def run_settings(sent: QueryDict, *, with_model: bool) -> Iterable[dict[str, Any]]:
    """Return the settings of a run for the page: the value sent, or the default, with label, limits and help."""
    properties = EnrichmentRunIn.model_json_schema()["properties"]
    for name, label in RUN_SETTINGS.items():
        if with_model or name not in {"max_calls", "max_tokens"}:
            value = sent.get(name) or properties[name]["default"]
            yield properties[name] | {"name": name, "label": label, "value": value}


def people_choices(rows: QuerySet[Person]) -> list[tuple[str, str]]:
    """Return ids and names of people; equal names are told apart."""
    return [
        (str(row.pk), f"{row.name} ({'test person' if row.is_test else row.namespace}, person {row.pk})")
        for row in rows.distinct().order_by("name", "pk")
    ]
