"""Intent: what kind of message is this? Rules decide first, then example vectors."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from characters.domain import words
from characters.turn.probe import Probe, fixed_reply
from characters.turn.request import IntentKind, TurnRequest, Vector, Vectors

EXAMPLES: Mapping[IntentKind, tuple[str, ...]] = {
    "small talk": (
        "Hi there",
        "Good morning!",
        "How are you today?",
        "Thanks, that was lovely.",
        "See you tomorrow, bye.",
        "Haha, nice one.",
        "It's raining again here.",
        "I like cats.",
        "My sister is coming over tomorrow.",
    ),
    "self-query": (
        "Tell me about yourself.",
        "Where did you grow up?",
        "How is your family?",
        "What do you do for a living?",
        "What are you afraid of?",
        "Do you like music?",
        "Were you a happy child?",
    ),
    "user-query": (
        "What do you remember about me?",
        "Tell me about myself.",
        "Where did I say I live?",
        "What is my sister's name?",
        "Do you know what I do for work?",
    ),
    "knowledge question": (
        "What happened after the battle?",
        "How many were counted in the last survey?",
        "Which form do I need for the permit?",
        "Explain how this works.",
        "What is the capital of that country?",
        "Who leads that group?",
        "When was the entry last updated?",
    ),
}

_SMALL_TALK = re.compile(
    r"^\W*(?:(?:hi|hello|hey|hiya|howdy|yo|good (?:morning|afternoon|evening|night)|thanks|thank you|cheers|bye|goodbye"
    r"|see you|ok|okay|lol|haha|nice|cool|great|there|all|everyone|so much|very much|again|later|how are (?:you|things)"
    r"|how'?s it going|what'?s up)\b\W*)+(?:\w+\W*)?$",
    re.IGNORECASE,
)
_SELF = frozenset("you your yours yourself u you're you've you'd".split())
_USER = frozenset("my mine myself me".split())
_RECALL = re.compile(r"\b(?:about|remember|know|tell|told|said|did)\b.*\b(?:me|myself|i|my)\b", re.IGNORECASE)
_OF_ME = re.compile(r"\b(?:do i|am i(?! (?:talking|speaking|chatting)))\b", re.IGNORECASE)
CLOSE = 0.05


@dataclass(frozen=True, slots=True)
class Intent:
    """The kind of the message and the signs for it."""

    kind: IntentKind = "knowledge question"
    rule: str = ""
    scores: Mapping[IntentKind, float] | None = None
    """Highest similarity to an example, by kind."""
    nearest: str = ""
    by_vectors: bool = False
    close_call: bool = False
    skipped: str = ""


def classify(
    request: TurnRequest, probed: Probe, vector: Vector | None, examples: Mapping[IntentKind, Vectors]
) -> Intent:
    """Return the kind of the message. Without vectors, only rules decide."""
    if request.is_off("intent"):
        return Intent(skipped="switched off")
    scores, nearest = _similar(vector, examples)
    kind, rule = _by_rule(request.message, probed)
    if kind:
        return Intent(kind, rule, scores, nearest)
    if not scores:
        return Intent("knowledge question", "no rule fits, and there are no vectors to compare", scores)
    ranked = sorted(scores, key=lambda name: -scores[name])
    close = scores[ranked[0]] - scores[ranked[1]] < CLOSE
    return Intent(ranked[0], f"closest to “{nearest}”", scores, nearest, by_vectors=True, close_call=close)


def _by_rule(message: str, probed: Probe) -> tuple[IntentKind | None, str]:
    tokens = set(words.tokens(message))
    recall = bool(_OF_ME.search(message) and not tokens & _SELF) or bool(tokens & _USER and _RECALL.search(message))
    recall = recall and not tokens & {"your", "yourself"}
    base = probed.primary
    rules: tuple[tuple[bool, IntentKind, str], ...] = (
        (bool(fixed_reply(message)), "command", "a reflex command"),
        (bool(_SMALL_TALK.match(message)), "small talk", "nothing but a greeting, thanks or parting"),
        ({"your", "my"} <= tokens, "mixed", "it asks about both sides, “your” and “my”"),
        (recall, "user-query", "it asks what is known about the person"),
        (bool(tokens & _SELF and base), "mixed", "it addresses the character, and the primary base has an answer"),
        (bool(base), "knowledge question", "the primary base has an answer"),
        (bool(tokens & {"your", "yours", "yourself"}), "self-query", "it asks about the character"),
    )
    return next(((kind, rule) for fits, kind, rule in rules if fits), (None, ""))


def _similar(vector: Vector | None, examples: Mapping[IntentKind, Vectors]) -> tuple[dict[IntentKind, float], str]:
    """Return the highest similarity to an example by kind, and the nearest example of all."""
    if vector is None or not examples:
        return {}, ""
    similarities = {kind: rows @ vector for kind, rows in examples.items()}
    scores = {kind: float(of_kind.max()) for kind, of_kind in similarities.items()}
    top = max(scores, key=lambda kind: scores[kind])
    return scores, EXAMPLES[top][int(similarities[top].argmax())]
