"""What the schemas of all features are made of: kinds of values, bodies that take nothing else, pages of lists."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, TypeVar

from django.db.models import QuerySet
from ninja import Field, Path, Query, Schema
from pydantic import AfterValidator, ConfigDict

T = TypeVar("T")
DEFAULT_LIMIT = 50
MAX_LIMIT = 200
MAX_ID = 2**63 - 1
"""The largest id that a database holds."""


def storable(text: str) -> str:
    """`text`, if every store can hold it."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("it contains a null byte or half of a character, which can't be stored. Remove it")
    return text


def one_line(text: str) -> str:
    """White space as single blanks."""
    return " ".join(text.split())


Id = Annotated[int, Field(ge=1, le=MAX_ID, examples=[1])]
Text = Annotated[str, AfterValidator(storable)]
Line = Annotated[Text, AfterValidator(one_line)]
Slug = Annotated[str, Field(pattern=r"^[-a-zA-Z0-9_]+$", max_length=60)]
PathId = Annotated[int, Path(ge=1, le=MAX_ID, examples=[1])]
Character = Annotated[str, Path(pattern=r"^[-a-zA-Z0-9_]+$", max_length=60, examples=["elena"])]
Base = Annotated[str, Path(pattern=r"^[-a-zA-Z0-9_]+$", max_length=60, examples=["marine_biology"])]


class Body(Schema):
    """A body in which a field that isn't known is refused: it is most likely a misspelt one."""

    model_config = ConfigDict(extra="forbid")


class Slice(Schema):
    """Which part of a list is wanted."""

    limit: int = Field(DEFAULT_LIMIT, ge=1, le=MAX_LIMIT, description="Maximum number of items.")
    offset: int = Field(0, ge=0, le=2**31 - 1, description="Number of items to skip.")


Paging = Annotated[Slice, Query(...)]


class Page(Schema, Generic[T]):
    """A part of a list. `total` counts all items that fit the question."""

    items: list[T]
    total: int = Field(examples=[1])
    limit: int = Field(examples=[DEFAULT_LIMIT])
    offset: int = Field(examples=[0])


def page(rows: "QuerySet[Any] | Sequence[Any]", paging: Slice, shown: Callable[[Any], Any] | None = None) -> Any:
    """The wanted part of the rows, each as `shown` gives it, for an operation that answers with a `Page`."""
    total = rows.count() if isinstance(rows, QuerySet) else len(rows)
    items = list(rows[paging.offset : paging.offset + paging.limit])
    return {
        "items": [shown(row) for row in items] if shown else items,
        "total": total,
        "limit": paging.limit,
        "offset": paging.offset,
    }
