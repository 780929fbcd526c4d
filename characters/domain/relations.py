"""The twelve classes of relation between two messages of a person."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from characters.domain.lexicon import read_blocks

Relation = Literal[
    "Causal",
    "Follow-up",
    "Contrast",
    "Elaboration",
    "Reframe/Correction",
    "Role Instruction",
    "Scenario Setup",
    "Topic Switch",
    "Self-Reference",
    "Meta-Prompting",
    "Identity Expression",
    "Unrelated",
]


@dataclass(frozen=True, slots=True)
class RelationClass:
    """A class of relation: its description for a language model, and how it is drawn and worded."""

    name: Relation
    description: str
    example: tuple[str, str]
    """(earlier message, later message); the first is empty for a `single` class."""
    forward: bool = False
    """Whether it is drawn from the earlier message to the later one, whichever of the two was classified."""
    single: bool = False
    """Whether it describes one message: decided once, drawn on all of its edges."""
    words: str = ""
    """Wording, in memory, of what the later message is to the earlier one."""


def _classes() -> Iterator[RelationClass]:
    for heading, (description, *messages) in read_blocks(Path(__file__).with_name("relations.txt")):
        name, drawn, *words = heading.split(" | ")
        earlier, later = ("", *messages)[-2:]
        is_forward, is_single = drawn == "forward", drawn == "single"
        yield RelationClass(
            cast(Relation, name), description, (earlier, later), is_forward, is_single, words="".join(words)
        )


CLASSES: Mapping[Relation, RelationClass] = {each.name: each for each in _classes()}

CORRECTING: frozenset[Relation] = frozenset({"Contrast", "Reframe/Correction"})
"""Relations by which a later message qualifies an earlier one."""
