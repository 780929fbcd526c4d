"""What verbs state of their subjects, by the table `verbs.txt`: lemma and preposition -> predicate."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from characters.domain import lexicon
from characters.domain.people import Statement, person_predicate
from characters.language.english import Clause, child_of
from characters.language.extraction import readers
from characters.language.extraction.nouns import Phrase
from characters.language.extraction.people import Who
from characters.language.extraction.readers import Reader

if TYPE_CHECKING:
    from spacy.tokens import Token

_LEMMAS = {"hates": "hate", "hated": "hate"}
"""Where the parser's lemma is wrong."""
_PARTICLES = frozenset("away up off out down".split())
_COMPLEMENTS = frozenset("dobj attr acomp oprd".split())
LATELY = re.compile(
    r"\b(?:today|tonight|yesterday|this (?:morning|week|afternoon)|last (?:night|week|weekend|month|\w+day)|once)\b",
    re.IGNORECASE,
)
_FOR_LONG = re.compile(r"\b(?:since|in (?:years|ages|forever)|for (?:years|ages))\b", re.IGNORECASE)
_DONE = frozenset({"LIVES_IN", "HAS_AGE", "OWNS"})
"""Predicates of which an event in the present tense is still to come: "we move to Oslo next year"."""
_HELD = frozenset({"LIVES_IN", "WORKS_AT", "WORKS_AS"})
"""Predicates of which the past tense says that they hold no more: "I lived in Ghent for years"."""
_BEHIND = {"WORKS_AS": "WORKS_AT", "STUDIES": "STUDIES_AT"}
"""Predicates of a name behind "at": "a nurse at Saint Mary's", "law at Leiden University"."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What a verb states of its subject; `happens` also in the past tense, `ends` that it no longer holds."""

    predicate: str
    read: Reader
    happens: bool
    ends: bool


@cache
def _rules() -> Mapping[str, tuple[Rule, ...]]:
    table: dict[str, tuple[Rule, ...]] = {}
    for heading, lines in lexicon.read_blocks(Path(__file__).with_name("verbs.txt")):
        predicate, reader, *marks = heading.split(" | ")
        flags = " ".join(marks).split()
        rule = Rule(predicate, getattr(readers, reader), "happens" in flags, "ends" in flags)
        for verb in (each.strip() for line in lines for each in line.split(",")):
            table[verb] = (*table.get(verb, ()), rule)
    return table


def statements(clause: Clause, who: Who, *, ends: bool = False) -> Iterator[Statement]:
    """Yield what the table states by a clause's verb; by the first rule of each key that reads an object."""
    is_over = ends or clause.over
    for name, head in objects(clause.verb):
        for rule in _rules().get(f"can {name} not" if clause.cannot else name, ()):
            if rule.predicate in _DONE and rule.happens and not (rule.ends or clause.is_done):
                continue
            was = clause.happened and not (rule.happens or (rule.predicate == "LIKES" and clause.negated))
            if was and (rule.predicate not in _HELD or clause.negated or LATELY.search(clause.verb.sent.text)):
                continue
            phrases = list(rule.read(head))
            predicate, ended = _meant(rule, clause, is_over=is_over or was)
            if phrases and predicate:
                yield from (stated(predicate, phrase, who, ends=ended) for phrase in phrases)
                if not ended:
                    yield from employed(predicate, phrases[-1], who)
                break


def _meant(rule: Rule, clause: Clause, *, is_over: bool) -> tuple[str, bool]:
    """Return the predicate that a clause states by a rule, empty for none, and whether that ended."""
    if not clause.negated or is_over or clause.cannot:
        return rule.predicate, rule.ends or is_over
    if rule.predicate == "LIKES" and not rule.ends:
        return "DISLIKES", False
    is_long_ago = clause.is_done and _FOR_LONG.search(clause.verb.sent.text)
    return ("PLAYS", True) if rule.predicate == "PLAYS" and is_long_ago else ("", False)


def employed(predicate: str, phrase: Phrase, who: Who) -> Iterator[Statement]:
    """Yield where somebody works or studies, if a name comes behind what they do."""
    for prep, word in _prepositions(phrase.head) if predicate in _BEHIND else ():
        noun = child_of(prep, "pobj")
        if word in {"at", "for", "with"} and noun is not None:
            yield from (stated(_BEHIND[predicate], name, who) for name in readers.employer(noun))


def stated(predicate: str, phrase: Phrase, who: Who, *, ends: bool = False) -> Statement:
    """Return the statement of a phrase about somebody."""
    kind, span = person_predicate(predicate).kind, (phrase.start, phrase.end)
    return Statement(predicate, phrase.text, *span, who.name, kind=kind, confidence=who.confidence, ends=ends)


def lemma(verb: "Token") -> str:
    """Return a verb's lemma with its particle: "give up"."""
    particle = next((each for each in verb.children if each.dep_ == "prt" or _is_particle(each)), None)
    plain = _LEMMAS.get(verb.lower_, verb.lemma_.lower())
    return f"{plain} {particle.lower_}" if particle is not None else plain


def _is_particle(token: "Token") -> bool:
    return token.dep_ == "advmod" and token.lower_ in _PARTICLES and token.i > token.head.i


def objects(verb: "Token") -> Iterator[tuple[str, "Token"]]:
    """Yield each object of a verb with its key: the lemma, what "be" or "have" says, the prepositions before it."""
    name, direct = lemma(verb), child_of(verb, "dobj")
    if direct is None and verb.dep_ == "relcl" and child_of(verb, "nsubj") is not None:
        yield name, verb.head  # "the guitar I inherited"
    for child in verb.children:
        if child.dep_ in _COMPLEMENTS or (child.dep_ == "xcomp" and child.tag_ == "VBG"):
            yield name, child
        if child.dep_ in _COMPLEMENTS - {"dobj"}:
            key = f"{name} {child.lemma_.lower()}"
            yield from _behind(child, key)
            if (inner := child_of(child, "xcomp")) is not None and child_of(inner, "aux") is not None:
                yield f"{key} to", inner  # "allergic to shellfish", which the parse takes for a verb
    yield from _behind(verb, name)
    joined = next((each for each in verb.conjuncts if each.i == verb.i + 2 and each.tag_ == verb.tag_), None)
    if joined is not None and direct is None:
        yield from _behind(joined, name)  # "born and raised in"
    if direct is not None:
        yield from _behind(direct, name)
        for source in (verb, direct):
            yield from _behind(source, f"{name} {direct.lemma_.lower()}")


def _behind(base: "Token", name: str) -> Iterator[tuple[str, "Token"]]:
    """Yield the nouns behind prepositions, also one preposition further: "from Austin to Oslo"."""
    for prep, word in _prepositions(base):
        for noun in (each for each in prep.children if each.dep_ in {"pobj", "pcomp"}):
            yield f"{name} {word}", noun
            for further, second in _prepositions(noun):
                if (inner := child_of(further, "pobj")) is not None:
                    yield f"{name} {word} {second}", inner
                    yield f"{name} * {second}", inner


def _prepositions(token: "Token") -> Iterator[tuple["Token", str]]:
    for child in token.children:
        if child.dep_ in {"prep", "agent"}:
            yield child, child.lower_
            for inner in child.children:
                if inner.dep_ == "prep" or (inner.dep_ == "pcomp" and inner.pos_ == "ADP"):
                    yield inner, f"{child.lower_} {inner.lower_}"
