"""The character sheet as turns read it: one document, validated in `characters.profiles.documents`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

SCHEMA = 1
NO_FAMILY = "other"
PLACEHOLDERS = ("{{char}}", "{{user}}", "{user_name}", "{current_datetime}")
"""Placeholders that an author's text may contain."""
_PLACEHOLDER = re.compile("|".join(map(re.escape, (*PLACEHOLDERS, "{{original}}"))), re.IGNORECASE)
BY_AUTHOR, BY_FAMILY = 1.0, 0.5
"""Weight of a fact in a concept that the author named, and in one that stands for its predicate's family."""
LEARNED_ID = "learned:"
"""Prefix of the id of a learned fact; no id in a sheet begins with it."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A registered kind of fact.

    `sentence` is in the first person, with `{object}` ("I grew up in {object}"), with `{a object}` if it needs an
    article ("I am {a object}"), or a subject alone ("My father"), which is joined with the object. `question` asks for
    the fact ("Where did you grow up?").
    """

    name: str
    family: str = NO_FAMILY
    many: bool = True
    learnable: bool = False
    sentence: str = ""
    question: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact about a character. A core fact's `id` is short and part of the sheet; predicate NOTE is a plain sentence.

    `questions` are those that the author wants it to answer; they count like those of its predicate.
    """

    id: str
    predicate: str
    object: str
    questions: tuple[str, ...] = ()


def learned_pk(fact_id: str) -> int:
    """Return the primary key of a learned fact's row."""
    return int(fact_id.removeprefix(LEARNED_ID))


def is_learned(fact_id: str) -> bool:
    """Return whether this is the id of a learned fact."""
    return fact_id.startswith(LEARNED_ID)


@dataclass(frozen=True, slots=True)
class RuntimeFact:
    """A fact that an imported sheet had learned. No turn uses it until an operator has reviewed it."""

    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class Persona:
    """A way of speaking for a turn."""

    slug: str
    name: str
    instructions: str
    bases: tuple[str, ...] = ()
    """Slugs of the knowledge bases that choose it."""
    keywords: tuple[str, ...] = ()
    """Words of the message that choose it if no persona goes with the primary base."""
    default: bool = False
    model: str = ""
    """The language model that its turns ask, by its name at the endpoint; empty for the one of the settings."""
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None

    @property
    def options(self) -> dict[str, float]:
        """The parameters that it sets, by OpenAI's names."""
        named = {"temperature": self.temperature, "top_p": self.top_p, "max_tokens": self.max_tokens}
        return {name: value for name, value in named.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Concept:
    """A category such as career, and the predicates of its facts."""

    name: str
    predicates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AmbientSettings:
    """Limits and weights of ambient connections."""

    depth: int = 1
    """Hops from an entity of the message: 1 or 2."""
    max_nodes: int = 10
    tokens: int = 200
    threshold: float = 0.5
    families: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Factors of the score by family of predicates; 1 for families not named."""


Pronouns = Literal["they", "she", "he", "it"]
REFLEXIVES: Mapping[Pronouns, str] = {"they": "themself", "she": "herself", "he": "himself", "it": "itself"}


@dataclass(frozen=True, slots=True)
class Settings:
    """The author's settings for a character's turns."""

    pronouns: Pronouns = "they"
    """Used for the character in the interface and in prompts."""
    stages_off: tuple[str, ...] = ()
    ambient: AmbientSettings = field(default_factory=AmbientSettings)
    questions: tuple[str, ...] = ()
    """Example questions, offered in the playground."""
    learning: Literal["off", "propose"] = "off"
    """Whether what the character says about itself is proposed to an operator."""
    most_learned: int = 50
    """Most learned facts in use at a time."""


@dataclass(frozen=True, slots=True)
class LoreEntry:
    """An entry of a lorebook: told when one of its keys is mentioned, or always if it is `constant`.

    `content` may begin with decorators such as `@@scan_depth 2`; see `characters.turn.lore` for those supported.
    """

    id: str
    content: str
    name: str = ""
    keys: tuple[str, ...] = ()
    secondary_keys: tuple[str, ...] = ()
    """If the entry is `selective`, one of these must be mentioned too."""
    selective: bool = False
    constant: bool = False
    case_sensitive: bool = False
    use_regex: bool = False
    enabled: bool = True
    order: float = 100
    """Lower comes earlier in the prompt."""
    priority: float | None = None
    """Lower is left out sooner if there is no room; None stands for `order`."""
    position: Literal["before_char", "after_char"] = "after_char"
    scan_depth: int = 4
    """Number of newest messages that are searched for its keys."""
    recursive: bool = False
    """Whether other entries' content is searched for its keys."""
    probability: float = 100
    """In percent. 0 means never; any other value means whenever triggered: turns are deterministic."""
    token_budget: int = 0
    """Most tokens of all triggered entries of its lorebook; 0 leaves it to the prompt's budget."""

    @property
    def book(self) -> str:
        """Prefix of the ids in its lorebook; empty for an entry of a card or of no lorebook."""
        return "".join(self.id.partition("-")[:2]) if "-" in self.id else ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything an author writes about a character.

    `nickname`, if not empty, replaces `{{char}}`. `system_prompt` comes before the identity and
    `post_history_instructions` after the newest message; `<START>` separates `example_messages`. A conversation begins
    with one of the `greetings`.
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
        """The name that `{{char}}` stands for."""
        return self.nickname or self.name

    @property
    def default_persona(self) -> Persona | None:
        """The persona of turns for which no rule chooses one; None if the sheet has no default."""
        return next((persona for persona in self.personas if persona.default), None)


def concepts_by_family(sheet: Sheet, predicates: Mapping[str, Predicate]) -> tuple[Concept, ...]:
    """Return one concept per family, such as "work", for predicates that none of the sheet's own concepts names."""
    named = {predicate for concept in sheet.concepts for predicate in concept.predicates}
    by_family: dict[str, list[str]] = {}
    for name in dict.fromkeys(fact.predicate for fact in sheet.facts):
        family = predicates[name].family if name in predicates else NO_FAMILY
        if name not in named and family != NO_FAMILY:
            by_family.setdefault(family, []).append(name)
    return tuple(Concept(family, tuple(names)) for family, names in by_family.items())


def concept_weights(sheet: Sheet, predicates: Mapping[str, Predicate]) -> Mapping[str, Mapping[str, float]]:
    """Return for each predicate the weights of its facts in concepts, by name of the concept."""
    weights: dict[str, dict[str, float]] = {}
    for concepts, weight in ((sheet.concepts, BY_AUTHOR), (concepts_by_family(sheet, predicates), BY_FAMILY)):
        for concept in concepts:
            for predicate in concept.predicates:
                weights.setdefault(predicate, {}).setdefault(concept.name, weight)
    return weights


def expanded(text: str, *, character: str, person: str, now: datetime) -> str:
    """Fill names and time into an author's text, in one pass: what is filled in is never expanded again.

    `{{original}}` stands for a client's own prompt and is always empty here.
    """
    values = {
        "{{char}}": character,
        "{{user}}": person,
        "{{original}}": "",
        "{user_name}": person,
        "{current_datetime}": f"{now:%A, %d %B %Y, %H:%M %Z}",
    }
    return _PLACEHOLDER.sub(lambda match: values[match.group().lower()], text)
