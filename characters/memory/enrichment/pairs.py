"""Pairs of messages to classify, and what their words show without a model. No Django."""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from characters.domain import words
from characters.domain.relations import Relation

IdPair = tuple[int, int]
"""Ids of two messages, the earlier one first."""

MAX_TEXT = 1200
"""Characters of a message that are read, or sent to a model: its beginning shows the class."""

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")
_OPENING = re.compile(
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
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|we're|we've|our|us)\b")
RELATED = 0.3
"""Cosine from which two messages share a subject (MiniLM; fitted on the dev rows of tests/data/relations.jsonl)."""
FAR = 0.2
"""Cosine below which two messages share no subject, unless they share a word or one refers to the other."""


def plain(text: str) -> str:
    """Return the text in lower case, with straight quotes and single spaces."""
    return " ".join(text.replace("’", "'").replace("‘", "'").lower().split())


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the later message relates to the earlier one; `confidence` in [0, 1], `evidence` a short sentence."""

    relation: Relation
    confidence: float
    evidence: str = ""


@dataclass(frozen=True)
class MessageText:
    """A message as enrichment reads it; `id` is its row's."""

    text: str
    id: int
    at: datetime

    @cached_property
    def plain(self) -> str:
        return plain(self.text[:MAX_TEXT])

    @cached_property
    def sentences(self) -> list[str]:
        return [sentence for sentence in _SENTENCE_END.split(self.plain) if sentence]

    @cached_property
    def is_question(self) -> bool:
        return any(each.endswith("?") or bool(_ASKING.match(_without_opening(each))) for each in self.sentences)

    @cached_property
    def is_command(self) -> bool:
        """Return whether a sentence begins with an imperative."""
        return any(_without_opening(each).split(" ", 1)[0].strip(",.!?:;*") in _VERBS for each in self.sentences)

    @cached_property
    def is_asking(self) -> bool:
        """Return whether it is a question, a command or a wish: it wants an answer."""
        return self.is_question or self.is_command or bool(_WANTING.search(self.plain))

    @cached_property
    def is_remark(self) -> bool:
        """Return whether it is a statement, which wants no answer."""
        return bool(self.plain) and not self.is_asking

    @cached_property
    def is_personal(self) -> bool:
        return bool(_FIRST_PERSON.search(self.plain))

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(words.stems(self.text[:MAX_TEXT]))


def _without_opening(sentence: str) -> str:
    """Return the sentence without opening words ("ok", "please", "from now on")."""
    return _OPENING.sub("", sentence)


@dataclass(frozen=True)
class Pair:
    """Two messages to classify; `cosine` of their vectors, None if unknown."""

    earlier: MessageText
    later: MessageText
    cosine: float | None = None

    @property
    def ids(self) -> IdPair:
        return self.earlier.id, self.later.id

    @cached_property
    def shared(self) -> frozenset[str]:
        return self.earlier.stems & self.later.stems

    @cached_property
    def are_related(self) -> bool:
        """Return whether they share a subject, by vectors or by a word."""
        return bool(self.shared) or (self.cosine or 0.0) >= RELATED

    @cached_property
    def are_far(self) -> bool:
        return not self.shared and self.cosine is not None and self.cosine < FAR
