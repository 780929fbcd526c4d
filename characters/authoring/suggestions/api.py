"""API of suggested facts."""

from datetime import datetime
from typing import Any, Literal

from ninja import Field, Query, Router, Schema, Status

from characters.authoring.models import SuggestedFact
from characters.authoring.suggestions import services
from characters.authoring.suggestions.services import suggestion_for
from characters.profiles.access import character_for
from characters.profiles.models import Character
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.rest.schemas import Body, Page, Paging, PathId, Text, changes, page, reads
from kgadmin.rest.schemas import Character as Slug

router = Router(tags=["characters"])
authors = door("author")

StateName = Literal["waiting", "accepted", "dismissed"]
SUGGESTIONS = "/characters/{slug}/suggestions"


class SuggestionOut(Schema):
    """A statement of a text about a character, as a fact. `sentence` stands at `start` to `end` of its source."""

    id: int = Field(examples=[12])
    predicate: str = Field(examples=["GREW_UP_IN"])
    object: str = Field(examples=["La Jolla"])
    source: str = Field(examples=["identity"])
    sentence: str = Field(examples=["You grew up in La Jolla."])
    start: int = Field(examples=[0])
    end: int = Field(examples=[24])
    by_model: bool = Field(examples=[False], description="Whether the language model suggested it.")
    state: StateName = Field(examples=["waiting"])
    fact_id: str = Field(examples=["f7"], description="The draft's fact that was added by accepting it.")
    decided_by: str | None = Field(None, alias="decided_by.username", examples=["author"])
    decided_at: datetime | None = None


class SuggestionReadingOut(Schema):
    """The result of reading the identity text. A model reads in a job; its suggestions come when that is done."""

    count: int | None = Field(examples=[3], description="New suggestions; null while a job reads.")
    state: str = Field(examples=["done"], description="State of the job; done where patterns are used.")
    error: str = Field(examples=[""])


class SuggestionReadingIn(Body):
    """How to read the draft's identity text."""

    by_model: bool = Field(False, description="Use the language model; otherwise patterns are used, immediately.")


class SuggestionAcceptIn(Body):
    """The object to use instead of the suggested one; empty to keep that."""

    object: Text = Field("", max_length=300, examples=["La Jolla"])


class SuggestionFilter(Schema):
    """May be left out."""

    state: StateName | None = None


@router.get(SUGGESTIONS, auth=authors, response=reads(Page[SuggestionOut]), summary="Suggested facts")
def suggestions(request: ApiRequest, slug: Slug, paging: Paging, asked: Query[SuggestionFilter]) -> Any:
    """In the order of the text that they were read from."""
    rows = SuggestedFact.objects.filter(character=_editable(request, slug)).select_related("decided_by")
    return page(rows.filter(state=asked.state) if asked.state else rows, paging)


@router.get(f"{SUGGESTIONS}/reading", auth=authors, response=reads(SuggestionReadingOut), summary="Progress of reading")
def reading(request: ApiRequest, slug: Slug) -> dict[str, Any]:
    """The last job in which a language model read the identity text."""
    return _reading(_editable(request, slug))


@router.post(SUGGESTIONS, auth=authors, response=changes(SuggestionReadingOut, 201), summary="Suggest facts")
def read(request: ApiRequest, slug: Slug, body: SuggestionReadingIn) -> Status[dict[str, Any]]:
    """Read the draft's identity text; dismissed facts stay dismissed. 409 if `by_model` and no model is connected."""
    character = _editable(request, slug)
    if body.by_model:
        services.ask_model(character, by=request.user)
        return Status(201, _reading(character))
    return Status(201, {"count": services.suggest_from_identity(character), "state": "done", "error": ""})


@router.post(
    f"{SUGGESTIONS}/{{pk}}/accept", auth=authors, response=changes(SuggestionOut), summary="Accept a suggestion"
)
def accept(request: ApiRequest, slug: Slug, pk: PathId, body: SuggestionAcceptIn) -> SuggestedFact:
    """Add the fact to the draft. `fact_id` stays empty where the draft has it already."""
    character = _editable(request, slug)
    services.accept(suggestion_for(character, pk), by=request.user, object=body.object)
    return suggestion_for(character, pk)


@router.post(f"{SUGGESTIONS}/{{pk}}/{{verb}}", auth=authors, response=changes(SuggestionOut), summary="Dismiss or undo")
def decide(request: ApiRequest, slug: Slug, pk: PathId, verb: Literal["dismiss", "undo"]) -> SuggestedFact:
    """A dismissed suggestion isn't made again. Undoing lets it wait again, and removes the fact that accepting it added
    to the draft: 409 if somebody changed that fact.
    """
    character = _editable(request, slug)
    services.decide(suggestion_for(character, pk), verb, by=request.user)
    return suggestion_for(character, pk)


def _editable(request: ApiRequest, slug: str) -> Character:
    return character_for(request.user, slug, to_edit=True)


def _reading(character: Character) -> dict[str, Any]:
    job = services.job_of(character)
    waiting = SuggestedFact.objects.filter(character=character, by_model=True).waiting().count() if job else 0
    count = None if job and job.is_open else waiting
    return {"count": count, "state": job.state if job else "done", "error": job.error if job else ""}
