"""Kinds of values that operations take, and bodies that take nothing else."""

from typing import Annotated

from ninja import Path, Schema
from pydantic import AfterValidator, ConfigDict, Field

MAX_ID = 2**63 - 1
"""The largest id that a database holds."""


def storable(text: str) -> str:
    """`text`, if every store can hold it."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("it holds a null byte or half of a character, which can't be stored. Remove it")
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
