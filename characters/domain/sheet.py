"""The character sheet as the turn reads it: one document, validated in `characters.profiles.documents`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

SCHEMA = 1
NO_FAMILY = "other"
PLACEHOLDERS = ("{{char}}", "{{user}}", "{user_name}", "{current_datetime}")
"""What an author's text may hold to be filled in."""
_PLACEHOLDER = re.compile("|".join(map(re.escape, (*PLACEHOLDERS, "{{original}}"))), re.IGNORECASE)
BY_AUTHOR, BY_FAMILY = 1.0, 0.5
"""How much a fact belongs to a concept that its author named, or to one that its predicate's family stands for."""
LEARNED_ID = "learned:"
"""With what the id of a learned fact begins; none of a sheet does."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A registered name of a kind of fact.

    `sentence` says it in the first person, with `{object}` ("I grew up in {object}"), with `{a object}` where it needs
    an article ("I am {a object}"), or as a subject alone ("My father"), which is joined with the object. `question` is
    what somebody would ask to hear it ("Where did you grow up?").
    """

    name: str
    family: str = NO_FAMILY
    many: bool = True
    learnable: bool = False
    sentence: str = ""
    question: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that holds of a character. `id` is short and lives in the sheet; predicate NOTE is a plain sentence.

    `questions` are such as its author wants it to answer; they count like those that its predicate stands for.
    """

    id: str
    predicate: str
    object: str
    questions: tuple[str, ...] = ()


def learned_pk(fact_id: str) -> int:
    """The number of the row that a learned fact is."""
    return int(fact_id.removeprefix(LEARNED_ID))


def is_learned(fact_id: str) -> bool:
    """Whether this is the id of a learned fact."""
    return fact_id.startswith(LEARNED_ID)


@dataclass(frozen=True, slots=True)
class RuntimeFact:
    """A fact that an imported sheet had learned. No turn reads it before an operator has."""

    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class Persona:
    """A hat that a character puts on for a turn."""

    slug: str
    name: str
    instructions: str
    bases: tuple[str, ...] = ()
    """Slugs of the knowledge bases that it goes with."""
    keywords: tuple[str, ...] = ()
    """Words that choose it where the probe names no base."""
    default: bool = False


@dataclass(frozen=True, slots=True)
class Concept:
    """A category such as career, and the predicates whose facts belong to it."""

    name: str
    predicates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AmbientSettings:
    """How readily connections come to her mind."""

    depth: int = 1
    """Hops from an entity of the message: 1 or 2."""
    max_nodes: int = 10
    tokens: int = 200
    threshold: float = 0.5
    families: Mapping[str, float] = field(default_factory=dict, hash=False)
    """By family of predicates: a factor of the score, 1 where it isn't named."""


Pronouns = Literal["they", "she", "he", "it"]
REFLEXIVES: Mapping[Pronouns, str] = {"they": "themself", "she": "herself", "he": "himself", "it": "itself"}


@dataclass(frozen=True, slots=True)
class Settings:
    """What a character's author sets about its turns."""

    pronouns: Pronouns = "they"
    """By which the interface and prompts speak of the character."""
    stages_off: tuple[str, ...] = ()
    ambient: AmbientSettings = field(default_factory=AmbientSettings)
    questions: tuple[str, ...] = ()
    """Questions that the playground offers to click."""
    learning: Literal["off", "propose"] = "off"
    """Whether what the character says about itself is proposed to an operator."""
    most_learned: int = 50
    """At most so many learned facts are in use."""


@dataclass(frozen=True, slots=True)
class LoreEntry:
    """What is told when one of its keys is said, or always (an entry of a card's lorebook).

    `content` may begin with decorators such as `@@scan_depth 2`; see `characters.turn.lore` for those that act.
    """

    id: str
    content: str
    name: str = ""
    keys: tuple[str, ...] = ()
    secondary_keys: tuple[str, ...] = ()
    """Of these one must be said too, where the entry is `selective`."""
    selective: bool = False
    constant: bool = False
    case_sensitive: bool = False
    use_regex: bool = False
    enabled: bool = True
    order: float = 100
    """The lower, the earlier in the prompt."""
    priority: float | None = None
    """The lower, the sooner left out where there is no room; `order` where it is None."""
    position: Literal["before_char", "after_char"] = "after_char"
    scan_depth: int = 4
    """In how many of the newest messages its keys are looked for."""
    recursive: bool = False
    """Whether its keys are looked for in what other entries tell."""
    probability: float = 100
    """In percent. At 0 it is never told; otherwise it is told whenever it is called up, for no turn throws dice."""
    token_budget: int = 0
    """Tokens that the called entries of its lorebook may have together; 0 where only the prompt's room counts."""

    @property
    def book(self) -> str:
        """What the ids of its lorebook's entries begin with; empty for those of a card and of no lorebook."""
        return "".join(self.id.partition("-")[:2]) if "-" in self.id else ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Who a character is.

    `nickname` is what `{{char}}` says, where it isn't empty. `system_prompt` stands before the identity,
    `post_history_instructions` after the newest message, `example_messages` are parted by `<START>`. A conversation
    begins with one of the `greetings`.
    """

    name: str
    identity: str
    facts: tuple[Fact, ...] = ()
    runtime_facts: tuple[RuntimeFact, ...] = ()
    personas: tuple[Persona, ...] = ()
    anchors: tuple[str, ...] = ()
    concepts: tuple[Concept, ...] = ()
    settings: Settings = field(default_factory=Settings)
    nickname: str = ""
    system_prompt: str = ""
    post_history_instructions: str = ""
    example_messages: str = ""
    greetings: tuple[str, ...] = ()
    lore: tuple[LoreEntry, ...] = ()
    schema: int = SCHEMA

    @property
    def called(self) -> str:
        """What `{{char}}` stands for."""
        return self.nickname or self.name

    @property
    def default_persona(self) -> Persona | None:
        """The persona of a turn for which no rule chooses one."""
        return next((persona for persona in self.personas if persona.default), None)


def concepts_by_family(sheet: Sheet, predicates: Mapping[str, Predicate]) -> tuple[Concept, ...]:
    """Concepts for those predicates of the sheet that none of its own names: one per family, like "work"."""
    named = {predicate for concept in sheet.concepts for predicate in concept.predicates}
    by_family: dict[str, list[str]] = {}
    for name in dict.fromkeys(fact.predicate for fact in sheet.facts):
        family = predicates[name].family if name in predicates else NO_FAMILY
        if name not in named and family != NO_FAMILY:
            by_family.setdefault(family, []).append(name)
    return tuple(Concept(family, tuple(names)) for family, names in by_family.items())


def concept_weights(sheet: Sheet, predicates: Mapping[str, Predicate]) -> Mapping[str, Mapping[str, float]]:
    """By predicate the concepts that its facts belong to, and how much."""
    weights: dict[str, dict[str, float]] = {}
    for concepts, weight in ((sheet.concepts, BY_AUTHOR), (concepts_by_family(sheet, predicates), BY_FAMILY)):
        for concept in concepts:
            for predicate in concept.predicates:
                weights.setdefault(predicate, {}).setdefault(concept.name, weight)
    return weights


def expanded(text: str, *, character: str, person: str, now: datetime) -> str:
    """An author's text with the names and the time; what is filled in is never expanded again.

    `{{original}}` stands for a program's own prompt, of which there is none.
    """
    values = {
        "{{char}}": character,
        "{{user}}": person,
        "{{original}}": "",
        "{user_name}": person,
        "{current_datetime}": f"{now:%A, %d %B %Y, %H:%M %Z}",
    }
    return _PLACEHOLDER.sub(lambda match: values[match.group().lower()], text)
