"""What can be seen of two messages without a model: their moods, what they share, the words that tie them."""

import re
from dataclasses import dataclass
from functools import cached_property

from characters.domain import words

MAX_TEXT = 1200
"""Characters of a message that are looked at: a class shows at its beginning, and patterns stay quick."""

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")
_LEAD = re.compile(
    r"^(?:(?:please|ok|okay|right|well|so|now|then|actually|also|and|but|honestly|just|hey|hi|hello|thanks|for once|"
    r"in (?:the )?future|going forward|from (?:now|here) on|as a (?:general )?rule|"
    r"(?:for|in|with|at) (?:everything|anything|all|every|each) [^,]{1,40},)[,:]?\s+)+"
)
_VERBS = frozenset(
    """act add address analyse analyze answer assume avoid be behave brainstorm build calculate call change check choose
    come compare compose continue convert correct create cut debug decide define describe design do don't draft drop
    edit end explain fill find finish fix follow format forget generate get give go guess guide help imagine include
    invent keep leave let let's limit list look make name narrate never only outline pick picture plan play pretend
    proofread propose prove put quiz quote rate read recommend reformat remember remind repeat rephrase reply respond
    review rewrite roleplay say send set share shorten show simplify skip solve sort speak spell start stay stick stop
    structure suggest summarise summarize suppose swap switch take talk teach tell test throw translate treat try turn
    use walk wrap write""".split()
)
_ASKING = re.compile(
    r"^(?:can|could|would|will|should|shall|do|does|did|is|are|was|were|who|whom|whose|what|what's|where|where's|which|"
    r"why|how|how's|any)\b"
)
_WANTING = re.compile(
    r"\b(?:(?:can|could|would|will) you|i (?:need|want|would like) (?:you to|to know|a|an|some|help|advice|ideas)|"
    r"i'd like (?:you to|to know|to (?:write|learn|plan|see)|a|an|some)|help me|need (?:help|advice|to find|a|an|some)|"
    r"more ideas|looking for)\b"
)
_POINTING = re.compile(
    r"\b(?:it|its|that|this|them|those|these|one|ones|both|him|her|there|(?:the|of the) (?:two|three|four|five|first|"
    r"second|third|last|other|same)|which of|instead)\b"
)
_POINTING_FIRST = re.compile(r"^(?:it|it's|its|he|he's|his|she|she's|her|they|they're|their|this|that|that's)\b")
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|we're|we've|our|us)\b")
RELATED = 0.3
"""Cosine from which two messages share a subject (MiniLM; fitted on the dev rows of tests/data/relations.jsonl)."""
FAR = 0.2
"""Cosine below which they don't, unless they share a word or one points to the other."""


def plain(text: str) -> str:
    """Lower case, straight quotes, one space."""
    return " ".join(text.replace("’", "'").replace("‘", "'").lower().split())


@dataclass(frozen=True)
class Message:
    """One of the two texts."""

    text: str

    @cached_property
    def plain(self) -> str:
        return plain(self.text[:MAX_TEXT])

    @cached_property
    def sentences(self) -> list[str]:
        return [sentence for sentence in _SENTENCE_END.split(self.plain) if sentence]

    @cached_property
    def is_empty(self) -> bool:
        return not self.plain

    @cached_property
    def is_question(self) -> bool:
        return any(each.endswith("?") or bool(_ASKING.match(_led(each))) for each in self.sentences)

    @cached_property
    def is_command(self) -> bool:
        """Whether a sentence begins with a verb that tells somebody to do something."""
        return any(_led(each).split(" ", 1)[0].strip(",.!?:;*") in _VERBS for each in self.sentences)

    @cached_property
    def is_asking(self) -> bool:
        """A question, a command or a wish: it wants an answer."""
        return self.is_question or self.is_command or bool(_WANTING.search(self.plain))

    @cached_property
    def is_personal(self) -> bool:
        return bool(_FIRST_PERSON.search(self.plain))

    @cached_property
    def points_back(self) -> bool:
        return bool(_POINTING.search(self.plain)) or self.points_first

    @cached_property
    def points_first(self) -> bool:
        return bool(_POINTING_FIRST.match(_led(self.plain)))

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(words.stems(self.text[:MAX_TEXT]))


def _led(sentence: str) -> str:
    """Without the words that only lead a sentence in."""
    return _LEAD.sub("", sentence)


@dataclass(frozen=True)
class Both:
    """The earlier message, the later one, and how near their vectors are (None: not known)."""

    earlier: Message
    later: Message
    cosine: float | None = None

    @cached_property
    def shared(self) -> frozenset[str]:
        return self.earlier.stems & self.later.stems

    @cached_property
    def are_related(self) -> bool:
        """Whether they share a subject, by vectors or by a word."""
        return bool(self.shared) or (self.cosine or 0.0) >= RELATED

    @cached_property
    def are_far(self) -> bool:
        return not self.shared and self.cosine is not None and self.cosine < FAR
