"""Extract facts about a person, their kin and their pets from a message, on its parse."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from characters.domain import lexicon
from characters.domain.entities import key
from characters.domain.people import EntityKind, Statement
from characters.language import english
from characters.language.english import Clause, child_of
from characters.language.extraction import assertions, copula, mask, nouns, people, readers, things, verbs, wishes
from characters.language.extraction.nouns import Phrase
from characters.language.extraction.people import Mine, People, Who, capitalised
from characters.language.extraction.spellings import edited
from characters.language.extraction.things import PERSON
from characters.language.extraction.verbs import stated
from characters.language.sentences import Stretch

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MOST_SENTENCES = 100
"""Sentences of a message that are read."""
_LEFT_OUT = frozenset(
    "move relocate buy adopt rescue sell become bear grow love hate adore live work start turn get enjoy study".split()
)
"""Verbs that begin a sentence about its writer, although an order could begin so: "Love sushi"."""
_BEFORE_LEFT_OUT = frozenset("and but so lol nah btw".split())
_HAVING = frozenset("have get own adopt rescue buy keep".split())
_PARTED = frozenset({"break up", "split up", "divorce", "separate", "split"})
_DONE_TO = frozenset({"lay off", "fire", "sack", "hire", "let"})
_SAYS_WHEN = re.compile(
    r"\b(?:(?:19|20)\d\d|year|month|week|night|morning|yesterday|today|ago|\w+day)\b", re.IGNORECASE
)
_COUPLED = frozenset({"WIFE", "HUSBAND", "PARTNER"})
_WRITER = frozenset({"i", "me", "we"})
_GONE = frozenset({"die", "pass away"})
_GOES_ON = frozenset("dobj dative acomp xcomp advcl ccomp npadvmod oprd".split())
"""What stands behind "died laughing", "split the bill", "split up to look for it"."""
_NOT_APART = frozenset("into for to on onto over as".split())
_ALL = frozenset("people everyone everybody friends they folks most".split())
_SET_NAMES = frozenset({"NAMED", "VALUES"})


def extract(
    text: str,
    *,
    names: Collection[str] = (),
    known: Mapping[str, EntityKind] | None = None,
    model: str = english.PACKAGED,
) -> list[Statement]:
    """Return what `text` states about its writer, each statement once.

    `names` are the character's: never a subject or object. `known` maps names of the person's entities, as
    `entities.key` folds them, to kinds; such a name may be a subject ("Luna got a brother called Sol"). `model` is the
    parser's.
    """
    refused = {key(name) for name in names}
    statements: dict[tuple[str, str, str, bool], Statement] = {}
    sentences = list(mask.sentences(text))[:MOST_SENTENCES]
    for sentence, statement in _statements(sentences, known or {}, model):
        if not {key(statement.object), key(statement.subject)} & refused:
            placed = replace(statement, start=statement.start + sentence.start, end=statement.end + sentence.start)
            statements.setdefault((placed.subject, placed.predicate, key(placed.object), placed.ends), placed)
    over = {one[:3] for one in statements if one[3]}
    named = {("", "HAS_PET", about) for subject, predicate, about, _ in statements if subject and predicate == "IS_A"}
    return [each for one, each in statements.items() if one[3] or one[:3] not in over | named]


def _statements(
    sentences: Sequence[Stretch], known: Mapping[str, EntityKind], model: str
) -> Iterator[tuple[Stretch, Statement]]:
    texts = [edited(sentence.text) for sentence in sentences]
    docs = list(english.parse([each.text for each in texts], model))
    whom = People(docs, known)
    for place, (sentence, text, doc) in enumerate(zip(sentences, texts, docs, strict=True)):
        limit = len(assertions.asserted(doc.text))
        for statement in _of_sentence(doc, place, whom, limit) if limit else _taken_for_granted(place, whom):
            if statement.start < limit or not limit:
                start, end = text.places[statement.start], text.places[statement.end - 1] + 1
                yield sentence, replace(_as_written(statement, sentence.text, start), start=start, end=end)


def _as_written(statement: Statement, text: str, start: int) -> Statement:
    """Return a statement with its object as the writer spelt it; names stay capitalised."""
    is_set = statement.kind in {"person", "pet"} or statement.predicate in _SET_NAMES
    written = None if is_set else re.compile(re.escape(statement.object), re.IGNORECASE).search(text, start)
    return replace(statement, object=written[0]) if written else statement


def _of_sentence(doc: "Doc", place: int, whom: People, limit: int) -> Iterator[Statement]:
    """Yield the statements of a sentence up to `limit`, where it stops asserting."""
    for mine in whom.mine[place]:
        yield from _named(mine)
    if not any(each.dep_ in english.SUBJECTS for each in doc):
        yield from copula.of_nouns(doc, whom)
    for token in doc:
        if token.lower_ in {"my", "our"} and token.dep_ == "poss":
            yield from things.taken_for_granted(token.head, whom, place)
        for whose, relation, name in whom.relatives(token, place):
            yield Statement(f"HAS_{relation}", name.text, token.idx, name.end, whose.name, kind="person")
    yield from things.of_sentence(doc)
    for clause in english.clauses(doc):
        if clause.verb.idx < limit and clause.is_asserted:
            yield from _of_clause(clause, whom, place)


def _taken_for_granted(place: int, whom: People) -> Iterator[Statement]:
    """Yield who is named even in a question: "what should I get my niece Imogen?"."""
    for mine in whom.mine[place]:
        yield from _named(mine)


def _named(mine: Mine) -> Iterator[Statement]:
    """Yield that "my sister Ana" is a sister, and "my cat Luna" a pet and a cat."""
    for name in mine.names:
        text = capitalised(name.text)
        span = (mine.start, name.end) if name.start > mine.start else (name.start, mine.end)
        if mine.kin:
            yield Statement(f"HAS_{mine.kin}", text, *span, kind="person", ends=mine.is_former)
        elif not nouns.is_vague(name.text):
            yield Statement("HAS_PET", text, *span, kind="pet")
            yield Statement("IS_A", lexicon.singular(mine.word), *span, subject=text, kind="topic")


def _of_clause(clause: Clause, whom: People, place: int) -> Iterator[Statement]:
    yield from _ended(clause, whom, place)
    yield from _called_me(clause.verb)
    if who := _subject(clause, whom, place):
        yield from _of_subject(clause, who, whom)
    yield from things.of_clause(clause, whom, place)


def _subject(clause: Clause, whom: People, place: int) -> Who | None:
    """Return whom a clause is about; a sentence without a subject is about its writer: "Just moved to Oslo"."""
    verb, subject = clause.verb, clause.subject
    if subject is not None:
        both = (subject, *subject.conjuncts)
        if verbs.lemma(verb) in _DONE_TO and any(each.lower_ in {"me", "us"} for each in verb.children):
            return PERSON  # "they laid me off"
        is_writer = verb.lower_ in {"'m", "am"} or any(each.lower_ in {"i", "me"} for each in both)
        return PERSON if is_writer else whom.who(subject, place)
    helpers = [child for child in verb.children if child.dep_ in {"aux", "auxpass", "neg", "advmod", "intj"}]
    first = min((verb, *helpers), key=lambda each: each.i)
    before = verb.doc[first.i - 1] if first.i else None
    begins = before is None or before.pos_ in {"PUNCT", "INTJ"} or before.lower_ in _BEFORE_LEFT_OUT
    is_statement = verb.tag_ in {"VBD", "VBN", "VBG"} or first != verb or verb.lemma_ in _LEFT_OUT
    return PERSON if begins and is_statement and verb.dep_ in {"ROOT", "ccomp", "dep", "conj", "advcl"} else None


def _of_subject(clause: Clause, who: Who, whom: People) -> Iterator[Statement]:
    """Yield what a clause states of its subject."""
    verb, inner = clause.verb, child_of(clause.verb, "xcomp", "advcl")
    if verb.lemma_ in {"used", "use", "stop", "quit"} and inner is not None:
        yield from verbs.statements(Clause(inner, clause.subject), who, ends=True)
        yield from copula.was(inner, who)
    elif verb.lemma_ in wishes.WISHING or (clause.mood == "would" and verb.lemma_ in {"love", "like"}):
        yield from wishes.of_wishing(clause, who)
    elif not clause.mood or (clause.mood == "can" and (verb.lemma_ in {"play", "speak"} or clause.negated)):
        if verb.lemma_ == "grow" and inner is not None:
            yield from verbs.statements(Clause(inner, clause.subject), who)
        if verb.lemma_ == "be":
            yield from copula.of_being(clause, who)
        if verb.lemma_ in _HAVING and not clause.negated:
            yield from copula.of_having(clause, who, whom)
        first = verb.doc[0]
        if first.lower_ == "as" and (role := child_of(first, "pobj")) is not None:
            yield from (stated("WORKS_AS", phrase, who) for phrase in readers.occupation(role))
        yield from verbs.statements(clause, who)


def _called_me(verb: "Token") -> Iterator[Statement]:
    """Read "call me Jo", "people call me Fitz", "I'm called Bo"."""
    name = child_of(verb, "oprd", "dobj", "ccomp")
    is_me = any(each.lower_ == "me" for each in verb.doc[verb.i + 1 : verb.i + 2])
    named = next((each for each in verb.doc[verb.i + 2 : verb.i + 3]), None) if is_me else name
    by_whom = child_of(verb, "nsubj")
    by_all = by_whom is None or by_whom.lower_ in _ALL
    is_called = verb.tag_ == "VBN" and any(each.lower_ == "i" for each in verb.children)
    is_usual = is_called or (is_me and by_all and verb.tag_ != "VBD" and child_of(verb, "neg") is None)
    is_name = named is not None and named.pos_ == "PROPN" and named.lower_ != "mr" and not people.kin(named.text)
    if verb.lemma_ == "call" and is_usual and named is not None and is_name:
        yield stated("NAMED", Phrase(named.text, named.idx, named.idx + len(named), named), PERSON)


def _ended(clause: Clause, whom: People, place: int) -> Iterator[Statement]:
    """Read "Kasia and I split up", "my dog Rex died", "we had to put our old lab Bruno down", "Ana isn't my sister"."""
    verb, subject = clause.verb, clause.subject
    lemma = verbs.lemma(verb)
    more = {child.dep_ for child in verb.children if not _SAYS_WHEN.search(child.text)} & _GOES_ON
    behind = {child.lower_ for child in verb.children if child.dep_ in {"prep", "advmod"}}
    if clause.negated or clause.mood:
        more |= {"denied"}
    if lemma in _PARTED and subject is not None and not (more or behind & _NOT_APART):
        others = [each for each in (subject, *subject.conjuncts) if each.lower_ not in _WRITER]
        named = (mine.who for mine in whom.mine[place] if mine.kin in _COUPLED and mine.start < verb.idx)
        known = next((who for each in others if (who := whom.who(each, place)) and who.name), next(named, None))
        relation = whom.relation(known) if known else ""
        if len(others) <= len(subject.conjuncts) or relation in _COUPLED:
            name = known.name if known else next((each.text for each in others if each.pos_ == "PROPN"), "")
            yield _over(relation if relation in _COUPLED else "PARTNER", name, clause)
    is_gone = lemma in _GONE or (lemma == "pass" and _SAYS_WHEN.search(verb.doc.text, verb.idx, verb.idx + 20))
    direct = child_of(verb, "dobj") if lemma == "put down" else subject if is_gone else None
    may_be = more <= {"dobj"} if lemma == "put down" else not more
    gone = whom.who(direct, place) if direct is not None and may_be and not behind & _NOT_APART else None
    is_asleep = lemma != "put down" or (gone is not None and gone.kind == "pet")
    if gone and gone.name and is_asleep and (relation := whom.relation(gone)):
        yield _over(relation, gone.name, clause)
    complement = child_of(verb, "attr")
    if verb.lemma_ == "be" and clause.negated and complement is not None and subject is not None:
        denied = whom.kin_of(complement, place)
        if denied and subject.pos_ == "PROPN":
            yield _over(denied, subject.text, clause)


def _over(relation: str, name: str, clause: Clause) -> Statement:
    first = clause.subject if clause.subject is not None else clause.verb
    start, end = min(first.idx, clause.verb.idx), max(first.idx + len(first), clause.verb.idx + len(clause.verb))
    kind: EntityKind = "pet" if relation == "PET" else "person"
    return Statement(f"HAS_{relation}", name, start, end, kind=kind, ends=True)
