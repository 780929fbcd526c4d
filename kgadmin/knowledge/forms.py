"""Input for making and changing knowledge bases, from a page's form or the API."""

from typing import Literal

from ninja import Field

from kgadmin.knowledge.reading.kinds import MAX_BYTES, READABLE, SUFFIXES
from kgadmin.knowledge.uploads import ARCHIVE_SUFFIX
from kgadmin.rest.actions import Refused
from kgadmin.rest.schemas import Body, Text

MAX_FILES = 200
ACCEPTED = ",".join([*SUFFIXES, ARCHIVE_SUFFIX])


class BaseIn(Body):
    """A new base."""

    name: Text = Field(max_length=100, examples=["Marine biology"])
    description: Text = Field("", max_length=300, examples=["Reefs, tides and who lives there"])
    provenance: Literal["verified", "curated", "researched"] = "curated"


class BaseChange(Body):
    """Changed settings of a base; missing ones stay."""

    enabled: bool | None = Field(None, examples=[True])
    threshold: float | None = Field(
        None, ge=0, le=1, allow_inf_nan=False, examples=[0.45], description="null: the measured one."
    )


def check_upload(count: int) -> None:
    """Raise `Refused` for no files, and for more than one request may carry."""
    if not count:
        raise Refused("Choose one or more files first.")
    if count > MAX_FILES:
        raise Refused(f"These are {count} files; at most {MAX_FILES} can be uploaded together. Upload them in parts.")


LIMITS = f"{READABLE}, or a zip of them; up to {MAX_BYTES // 1_000_000} MB per file, {MAX_FILES} files at a time"
