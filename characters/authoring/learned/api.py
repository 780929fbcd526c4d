"""API of what a character learned."""

from datetime import datetime
from typing import Any, Literal

from ninja import Field, Query, Router, Schema

from characters.authoring.learned import services
from characters.authoring.learned.services import Row, fact_for
from characters.profiles.access import character_for, may_edit
from characters.profiles.models import Character, LearnedFact
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.rest.schemas import Character as Slug
from kgadmin.rest.schemas import Page, Paging, PathId, changes, page, reads

router = Router(tags=["learning"])
readers = door("author", "operator", "tester")
authors = door("author")

StateName = Literal["active", "suspended", "archived"]
LEARNED = "/characters/{slug}/learned"


class LearnedFactOut(Schema):
    """A fact that an operator approved. Turns rank it below what stands in the sheet."""

    id: int = Field(alias="fact.pk", examples=[5])
    predicate: str = Field(alias="fact.predicate.name", examples=["FAVORITE_CORAL"])
    object: str = Field(alias="fact.object", examples=["staghorn"])
    sentence: str = Field(examples=["My favorite coral: staghorn."])
    state: StateName = Field(alias="fact.state", examples=["active"])
    confidence: float = Field(alias="fact.confidence", examples=[0.94])
    pinned: bool = Field(alias="fact.pinned", examples=[False], description="Whether it is never archived for its age.")
    used: bool = Field(examples=[True], description="Whether turns may use it: not above the most.")
    uses: int = Field(alias="fact.uses", examples=[4], description="Live turns whose prompt contained it.")
    last_used_at: datetime | None = Field(None, alias="fact.last_used_at")
    learned_at: datetime = Field(alias="fact.learned_at")
    expires_at: datetime | None = Field(None, description="When it is archived, unless it is used more by then.")
    suspended_by: str = Field(
        alias="fact.suspended_by", examples=[""], description="The id of the core fact that contradicts it."
    )
    draft_fact: str = Field(examples=[""], description="The draft's fact that says the same; for editors only.")


class LearningOut(Schema):
    """How many of the facts in use were learned."""

    used: int = Field(examples=[4], description="Learned facts that turns can use.")
    most: int = Field(examples=[50], description="At most so many, by the character's settings.")
    core: int = Field(examples=[36], description="Facts of the live sheet.")
    percent: int = Field(examples=[10], description="The share of learned facts among all facts in use.")


class LearnedFilter(Schema):
    """May be left out."""

    state: StateName | None = Field(None, examples=["active"])


@router.get(LEARNED, auth=readers, response=reads(Page[LearnedFactOut]), summary="Learned facts")
def learned(request: ApiRequest, slug: Slug, paging: Paging, asked: Query[LearnedFilter]) -> Any:
    """Pinned ones first, then the newest."""
    character = character_for(request.user, slug)
    states = [LearnedFact.State(asked.state)] if asked.state else []
    part = page(services.facts_of(character, *states), paging)
    return part | {"items": services.rows(character, part["items"], with_draft=may_edit(request.user, character))}


@router.get(f"{LEARNED}/figures", auth=readers, response=reads(LearningOut), summary="The share of learned facts")
def figures(request: ApiRequest, slug: Slug) -> services.Figures:
    """How many are in use, and how many may be."""
    return services.figures(character_for(request.user, slug))


@router.get(f"{LEARNED}/{{pk}}", auth=readers, response=reads(LearnedFactOut), summary="One learned fact")
def learned_fact(request: ApiRequest, slug: Slug, pk: PathId) -> Row:
    """404 for one whose approval was undone."""
    return _now(request, character_for(request.user, slug), pk)


@router.post(f"{LEARNED}/{{pk}}/{{verb}}", auth=authors, response=changes(LearnedFactOut), summary="Change one")
def act(request: ApiRequest, slug: Slug, pk: PathId, verb: services.Verb) -> Row:
    """A pinned fact isn't archived for its age. Turns use a restored one again: 422 if the most are in use, or the
    sheet says the same or contradicts it. A promoted one is added to the draft, and archived once that is published.
    """
    character = character_for(request.user, slug, to_edit=True)
    services.act(fact_for(character, pk), verb, by=request.user)
    return _now(request, character, pk)


def _now(request: ApiRequest, character: Character, pk: int) -> Row:
    (row,) = services.rows(character, [fact_for(character, pk)], with_draft=may_edit(request.user, character))
    return row
