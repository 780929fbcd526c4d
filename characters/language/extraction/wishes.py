"""Lasting wishes: "I want to open a tea house"."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from characters.domain import lexicon
from characters.domain.people import Statement
from characters.language.english import Clause, child_of
from characters.language.extraction import nouns
from characters.language.extraction.nouns import Phrase
from characters.language.extraction.people import Who
from characters.language.extraction.verbs import objects, stated

if TYPE_CHECKING:
    from spacy.tokens import Token

WISHING = frozenset("want hope dream plan aim wish intend save".split())
_LASTING = frozenset(word.split()[0] for word in lexicon.entries("lasting wishes"))
_SOME_DAY = re.compile(r"\b(?:one day|some ?day|eventually|always wanted|dream|bucket list)\b", re.IGNORECASE)
_WHERE = re.compile(r" in (?!January|February|March|April|May|June|July|August|September|October)[A-Z][\w'’-]+")
_NO_AIM = (" with", " by", " after", " before", " since", " like")
"""Prepositions behind which no wish is told."""


def of_wishing(clause: Clause, who: Who) -> Iterator[Statement]:
    """Yield the wish behind "want to", "would love to", "dream of"."""
    prep = child_of(clause.verb, "prep")
    inner = child_of(clause.verb, "xcomp", "ccomp") or (child_of(prep, "pcomp") if prep is not None else None)
    if inner is not None and not clause.negated and not clause.happened:
        yield from wished(inner, who)


def wished(verb: "Token", who: Who) -> Iterator[Statement]:
    """Yield a verb with its object, if it is one of a lasting wish, or of some day."""
    if verb.lemma_ not in _LASTING and not _SOME_DAY.search(verb.sent.text):
        return
    further = child_of(verb, "xcomp", "ccomp")
    for name, head in (*objects(verb), *(objects(further) if further is not None else ())):
        if not name.endswith(_NO_AIM) and (phrase := nouns.phrase(head)):
            where = _WHERE.match(verb.doc.text, phrase.end)
            end = where.end() if where else phrase.end
            yield stated("WANTS", Phrase(verb.doc.text[verb.idx : end], verb.idx, end, head), who)
            return
