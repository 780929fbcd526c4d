"""Cues that the character is asked about itself, each with a plain-language explanation."""

import re
from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from characters.domain import words
from characters.turn import signals
from characters.turn.fact_index import FactIndex, Floats
from characters.turn.signals import Signals
from characters.turn.weights import Deciding

NOT_CLOSE = "no fact is close enough to the message"
_TO_DO = "it is a request, not a question about the character"
_OF_THE_PERSON = "it is about the person, not the character"

CUES: Mapping[str, tuple[str, str]] = {
    "question": ("it is like a question that a fact answers", NOT_CLOSE),
    "rank": ("a fact stands out", NOT_CLOSE),
    "about her": ("it sounds like a question about someone", "it doesn't sound like a question about the character"),
    "near examples": ("it resembles questions about a person", "it resembles questions about nobody in particular"),
    "you": ("it says “you”", "it doesn't speak to the character"),
    "my": ("", _OF_THE_PERSON),
    "I": ("", _OF_THE_PERSON),
    "do I": ("", _OF_THE_PERSON),
    "task": ("", _TO_DO),
    "do you": ("it asks “do you” or “are you”", ""),
    "words": ("a fact has its words", NOT_CLOSE),
    "prose": ("", ""),
    "prose rank": ("a sentence of the character stands out", NOT_CLOSE),
    "prose words": ("a sentence of the character has its words", NOT_CLOSE),
    "prose meaning": ("a sentence of the character means much the same", NOT_CLOSE),
}
"""For each cue, the reason shown when it counts for, and against, a question about the character.
Cue `prose`: the best fact is a plain sentence, for which there are no ready-made questions.
"""

_PLAINLY = ("task", "my", "do I", "I", "you", "about her", "near examples")
"""Cues visible in the message itself, most obvious first; they are shown before cues about the facts."""

_POSITIVE = ("task", "my", "do I", "I")
"""Cues that explain something only when present."""

YOU = frozenset("you your yours yourself yourselves u ur you're you've you'd you'll youre".split())
_YOURS = frozenset("your yours yourself ur".split())
_MY = frozenset("my mine myself".split())
_I = frozenset("i i'm i've i'd i'll im me".split())
_TASK = re.compile(
    r"\b(?:i need|i want|i'd like|i would like) (?:you|u) to\b"
    r"|\b(?:can|could|would|will) (?:you|u)(?: please| kindly)? (?!be\b|have\b|like\b)\w+ \w+",
    re.IGNORECASE,
)
"""Matches a request for a task ("Can you set a timer"): two words follow the verb, so "Can you swim" is none."""
_DO_I = re.compile(
    r"\b(?:am|do|did|was|have|had|should|shall|can|could|will) i\b"
    r"|\b(?:what|who|when|where|how)(?:'?s| is| was| are| were)? my\b"
    r"|\b(?:know|remember|recall|forget) (?:(?:what|when|where|who|if|that) )?(?:me|my|i)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^\W*(?:(?:and|so|but|well|then|ok|okay|please) )*(?:(?:who|what|where|when|which|whose|why|how)(?:'?s)?|do|does"
    r"|did|is|are|was|were|has|have|had|can|could|would|will|tell|describe)\b|^\W*(?:and )?your \w+\W*$|\?\W{0,9}$",
    re.IGNORECASE,
)
_OF_ANYTHING = frozenset(map(words.stem, ("favorite", "favourite")))
"""Stems that mean nothing without the next word: favourite what?"""
_DO_YOU = re.compile(
    r"\b(?:do|are|were|did|have|is|was|what'?s|where'?s|who'?s|about|has) (?:you|your|u|ur)\b", re.IGNORECASE
)


def of_message(
    message: str, name: str, index: FactIndex, of_signals: Signals, ranks: Floats, about: tuple[float, float]
) -> Floats:
    """Return the values of `CUES`, in order. `ranks` are the facts' scores, `about` the score of the message's
    embedding.
    """
    tokens = set(words.tokens(message))
    named = tokens & {f"{word}'s" for word in words.tokens(name)}
    best = int(ranks.argmax())
    top = of_signals.of_facts[best]
    is_prose = float(not index.is_asked_for[best])
    share = float(top[signals.RARE]) / (of_signals.most_words or 1.0)
    return np.array(
        [
            float(of_signals.of_facts[:, signals.QUESTION].max()),
            float(ranks[best]),
            *about,
            bool(tokens & YOU or named),
            bool(tokens & _MY),
            bool(tokens & _I),
            bool(_DO_I.search(message)),
            _is_task(message),
            bool(_DO_YOU.search(message)),
            float(top[signals.WORDS] + top[signals.NAMED]),
            is_prose,
            is_prose * float(ranks[best]),
            is_prose * share,
            is_prose * float(top[signals.SENTENCE]),
        ],
        dtype=np.float32,
    )


def names_a_category(message: str, index: FactIndex) -> bool:
    """Return whether the message asks about "your <category of facts>": "How's your family?", but not "I like your
    work".
    """
    tokens = words.tokens(message)
    if "i" in tokens or not _ASKS.search(message) or _is_task(message):
        return False
    named = {words.stem(word) for your, word in pairwise(tokens) if your in _YOURS}
    return any(stem in index.members for stem in named - _OF_ANYTHING)


def _is_task(message: str) -> bool:
    """Return whether the message asks for a task: "Can you set a timer", but not "Can you tell me where you live"."""
    task = _TASK.search(message)
    return task is not None and YOU.isdisjoint(words.tokens(message[task.end() :]))


def reasons(values: Floats, deciding: Deciding, *, asked: bool) -> str:
    """Return the cues that weigh most for the decision, in words: at most two if asked, one if not."""
    pull = (values - deciding.typical) * deciding.asked.weights * (1 if asked else -1)
    names = deciding.asked.names
    order = [int(cue) for cue in np.argsort(-pull) if pull[cue] > 0 and (values[cue] or names[cue] not in _POSITIVE)]
    if not asked:
        order.sort(key=lambda cue: _PLAINLY.index(names[cue]) if names[cue] in _PLAINLY else len(_PLAINLY))
    clauses = dict.fromkeys(clause for cue in order if (clause := CUES[names[cue]][0 if asked else 1]))
    plain = "it asks for one of the character's facts" if asked else NOT_CLOSE
    return " and ".join(list(clauses)[: 2 if asked else 1]) or plain
