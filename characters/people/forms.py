"""Input for changing what is known of people, from a page's form or the API."""

from typing import Annotated

from ninja import Field

from characters.domain import people
from kgadmin.rest.schemas import Body, Id, Line, Slug, Text

FAVORITES = ("BOOK", "FILM", "FOOD", "COLOR", "MUSIC", "PLACE", "ANIMAL", "GAME")

Choice = tuple[str, str]


def predicate_choices(name: str, current: str = "") -> list[tuple[str, list[Choice]]]:
    """Return the registered predicates by family, and the current one, worded for a person: "Mark lives in …"."""
    families: dict[str, list[Choice]] = {}
    favorites = [f"{people.FAVORITE}{each}" for each in FAVORITES]
    for predicate in dict.fromkeys((*people.PERSON_PREDICATES, *favorites, *filter(None, [current]))):
        family = people.person_predicate(predicate).family.capitalize()
        families.setdefault(family, []).append((predicate, people.sentence(name, predicate, "…")))
    return list(families.items())


class PersonIn(Body):
    """A new test person."""

    name: Text = Field(examples=["Mark"])


class FactIn(Body):
    """A fact that no message states: about the person, or about an entity of theirs."""

    predicate: Text = Field(max_length=60, examples=["LIVES_IN"])
    text: Line = Field(max_length=300, examples=["Lisbon"])
    subject: Id | None = Field(None, examples=[30])


class CorrectionIn(Body):
    """A fact, corrected. What it is `about` is the person, the character, or the id of an entity; as it is if empty."""

    about: Annotated[str, Field(pattern=r"^(?:person|character|\d{1,18})?$")] = Field("", examples=["person"])
    predicate: Text | None = Field(None, max_length=60, examples=["LIVES_IN"])
    text: Line = Field(max_length=300, examples=["Porto"])


class NameIn(Body):
    """A name of an entity, its main name or an alias."""

    name: Line = Field(max_length=200, examples=["Luna"])


class TrustIn(Body):
    """How far a character believes the person."""

    character: Slug = Field(examples=["elena"])
    trust: float = Field(ge=0, le=1, allow_inf_nan=False, examples=[0.8])
