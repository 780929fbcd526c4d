"""The twelve classes of relation between two messages of a person."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

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
    """One class: what a model is told of it, and how it is drawn and said."""

    name: Relation
    description: str
    example: tuple[str, str]
    """(the earlier message, the later one); for a class of one message the first is empty."""
    forward: bool = False
    """Drawn from the earlier message to the later one, whichever of the two was classified."""
    single: bool = False
    """Describes one message: decided once, drawn on its edges."""
    words: str = ""
    """How memory says what the later message is to the earlier one."""


CLASSES: Mapping[Relation, RelationClass] = {
    relation_class.name: relation_class
    for relation_class in (
        RelationClass(
            "Causal",
            "One message causes or motivates the other in a clear logical or narrative sense.",
            ("I started astrophotography.", "What lens should I buy?"),
            forward=True,
            words="which led to",
        ),
        RelationClass(
            "Follow-up",
            "The later message continues or refines the question or context of the earlier one.",
            ("Explain contrastive learning.", "Now explain with diagrams."),
            forward=True,
            words="followed by",
        ),
        RelationClass(
            "Contrast",
            "One message contradicts the other, or takes back a stance that the other took.",
            ("I want to start yoga.", "I changed my mind, not yoga anymore."),
            words="but later",
        ),
        RelationClass(
            "Elaboration",
            "One message expands on the idea of the other and offers more detail, scope or explanation.",
            ("I love jazz music.", "What’s a good jazz album to start with?"),
            words="more on it",
        ),
        RelationClass(
            "Reframe/Correction",
            "The later message rephrases or corrects the earlier one: its tone, a factual error, a misunderstanding.",
            ("Your response was sarcastic.", "Please answer more seriously."),
            forward=True,
            words="corrected later",
        ),
        RelationClass(
            "Role Instruction",
            "The message tells the assistant to adopt a new behaviour or persona.",
            ("", "Act as a hypnotherapist."),
            single=True,
        ),
        RelationClass(
            "Scenario Setup",
            "One message sets up a world or background that the other one uses or continues.",
            ("Here’s my sci-fi world...", "Convert it into a comic."),
            words="which set the scene for",
        ),
        RelationClass(
            "Topic Switch",
            "The later message has nothing to do with the earlier one, and begins a new context or goal.",
            ("I want to learn Python.", "Now help me write a poem."),
            words="then another subject",
        ),
        RelationClass(
            "Self-Reference",
            "The later message reflects on the person's own behaviour or on their earlier message.",
            ("I want to eat healthier.", "Thanks, I will try it."),
            words="looking back on it",
        ),
        RelationClass(
            "Meta-Prompting",
            "The message tells the assistant how to behave in general, across prompts.",
            ("", "Act as an interviewer. Only reply with questions."),
            single=True,
        ),
        RelationClass(
            "Identity Expression",
            "The person describes something about themselves: preferences, feelings, goals.",
            ("", "I am a UX designer."),
            single=True,
        ),
        RelationClass(
            "Unrelated",
            "The two messages have nothing to do with each other.",
            ("What's the weather in Oslo?", "My bike has a flat tyre."),
        ),
    )
}

CORRECTING: frozenset[Relation] = frozenset({"Contrast", "Reframe/Correction"})
"""A later message that is tied to an earlier one by these qualifies it."""
