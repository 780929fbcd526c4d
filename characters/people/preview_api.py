"""What one could say of a person, and what forgetting would take, before it is done; for programs."""

from ninja import Field, Router, Schema

from characters.conversations.access import person_for
from characters.people import pages
from characters.people.api import readers
from characters.people.forms import predicate_choices
from kgadmin.accounts.doors import ApiRequest
from kgadmin.rest.problems import reads
from kgadmin.rest.schemas import PathId

router = Router(tags=["people"])


class PredicateOut(Schema):
    """A registered predicate, and the sentence that it says of this person."""

    family: str = Field(examples=["Family"])
    predicate: str = Field(examples=["HAS_PET"])
    sentence: str = Field(examples=["Mark has a pet called …"])


class GoesOut(Schema):
    """How much of each kind goes with a person."""

    conversations: int = Field(examples=[3])
    messages: int = Field(examples=[40])
    facts: int = Field(examples=[12])
    entities: int = Field(examples=[9])
    relations: int = Field(alias="relations between messages", examples=[5], description="Between messages.")


@router.get(
    "/people/{pk}/predicates", auth=readers, response=reads(list[PredicateOut]), summary="What can be said of a person"
)
def predicates(request: ApiRequest, pk: PathId) -> list[dict[str, str]]:
    """The predicates that a fact by hand takes."""
    families = predicate_choices(person_for(request.user, pk).name)
    return [
        {"family": family, "predicate": name, "sentence": sentence}
        for family, choices in families
        for name, sentence in choices
    ]


@router.get("/people/{pk}/forgetting", auth=readers, response=reads(GoesOut), summary="What forgetting would take")
def forgetting(request: ApiRequest, pk: PathId) -> dict[str, int]:
    """Before a person is forgotten."""
    return pages.what_goes(person_for(request.user, pk))
