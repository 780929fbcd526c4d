"""What is said of the person without "I": "my name is", "my cats", "honesty matters to me", "coeliac here"."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from characters.domain import dates, lexicon, words
from characters.domain.people import FAVORITE, Statement
from characters.language.english import Clause, child_of
from characters.language.extraction import nouns, people, readers, wishes
from characters.language.extraction.nouns import Phrase
from characters.language.extraction.people import People, Who
from characters.language.extraction.verbs import stated

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

PERSON = Who("")
_INTRODUCED = re.compile(
    r"""\b(?:my|the)\ name'?s?(?:\ is)?\ (?P<named>[A-Z][\w-]+)
    |^\W*(?P<alone>[A-Z][\w-]+)\ here\b(?=\W)
    |^\W*(?:(?i:hi+|hello+|hey+|hiya|howdy|yo|good\ (?:morning|evening))\b[\w\s]{0,12}?[,.!\s-]+)
     (?:(?:I'm|I\ am|(?i:this\ is|it's))\ (?P<am>[A-Z][\w-]+)(?=\W*$|,|\ and|\ from)|(?P<here>[A-Z][\w-]+)\ here\b)""",
    re.VERBOSE,
)
"""How people say what they are called."""
_CHANGED = re.compile(
    r"\bI(?:'ve| have)? changed my mind(?: about|[,:;]? (?:no more|not|no)) (?P<what>[\w-]+)", re.IGNORECASE
)
_ALONE = {"HAS_DIET": "diets", "HAS_CONDITION": "conditions", "WORKS_AS": "occupations"}
_STATES = lexicon.one_of(lexicon.entries("diets") | lexicon.entries("conditions"))
_JOBS = lexicon.one_of(lexicon.entries("occupations"))
_FRAGMENT = re.compile(
    r"^(?:\W*\w+\W*,\s*)?\W*(?:(?:been|also|still|now|currently|lifelong)\s+)*(?:"
    rf"(?P<state>{_STATES})(?=\W*$|\s*[.;:!(]|\s*,?\s*so\b|\s+(?:here|for|since)\b|\s+\d)"
    rf"|(?:(?:as|been)\s+an?|fellow)\s+(?P<job>{_JOBS})(?=\W*$|\s*[.;:!(,]|\s+(?:here|for|since|myself|I)\b)"
    rf"|(?P<here>{_JOBS})\s+(?:here|by trade)(?=\W*$|\s*[,.;:!(]))",
    re.IGNORECASE,
)
"""What somebody is, said without a verb."""
_TO_ME = re.compile(r"(?:important|matters?|means?)(?:\s+\w+){0,3}\s+to me\b", re.IGNORECASE)
_NOT_MINE = frozenset({"thing", "cup"})
_FAVOURITES = frozenset("favourite favorite".split())
_TAKEN_FOR_GRANTED = {"HAS_PET": "pets", "HAS_CONDITION": "conditions", "OWNS": "vehicles"}


def of_sentence(doc: "Doc") -> Iterator[Statement]:
    """Yield what a sentence states without a clause: a name, a diet, a condition, an occupation."""
    if (introduced := _INTRODUCED.search(doc.text)) and (group := introduced.lastgroup):
        name = introduced[group]
        plain = name.lower()
        if not (words.is_common(plain) or plain in dates.TIME_WORDS or plain in readers.PLACES):
            yield Statement("NAMED", name, *introduced.span(group), kind="topic")
    if changed := _CHANGED.search(doc.text):
        yield stated("WANTS", Phrase(changed["what"], *changed.span("what"), doc[0]), PERSON, ends=True)
    if fragment := _FRAGMENT.search(doc.text):
        group = fragment.lastgroup or "state"
        what = fragment[group]
        predicate = next(each for each, section in _ALONE.items() if what.lower() in lexicon.entries(section))
        yield stated(predicate, Phrase(what, *fragment.span(group), doc[0]), PERSON)


def taken_for_granted(noun: "Token", whom: People, place: int) -> Iterator[Statement]:
    """Read what "my" before a noun takes for granted: "my cats", "my anxiety", "our caravan"."""
    phrase = nouns.phrase(noun, may_be_vague=True)
    is_named = any(mine.names and mine.start <= noun.idx < mine.end for mine in whom.mine[place])
    if phrase is None or is_named or noun.dep_ == "compound" or noun.lower_ in readers.PUBLIC or noun.lower_ == "mouse":
        return
    if not people.BARRED.isdisjoint(phrase.text.lower().split()):
        return
    tails = ((predicate, lexicon.tail(section, phrase.text)) for predicate, section in _TAKEN_FOR_GRANTED.items())
    for predicate, tail in tails:
        if tail:
            yield stated(predicate, Phrase(tail, phrase.end - len(tail), phrase.end, noun), PERSON)
            return


def of_clause(clause: Clause, whom: People, place: int) -> Iterator[Statement]:
    """Yield what a clause states of the person, or of who owns it, whose subject is a thing."""
    subject = clause.subject
    if (of_what := child_of(clause.verb, "csubj")) is not None and of_what.lemma_ == "matter":
        complement = child_of(clause.verb, "attr")
        yield from (
            stated("VALUES", phrase, PERSON) for phrase in (readers.thing(complement) if complement is not None else ())
        )
    if subject is None or subject.pos_ not in {"NOUN", "PROPN", "VERB"} or clause.mood or clause.happened:
        return
    yield from _its_name(clause, whom)
    if _TO_ME.search(subject.doc.text, clause.verb.idx) and not clause.negated:
        yield from (_lowered(stated("VALUES", phrase, PERSON)) for phrase in readers.tastes(subject))
        return
    complement, is_be = _complement(clause.verb)
    if not is_be:
        return
    is_mine = complement is not None and any(child.lower_ == "my" for child in complement.lefts if child.dep_ == "poss")
    if complement is not None and is_mine and clause.negated and complement.lemma_ in _NOT_MINE:
        yield from (_lowered(stated("DISLIKES", phrase, PERSON)) for phrase in readers.thing(subject))
    if clause.negated:
        return
    yield from _of_owner(clause, subject, complement, whom, place)
    if complement is not None and is_mine:
        yield from _is_mine(subject, complement)


def _its_name(clause: Clause, whom: People) -> Iterator[Statement]:
    """Read "her name is Juno" behind "we adopted a greyhound"."""
    owner, name = child_of(clause.subject, "poss") if clause.subject else None, child_of(clause.verb, "attr")
    is_pronoun = owner is not None and owner.lower_ in {"her", "his", "its"}
    if whom.unnamed and clause.subject and clause.subject.lemma_ == "name" and is_pronoun and name is not None:
        text, span = people.capitalised(name.text), (name.idx, name.idx + len(name))
        yield Statement("HAS_PET", text, *span, kind="pet")
        yield Statement("IS_A", whom.unnamed, *span, text, kind="topic")


def _lowered(statement: Statement) -> Statement:
    """Lower the object, which may have begun its sentence."""
    return statement if statement.object.isupper() else replace(statement, object=statement.object.lower())


def _complement(verb: "Token") -> tuple["Token | None", bool]:
    """Return what "is", "has to be" or "is birdwatching" says, and whether the verb is one of these."""
    if verb.tag_ == "VBG" and any(child.lemma_ == "be" for child in verb.children if child.dep_ == "aux"):
        return verb, True
    to_be = child_of(verb, "xcomp") if verb.lemma_ == "have" else verb
    is_be = to_be is not None and to_be.lemma_ == "be"
    return (child_of(to_be, "attr", "acomp", "oprd", "dobj") if to_be is not None else None), is_be


def _of_owner(
    clause: Clause, subject: "Token", complement: "Token | None", whom: People, place: int
) -> Iterator[Statement]:
    owner = child_of(subject, "poss")
    if owner is None:
        if _is_favourite(subject) and subject.left_edge.i == 0:
            yield from _favourite(subject, complement, PERSON)
    elif owner.lower_ not in {"my", "our"}:
        who = whom.who(owner, place)
        yield from _favourite(subject, complement, who) if who and who.name else ()
    elif not any(people.kin(child.text) for child in subject.lefts if child.dep_ in {"compound", "nmod"}):
        yield from _of_mine(clause, subject, complement)


def _is_mine(subject: "Token", complement: "Token") -> Iterator[Statement]:
    """Read "Dune is my favourite book", "Tamil is my first language"."""
    if complement.lemma_.lower() in {"language", "tongue"}:
        yield from (stated("SPEAKS", phrase, PERSON) for phrase in readers.languages(subject))
    elif _is_favourite(complement) and (phrase := nouns.phrase(subject)):
        yield stated(FAVORITE + complement.lemma_.upper(), phrase, PERSON)


def _is_favourite(noun: "Token") -> bool:
    return any(child.lower_ in _FAVOURITES for child in noun.lefts)


def _favourite(subject: "Token", complement: "Token | None", who: Who) -> Iterator[Statement]:
    if complement is None or complement.pos_ == "PRON" or not _is_favourite(subject):
        return
    if phrase := nouns.phrase(complement, is_title=True):
        yield stated(FAVORITE + subject.lemma_.upper(), phrase, who)


_OF_MINE = {
    "hobby": ("INTERESTED_IN", readers.tastes),
    "passion": ("INTERESTED_IN", readers.tastes),
    "job": ("WORKS_AS", readers.occupation),
    "profession": ("WORKS_AS", readers.occupation),
    "hometown": ("FROM", readers.place),
    "language": ("SPEAKS", readers.languages),
    "tongue": ("SPEAKS", readers.languages),
    "age": ("HAS_AGE", readers.age),
}
"""What "my hobby is" states, by the noun."""


def _of_mine(clause: Clause, subject: "Token", complement: "Token | None") -> Iterator[Statement]:
    """Read "my favourite book is", "my dream is to", "my job is at", "my hobby is"."""
    noun = subject.lemma_.lower()
    inner, prep = child_of(clause.verb, "xcomp", "ccomp"), child_of(clause.verb, "prep")
    where = child_of(prep, "pobj") if prep is not None and prep.lower_ == "at" else None
    if _is_favourite(subject):
        yield from _favourite(subject, complement, PERSON)
    elif noun in {"dream", "goal", "ambition"} and inner is not None:
        yield from wishes.wished(inner, PERSON)
    elif noun == "job" and where is not None:
        yield from (stated("WORKS_AT", phrase, PERSON) for phrase in readers.organisation(where))
    elif complement is not None and noun in _OF_MINE:
        predicate, read = _OF_MINE[noun]
        yield from (stated(predicate, phrase, PERSON) for phrase in read(complement))
