"""What "be" and "have" state: "am a nurse at Mercy", "is 6", "was a miner"; a cat called Luna, a brother."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from characters.domain import lexicon
from characters.domain.entities import key
from characters.domain.people import EntityKind, Statement
from characters.language.english import Clause, child_of
from characters.language.extraction import nouns, people, readers
from characters.language.extraction.nouns import Phrase
from characters.language.extraction.people import People, Who, capitalised
from characters.language.extraction.verbs import LATELY, employed, stated

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_FOR_YEARS = re.compile(r"\b(?:for|since)\b.{0,25}\b(?:years?|months?|(?:19|20)\d\d)\b", re.IGNORECASE)
_YEARS_OLD = re.compile(r"\b(\d{1,2}|1[01]\d)[- ]?(?:years?[- ]old|yo|y/o|yrs? old)\b", re.IGNORECASE)
_NOT_IN_EARNEST = frozenset("basically practically".split())
"""Words by which "I'm basically a taxi driver" is none."""
_NO_SUBJECT_OF_STUDY = frozenset("high school college university uni phd".split())
_NOT_HAD = people.BARRED | {"hot", "that", "this", "no", "the", "any"}


def of_being(clause: Clause, who: Who) -> Iterator[Statement]:
    """Yield what "be" says of somebody."""
    complement = child_of(clause.verb, "attr", "acomp", "oprd")
    if clause.happened:
        if not clause.negated:
            yield from was(clause.verb, who)
        return
    if any(child.lower_ in _NOT_IN_EARNEST for child in clause.verb.children):
        return
    yield from _is_in(clause, who)
    if (
        complement is None
        or (clause.negated and not clause.over)
        or any(child.lower_ in {"no", "such"} for child in complement.lefts)
    ):
        return
    for predicate, read in _readers_of(complement, who):
        phrases = list(read)
        yield from (stated(predicate, phrase, who, ends=clause.over) for phrase in phrases)
        for phrase in phrases:
            yield from employed(predicate, phrase, who)
        if phrases:
            break
    if old := _YEARS_OLD.search(complement.doc.text, clause.verb.idx, complement.idx + len(complement)):
        yield stated("HAS_AGE", Phrase(old[1], *old.span(1), complement), who)
    yield from _as_student_or_fan(complement, who)


def _readers_of(complement: "Token", who: Who) -> Iterator[tuple[str, Iterator[Phrase]]]:
    """Yield predicates and what is read for each, the likeliest first."""
    is_bare = child_of(complement, "det") is None
    number = child_of(complement, "npadvmod")
    is_old = complement.lemma_ == "old" and number is not None and number.lemma_ == "year"
    years = child_of(number, "nummod") if number is not None and is_old else complement
    yield "HAS_AGE", readers.age(years if years is not None else complement)
    yield "HAS_DIET", readers.diet(complement)
    if is_bare:
        yield "HAS_CONDITION", readers.condition(complement)
    if who.kind == "pet":
        yield "IS_A", readers.species(complement)
    elif not is_bare:
        yield "WORKS_AS", readers.occupation(complement)
        yield "IS_A", readers.identity(complement)


def _is_in(clause: Clause, who: Who) -> Iterator[Statement]:
    """Read "we're not in Ghent any more", "been in Oslo for six years"."""
    prep = child_of(clause.verb, "prep")
    where = child_of(prep, "pobj") if prep is not None and prep.lower_ == "in" else None
    is_long = clause.verb.tag_ == "VBN" and not clause.negated and _FOR_YEARS.search(clause.verb.sent.text)
    if where is not None and (clause.over or is_long):
        yield from (stated("LIVES_IN", phrase, who, ends=clause.over) for phrase in readers.place(where))


def was(verb: "Token", who: Who) -> Iterator[Statement]:
    """Read "was a court reporter", "used to be a miner", "was vegetarian"."""
    complement = child_of(verb, "attr", "acomp")
    for phrase in readers.diet(complement) if complement is not None and who.kind == "person" else ():
        yield stated("HAS_DIET", phrase, who, ends=True)
    for phrase in readers.occupation(complement) if complement is not None and who.kind == "person" else ():
        is_role = any(child.lower_ in {"a", "an"} for child in phrase.head.lefts)
        if is_role and not LATELY.search(verb.sent.text):
            yield stated("WORKS_AS", phrase, who, ends=True)


def _as_student_or_fan(complement: "Token", who: Who) -> Iterator[Statement]:
    compounds = [child for child in complement.lefts if child.dep_ == "compound"]
    phrases = [phrase for child in compounds if (phrase := nouns.phrase(child))]
    if complement.lemma_ == "student":
        yield from employed(
            "STUDIES", Phrase(complement.text, complement.idx, complement.idx + len(complement), complement), who
        )
        fields = (phrase for phrase in phrases if phrase.text.lower() not in _NO_SUBJECT_OF_STUDY)
        yield from (stated("STUDIES", phrase, who) for phrase in fields)
    if complement.lemma_ == "fan":
        yield from (stated("LIKES", phrase, who) for phrase in phrases[-1:])


def of_having(clause: Clause, who: Who, whom: People) -> Iterator[Statement]:
    """Read pets and relatives behind "have": "a cat called Luna", "a brother called Sol"."""
    direct = child_of(clause.verb, "dobj")
    if clause.verb.lemma_ not in {"have", "own", "keep"} and not clause.is_done:
        return  # "we're getting a kitten soon"
    if direct is None or (clause.happened and clause.verb.lemma_ in {"have", "own"}):
        return
    listed = list(nouns.items(direct))
    for noun in direct.doc[direct.i : clause.verb.right_edge.i + 1]:
        named = noun.nbor(-1).lower_ in {"a", "an"} and people.called(noun.doc.text, noun.idx + len(noun), many=False)
        if noun in listed or named:
            yield from _had(noun, who, whom)


def of_nouns(doc: "Doc", whom: People) -> Iterator[Statement]:
    """Read pets of a sentence without a subject: "two dogs, one parrot, zero free time"."""
    for noun in doc if doc[0].dep_ != "cc" else ():
        stands_alone = noun.dep_ in {"ROOT", "conj", "appos", "dep"} and noun.pos_ in {"NOUN", "PROPN"}
        if stands_alone and child_of(noun, "nummod", "det") is not None:
            yield from _had(noun, Who(""), whom)


def _had(noun: "Token", who: Who, whom: People) -> Iterator[Statement]:
    phrase = nouns.phrase(noun)
    if phrase is None or any(child.lower_ in _NOT_HAD for child in noun.lefts):
        return
    if noun.tag_ == "NN" and not phrase.determined and noun.pos_ == "NOUN":
        return  # "I got fish and chips"
    plain = phrase.text.lower()
    names = people.called(noun.doc.text, phrase.end, many=lexicon.singular(plain) != plain)
    relation, species = people.kin(plain.split()[-1]), lexicon.tail("pets", phrase.text)
    kind: EntityKind = "pet" if who.kind == "pet" or not relation else "person"
    for name in names if relation or species else ():
        text, span = capitalised(name.text), (phrase.start, name.end)
        whom.also[key(name.text)] = kind
        yield Statement(f"HAS_{relation or 'PET'}", text, *span, who.name, kind=kind, confidence=who.confidence)
        if not relation:
            yield Statement("IS_A", lexicon.singular(species.lower()), *span, text, kind="topic")
    if species and not (relation or names or phrase.owned) and who.kind != "pet":
        whom.unnamed = lexicon.singular(species.lower())
        yield stated("HAS_PET", Phrase(species, phrase.end - len(species), phrase.end, noun), who)
