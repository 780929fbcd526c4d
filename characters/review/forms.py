"""An operator's decision, as a page's form or the API sends it."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal, Self

from django.utils import timezone
from ninja import Field
from pydantic import AfterValidator, AwareDatetime, BeforeValidator, model_validator

from characters.profiles.learned.services import MAX_OBJECT
from kgadmin.rest.schemas import Body, Id, Text

Reason = Literal["contradicts", "once", "elicited", "vague", "other"]
MOST_AT_ONCE = 1_000
UNTIL: Mapping[str, str] = {
    "other": "It is said to someone else",
    "tomorrow": "Tomorrow",
    "week": "A week from now",
}
"""Choices that a page offers in place of a date."""
_DAYS = {"tomorrow": 1, "week": 7}
SOONEST, LATEST = 2000, 2200


def _date(value: Any) -> Any:
    """Return the date that a key of `UNTIL` stands for; None for "other", anything else unchanged."""
    if value in _DAYS:
        return timezone.now() + timedelta(days=_DAYS[value])
    return None if value == "other" else value


def _storable(value: datetime) -> datetime:
    """Check that a database can store the date. Raises `ValueError`."""
    if not SOONEST <= value.year <= LATEST:
        raise ValueError(f"Choose a date between {SOONEST} and {LATEST}.")
    return value


Later = Annotated[Annotated[AwareDatetime, AfterValidator(_storable)] | None, BeforeValidator(_date)]
VERSION = Field(ge=1, le=2**31 - 1, examples=[1], description="Of the proposal, as it was read.")
NOTE = Field("", max_length=500, examples=["He asked Elena to say so."], description="For the audit log.")
UNTIL_WHEN = Field(None, examples=["2026-12-01T08:00:00Z"], description="Null: until it is said to someone else.")


class ApproveIn(Body):
    """Let the character learn it, with another `predicate` or `object` if they are given.

    `note` is the reason if a verdict is bad.
    """

    version: int = VERSION
    predicate: Text = Field("", max_length=60, examples=["LOVES"])
    object: Text = Field("", max_length=MAX_OBJECT, examples=["staghorn coral"])
    note: Text = NOTE


class RejectIn(Body):
    """Reject it for good; repeated, it stays rejected."""

    version: int = VERSION
    reason: Reason = Field(examples=["vague"])
    note: Text = NOTE


class DeferIn(Body):
    """Decide later."""

    version: int = VERSION
    until: Later = UNTIL_WHEN


class ProposalVersionIn(Body):
    """A proposal at the version that was read."""

    id: Id
    version: int = VERSION


class BatchIn(Body):
    """A decision on many proposals. `reason` is for rejecting, `until` for deferring."""

    reason: Reason = Field("other", examples=["vague"])
    note: Text = NOTE
    until: Later = UNTIL_WHEN
    also_bad: bool = Field(False, description="Approve also those with a bad verdict.")

    @model_validator(mode="after")
    def _says_why(self) -> Self:
        if self.also_bad and not self.note:
            raise ValueError("Give a reason for approving them anyway.")
        return self


class DecideIn(BatchIn):
    """The same decision on many proposals. `reason` is for rejecting, `until` for deferring.

    Proposals with a bad verdict are approved only with `also_bad` and a `note` that gives the reason.
    """

    verb: Literal["approve", "reject", "defer"] = Field(examples=["reject"])
    proposals: list[ProposalVersionIn] = Field(min_length=1, max_length=MOST_AT_ONCE)
