"""Pages of a list: `?limit=&offset=`, answered with the total."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, TypeVar

from django.db.models import QuerySet
from ninja import Field, Query, Schema

T = TypeVar("T")
DEFAULT_LIMIT = 50
MAX_LIMIT = 200


class Slice(Schema):
    """Which part of a list is wanted."""

    limit: int = Field(DEFAULT_LIMIT, ge=1, le=MAX_LIMIT, description="At most so many items.")
    offset: int = Field(0, ge=0, le=2**31 - 1, description="How many items to leave out at the beginning.")


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
    found = [shown(each) for each in items] if shown else items
    return {"items": found, "total": total, "limit": paging.limit, "offset": paging.offset}
