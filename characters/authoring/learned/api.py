"""What a character learned, for programs."""

from datetime import datetime
from typing import Any, Literal

from ninja import Field, Query, Router, Schema

from characters.authoring.learned import promotion, rows
from characters.authoring.learned.rows import Row, fact_for
from characters.profiles.access import character_for, may_edit
from characters.profiles.learned import services
from characters.profiles.learned.models import LearnedFact
from characters.profiles.models import Character
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.rest.problems import changes, reads
from kgadmin.rest.schemas import Character as Slug
from kgadmin.rest.schemas import Page, Paging, PathId, page

router = Router(tags=["learning"])
readers = door("author", "operator", "tester")
authors = door("author")

StateName = Literal["active", "suspended", "archived"]
HERS = "/characters/{slug}/learned"


class LearnedFactOut(Schema):
    """A fact that an operator approved. Turns rank it below what stands in the sheet."""

    id: int = Field(alias="fact.pk", examples=[5])
    predicate: str = Field(alias="fact.predicate.name", examples=["FAVORITE_CORAL"])
    object: str = Field(alias="fact.object", examples=["staghorn"])
    sentence: str = Field(examples=["My favorite coral: staghorn."])
    state: StateName = Field(alias="fact.state", examples=["active"])
    confidence: float = Field(alias="fact.confidence", examples=[0.94])
    pinned: bool = Field(
        alias="fact.pinned", examples=[False], description="Whether it is kept from being archived for its age."
    )
    used: bool = Field(examples=[True], description="Whether turns may use it: not above her most.")
    uses: int = Field(alias="fact.uses", examples=[4], description="Live turns whose prompt it stood in.")
    last_used_at: datetime | None = Field(None, alias="fact.last_used_at")
    learned_at: datetime = Field(alias="fact.learned_at")
    expires_at: datetime | None = Field(None, description="When it is archived, unless it is used more until then.")
    suspended_by: str = Field(
        alias="fact.suspended_by", examples=[""], description="The id of the core fact that says otherwise."
    )
    draft_fact: str = Field(examples=[""], description="The draft's fact that says the same; for her editors only.")


class LearningOut(Schema):
    """How much of what she tells of herself was learned."""

    used: int = Field(examples=[4], description="Learned facts that turns may use.")
    most: int = Field(examples=[50], description="At most so many, by her settings.")
    core: int = Field(examples=[36], description="Facts of her live sheet.")
    percent: int = Field(examples=[10], description="Of all facts in use, how many were learned.")


class LearnedFilter(Schema):
    """May be left out."""

    state: StateName | None = Field(None, examples=["active"])


@router.get(HERS, auth=readers, response=reads(Page[LearnedFactOut]), summary="Learned facts")
def learned(request: ApiRequest, slug: Slug, paging: Paging, asked: Query[LearnedFilter]) -> Any:
    """Pinned ones first, then the newest."""
    character = character_for(request.user, slug)
    states = [LearnedFact.State(asked.state)] if asked.state else []
    part = page(rows.facts_of(character, *states), paging)
    found = rows.rows(character, part["items"], with_draft=may_edit(request.user, character))
    return part | {"items": found}


@router.get(f"{HERS}/figures", auth=readers, response=reads(LearningOut), summary="The share of learned facts")
def figures(request: ApiRequest, slug: Slug) -> rows.Figures:
    """How many are in use, and how many may be."""
    return rows.figures(character_for(request.user, slug))


@router.get(f"{HERS}/{{pk}}", auth=readers, response=reads(LearnedFactOut), summary="One learned fact")
def learned_fact(request: ApiRequest, slug: Slug, pk: PathId) -> Row:
    """404 for one whose approval was undone."""
    return _now(request, character_for(request.user, slug), pk)


@router.post(f"{HERS}/{{pk}}/pin", auth=authors, response=changes(LearnedFactOut), summary="Pin a learned fact")
def pin(request: ApiRequest, slug: Slug, pk: PathId) -> Row:
    """It isn't archived for its age."""
    character = _hers(request, slug)
    services.pin(fact_for(character, pk), pinned=True, by=request.user)
    return _now(request, character, pk)


@router.post(f"{HERS}/{{pk}}/unpin", auth=authors, response=changes(LearnedFactOut), summary="Unpin a learned fact")
def unpin(request: ApiRequest, slug: Slug, pk: PathId) -> Row:
    """It is archived when it is old and hardly used."""
    character = _hers(request, slug)
    services.pin(fact_for(character, pk), pinned=False, by=request.user)
    return _now(request, character, pk)


@router.post(f"{HERS}/{{pk}}/archive", auth=authors, response=changes(LearnedFactOut), summary="Archive a learned fact")
def archive(request: ApiRequest, slug: Slug, pk: PathId) -> Row:
    """No turn uses it; it can be restored."""
    character = _hers(request, slug)
    services.change(fact_for(character, pk), LearnedFact.State.ARCHIVED, by=request.user)
    return _now(request, character, pk)


@router.post(f"{HERS}/{{pk}}/restore", auth=authors, response=changes(LearnedFactOut), summary="Restore a learned fact")
def restore(request: ApiRequest, slug: Slug, pk: PathId) -> Row:
    """Let turns use it again. 422 where she has learned her most, or her sheet says the same or otherwise."""
    character = _hers(request, slug)
    services.change(fact_for(character, pk), LearnedFact.State.ACTIVE, by=request.user)
    return _now(request, character, pk)


@router.post(f"{HERS}/{{pk}}/promote", auth=authors, response=changes(LearnedFactOut), summary="Add it to the draft")
def promote(request: ApiRequest, slug: Slug, pk: PathId) -> Row:
    """As a fact of the sheet. It stays learned until the draft is published, and is archived then."""
    character = _hers(request, slug)
    promotion.promote(fact_for(character, pk), by=request.user)
    return _now(request, character, pk)


def _hers(request: ApiRequest, slug: str) -> Character:
    return character_for(request.user, slug, to_edit=True)


def _now(request: ApiRequest, character: Character, pk: int) -> Row:
    (row,) = rows.rows(character, [fact_for(character, pk)], with_draft=may_edit(request.user, character))
    return row
