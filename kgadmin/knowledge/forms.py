"""Input for making and changing knowledge bases, from a page's form or the API."""

from typing import Annotated, Literal

from ninja import Field

from kgadmin.knowledge.chunking import MAX_TOKENS, OVERLAP_TOKENS
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.knowledge.reading.kinds import MAX_BYTES, READABLE, SUFFIXES
from kgadmin.knowledge.uploads import ARCHIVE_SUFFIX
from kgadmin.rest.actions import Refused
from kgadmin.rest.schemas import Body, Text

MAX_FILES = 200
ACCEPTED = ",".join([*SUFFIXES, ARCHIVE_SUFFIX])


Provenance = Literal["verified", "curated", "researched"]
ChunkTokens = Annotated[int, Field(ge=60, le=240, examples=[MAX_TOKENS])]
OverlapTokens = Annotated[int, Field(ge=0, le=80, examples=[OVERLAP_TOKENS])]


class BaseIn(Body):
    """A new base."""

    name: Text = Field(max_length=100, examples=["Marine biology"])
    description: Text = Field("", max_length=300, examples=["Reefs, tides and who lives there"])
    provenance: Provenance = "curated"


class BaseSettings(BaseIn):
    """What a base's page of settings has."""

    language: KnowledgeBase.Language
    chunk_tokens: ChunkTokens
    overlap_tokens: OverlapTokens


class ChunkSizes(Body):
    """Sizes of chunks to try."""

    chunk_tokens: ChunkTokens = MAX_TOKENS
    overlap_tokens: OverlapTokens = OVERLAP_TOKENS


class BaseChange(Body):
    """Changed settings of a base; missing ones stay. Documents that were read before keep their chunks until they are
    read again.
    """

    name: Text | None = Field(None, min_length=1, max_length=100, examples=["Marine biology"])
    description: Text | None = Field(None, max_length=300, examples=["Reefs, tides and who lives there"])
    provenance: Provenance | None = Field(None, examples=["curated"])
    language: KnowledgeBase.Language | None = Field(None, examples=["en"])
    chunk_tokens: ChunkTokens | None = None
    overlap_tokens: OverlapTokens | None = None
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
