"""Facts that the identity text, which stands in every prompt, states as well."""

from collections import Counter
from collections.abc import Iterator

from characters.authoring.lint.findings import Finding, Fix, removing
from characters.authoring.lint.opposites import Registry
from characters.domain import words
from characters.domain.entities import key
from characters.domain.facts import NOTE, predicate_words, sentence
from characters.domain.sheet import Fact, Sheet
from characters.language.contradictions import denies, subjects
from characters.language.sentences import texts
from characters.language.suggestions import patterns
from characters.profiles.learned.services import ALIKE

LEAST_SHARED = 2
"""Words with a subject."""
OF_THE_FACT = 0.7
"""Share of a fact's object that a sentence of the text has to say."""
OF_THE_TEXT = 0.8
"""Or share of the sentence that the fact says; of sentences of at least `LEAST_TEXT` words."""
LEAST_TEXT = 3
_OF_OTHERS = frozenset(
    """your my his her their our its he she they we it if unless would could whether maybe wish everybody people mother
    father brother sister friend where""".split()
)
"""Words before a phrase behind which it may be said of somebody else, or isn't said in earnest."""
MAX_TEXT = 50_000
_QUOTED = 160


def repeated_identity(sheet: Sheet, registry: Registry) -> Iterator[Finding]:
    """A finding per fact, with the sentence that states it."""
    stated_facts = patterns.extract(sheet.identity, names=[sheet.name], registered=registry)
    stated = {
        (name, key(stated_fact.object)): stated_fact
        for stated_fact in stated_facts
        for name in _alike(stated_fact.predicate)
    }
    text = _Sentences(sheet.identity)
    for fact in sheet.facts:
        stated_fact = stated.get((fact.predicate, key(fact.object))) if fact.predicate != NOTE else None
        where = sheet.identity[stated_fact.start : stated_fact.end] if stated_fact else text.stating(fact, registry)
        if where:
            message = f"The identity text already says “{fact.object}”: “{where[:_QUOTED]}”"
            yield Finding("repeated identity", message, (fact.id,), (Fix("Remove the fact", removing(fact)),))


def _alike(predicate: str) -> set[str]:
    return {predicate}.union(*(group for group in ALIKE if predicate in group))


class _Sentences:
    """The sentences of a text, by their words."""

    def __init__(self, text: str) -> None:
        self._texts = [sentence for sentence in texts(text[:MAX_TEXT]) if not sentence.endswith("?")]
        self._stems = [subjects(sentences) for sentences in self._texts]
        self._with: dict[str, list[int]] = {}
        for place, stems in enumerate(self._stems):
            for stem in stems:
                self._with.setdefault(stem, []).append(place)

    def stating(self, fact: Fact, registry: Registry) -> str:
        """The first sentence that says what the fact says; empty for none."""
        text = sentence(fact, registry.get(fact.predicate))
        of_object = subjects(fact.object)
        of_fact = subjects(text) | {words.stem(word) for word in predicate_words(fact.predicate).split()}
        shared = Counter(place for stem in of_object for place in self._with.get(stem, ()))
        for place in sorted(place for place, count in shared.items() if count >= LEAST_SHARED):
            stems = self._stems[place]
            says_it = shared[place] >= OF_THE_FACT * len(of_object)
            is_stated = len(stems) >= LEAST_TEXT and len(stems & of_fact) >= OF_THE_TEXT * len(stems)
            if (says_it or is_stated) and denies(text) == denies(self._texts[place]):
                return self._texts[place]
        return self._in_its_words(text, of_object)

    def _in_its_words(self, text: str, of_object: frozenset[str]) -> str:
        """A sentence that has the fact's own phrase, of nobody else: "a keeper who grew up in Oslo"."""
        phrase = words.tokens(text)[1:] if text.startswith("I ") else []
        if not of_object or len(phrase) <= LEAST_SHARED:
            return ""
        places = set.intersection(*(set(self._with.get(stem, ())) for stem in of_object))
        for place in sorted(places):
            sentences = words.tokens(self._texts[place])
            for start in range(len(sentences) - len(phrase) + 1):
                is_own = _OF_OTHERS.isdisjoint(sentences[:start])
                if (
                    sentences[start : start + len(phrase)] == phrase
                    and is_own
                    and denies(text) == denies(self._texts[place])
                ):
                    return self._texts[place]
        return ""
