"""Checks by predicates and words: contradictions, repeats of the identity text, unused facts, missing bases."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, combinations

from characters.authoring.lint import opposites
from characters.authoring.lint.findings import Finding, Fix, removing, without_base
from characters.authoring.lint.opposites import Read, Registry
from characters.conversations.models import Stage
from characters.domain import lexicon, words
from characters.domain.entities import key
from characters.domain.facts import NOTE, predicate_words, sentence
from characters.domain.sheet import Fact, Sheet
from characters.language.contradictions import denies, in_digits, subjects
from characters.language.sentences import texts
from characters.language.suggestions import patterns
from characters.profiles.learned.services import alike

_PLACES = frozenset({"BORN_IN", "GREW_UP_IN", "LIVES_IN"})
_KINDS_OF_PLACE = tuple(frozenset(map(key, lexicon.entries(section))) for section in ("cities", "countries"))
"""Cities, countries: of two places in one set, neither lies in the other."""
MOST_TURNS = 1_000
LEAST_TURNS = 30
"""Turns that used any fact, below which unused facts aren't reported."""
MOST_NOTED = 50
"""Most statements of a predicate, such as age, that are compared."""
LEAST_SHARED = 2
"""Content words that a sentence and the fact's object must share."""
OF_THE_FACT = 0.7
"""Share of the object's content words that a sentence must have to state the fact."""
OF_THE_TEXT = 0.8
"""Or share of the sentence's content words, at least `LEAST_TEXT`, that the fact must have."""
LEAST_TEXT = 3
MAX_TEXT = 50_000
_QUOTED = 160


def contradictions(sheet: Sheet, registry: Registry) -> Iterator[Finding]:
    """Yield contradictions of all kinds, each set of facts once."""
    listed: set[frozenset[str]] = set()
    facts = sheet.facts
    read = opposites.read(facts, registry, sheet.name)
    findings = (
        single_valued(facts, registry),
        noted(facts, read),
        opposites.likings(facts, read),
        opposites.denials(facts, registry, read),
    )
    for finding in chain.from_iterable(findings):
        if frozenset(finding.facts) not in listed:
            listed.add(frozenset(finding.facts))
            yield finding


def single_valued(facts: Sequence[Fact], registry: Registry) -> Iterator[Finding]:
    """Yield predicates that have several objects but can have only one."""
    for name, predicate in registry.items():
        same = [fact for fact in facts if fact.predicate == name]
        if not predicate.many and len(same) > 1:
            objects = " and ".join(f"“{fact.object}”" for fact in same)
            yield opposites.contradiction(f"{name} can have only one value, but the draft has {objects}.", same)


def noted(facts: Sequence[Fact], read: Read) -> Iterator[Finding]:
    """Yield notes whose age, city or country differs from that of a fact or another note."""
    by_predicate: dict[str, list[tuple[Fact, Fact]]] = {}
    for stated, fact in opposites.stated(facts, read):
        if stated.predicate in {"HAS_AGE", *_PLACES}:
            by_predicate.setdefault(stated.predicate, []).append((stated, fact))
    for name, rows in by_predicate.items():
        for (stated, fact), (second_statement, second) in combinations(rows[:MOST_NOTED], 2):
            if NOTE in {fact.predicate, second.predicate} and _disagree(stated, fact, second_statement, second):
                sentence = f"{name} can have only one value, but the sheet says “{fact.object}” and “{second.object}”."
                yield opposites.contradiction(sentence, [fact, second])


def _disagree(stated: Fact, fact: Fact, other: Fact, second: Fact) -> bool:
    if stated.predicate == "HAS_AGE":
        ages = _age(stated.object), _age(other.object)
        return None not in ages and ages[0] != ages[1]
    first_place, second_place = key(stated.object), key(other.object)
    apart = any(first_place in kind and second_place in kind for kind in _KINDS_OF_PLACE)
    both = ((fact, other), (second, stated))  # "I was born in Paris and in Rome"
    return apart and first_place != second_place and all(b.object.lower() not in a.object.lower() for a, b in both)


def _age(text: str) -> int | None:
    """ "26", "twenty-six years old" -> 26."""
    match = re.fullmatch(r"(\d{1,3})(?: years?(?: old)?)?", in_digits(text.strip()))
    return int(match[1]) if match else None


def missing_bases(sheet: Sheet, bases: Collection[str]) -> Iterator[Finding]:
    """Yield personas' knowledge bases that don't exist; `bases` are the slugs of those that do."""
    for persona in sheet.personas:
        for base in persona.bases:
            if base not in bases:
                fix = Fix(f"Remove “{base}”", (without_base(persona, base),))
                yield Finding(
                    "missing base", f"{persona.name} uses the base “{base}”, which doesn’t exist.", (), (fix,)
                )


@dataclass(frozen=True, slots=True)
class FactUse:
    """Numbers of turns that used each fact, by its id, among the `turns` turns that used any fact."""

    turns: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)


def fact_use_since(character_id: int, moment: datetime) -> FactUse:
    """Count uses of facts in the last live turns since `moment`, without sandboxes, variants and fixed replies."""
    rows = Stage.objects.filter(
        name="background",
        status=Stage.Status.OK,
        turn__metrics__isnull=False,
        turn__message__conversation__character_id=character_id,
        turn__created_at__gte=moment,
    ).order_by("-turn_id")
    used = [facts for facts in rows.values_list("evidence__used", flat=True)[:MOST_TURNS] if facts]
    counts = Counter(fact["id"] for facts in used for fact in facts)
    return FactUse(turns=len(used), counts=dict(counts))


def never_used(sheet: Sheet, use: FactUse, live: Collection[str]) -> Iterator[Finding]:
    """Yield facts that no turn used; `live` are the ids of those that turns could use."""
    if use.turns < LEAST_TURNS:
        return
    for fact in sheet.facts:
        if fact.id in live and not use.counts.get(fact.id):
            name = f"{fact.predicate} “{fact.object}”"
            text = f"{name} was used in none of the last {use.turns:,} turns that used facts."
            yield Finding("never used", text, (fact.id,), (Fix("Remove the fact", removing(fact)),))


def repeated_identity(sheet: Sheet, registry: Registry) -> Iterator[Finding]:
    """Yield facts that the identity text, which stands in every prompt, states as well."""
    stated_facts = patterns.extract(sheet.identity, names=[sheet.name], registered=registry)
    stated = {
        (name, key(stated_fact.object)): stated_fact
        for stated_fact in stated_facts
        for name in alike(stated_fact.predicate)
    }
    text = _Sentences(sheet.identity)
    for fact in sheet.facts:
        stated_fact = stated.get((fact.predicate, key(fact.object))) if fact.predicate != NOTE else None
        where = sheet.identity[stated_fact.start : stated_fact.end] if stated_fact else text.stating(fact, registry)
        if where:
            message = f"The identity text already says “{fact.object}”: “{where[:_QUOTED]}”"
            yield Finding("repeated identity", message, (fact.id,), (Fix("Remove the fact", removing(fact)),))


class _Sentences:
    """A text's sentences, without questions, indexed by their content words."""

    def __init__(self, text: str) -> None:
        self._texts = [sentence for sentence in texts(text[:MAX_TEXT]) if not sentence.endswith("?")]
        self._stems = [subjects(sentences) for sentences in self._texts]
        self._with: dict[str, list[int]] = {}
        for place, stems in enumerate(self._stems):
            for stem in stems:
                self._with.setdefault(stem, []).append(place)

    def stating(self, fact: Fact, registry: Registry) -> str:
        """Return the first sentence that says what the fact says, or an empty string."""
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
        return ""
