"""Statements of a character about herself, out of her reply, without a language model.

Only what stands behind "I" or "my" where a sentence or clause begins, in the present, is believed; the rest of English
is left alone. Time is linear in the length of the reply: a sentence of more than `MAX_SENTENCE` characters isn't read.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from characters.domain.sheet import Predicate
from characters.language.claims import answers, clauses, kinds, objects, others, statements
from characters.language.claims.answers import Question
from characters.language.claims.mask import earnest
from characters.language.claims.statements import Stated
from characters.language.claims.values import Claim
from characters.language.sentences import Sentence, Stretch, split

MAX_REPLY = 20_000
"""Characters of a reply that are read."""
MAX_SENTENCES = 250
MAX_SENTENCE = 600
"""What is longer is no prose."""
HEDGED = 0.25
"""What a hedge takes off the certainty."""
_SHORT = 0.75
_BY_PRONOUN = 0.7
_ECHO = 3
_OPENS_QUESTION = re.compile(
    r"\b(?:what|who|where|which|why|how|you|yours?|do|does|did|is|are|can|me|I)\b", re.IGNORECASE
)
_FIRST_PERSON = re.compile(r"\b(?:I|my|me|nothing|never|can't|fan)\b", re.IGNORECASE)
"""A sentence without any of these states nothing of her, unless it answers a question."""


@dataclass(slots=True)
class _Context:
    asked: Question
    is_first: bool = True
    listed: tuple[str, float] | None = None
    """Of which predicate, and how surely, the items are that follow."""

    def take_up(self, question: Question, text: str) -> None:
        """A question of her own: "These days?" leaves the other's as it is, and others replace it."""
        self.listed = None
        if question.predicate or question.referent or len(text.split()) > _ECHO or _OPENS_QUESTION.search(text):
            self.asked = question
            self.is_first = bool(question.predicate)


def extract(reply: str, registered: Mapping[str, Predicate], name: str, asked: str = "") -> list[Claim]:
    """What the character called `name` states of herself, in the order of the reply, each statement once.

    `asked` is the message that the reply answers. Only `registered` predicates come out, whether they can be learned or
    not: who may learn what isn't decided here.
    """
    reply = reply[:MAX_REPLY]
    context = _Context(answers.question(asked, registered))
    claims: dict[tuple[str, str], Claim] = {}
    for sentence in islice(split(earnest(reply, name), MAX_SENTENCE), MAX_SENTENCES):
        for stated in _read(sentence, context, registered):
            claim = _claim(stated, sentence, reply, registered)
            if claim.predicate and claim.object.lower() != name.lower():
                claims.setdefault((claim.predicate, claim.object.lower()), claim)
    return list(claims.values())


def _read(sentence: Sentence, context: _Context, registered: Mapping[str, Predicate]) -> Iterator[Stated]:
    if answers.is_prelude(sentence):
        return
    if sentence.is_question:
        context.take_up(statements.self_question(sentence.words, registered), sentence.words.text)
        return
    if context.listed and sentence.is_item and (item := answers.item(sentence)):
        yield Stated(context.listed[0], item, item, context.listed[1], False)
        return
    context.listed = None
    stated = list(_stated(sentence, context.asked, registered)) if _FIRST_PERSON.search(sentence.words.text) else []
    if not stated and context.is_first and (short := answers.short_answer(sentence, context.asked)):
        answer, hedged = short
        stated = [Stated(context.asked.predicate, answer, answer, _SHORT, hedged)]
    context.is_first = False
    if sentence.words.text.endswith(":"):
        context.listed = statements.listed(sentence.words)
    yield from stated


def _stated(sentence: Sentence, asked: Question, registered: Mapping[str, Predicate]) -> Iterator[Stated]:
    for clause in clauses.clauses(sentence.words):
        stated = list(statements.of_tastes(clause, registered))
        if not stated and asked.referent and clause.of_i:
            stated = list(_by_pronoun(clause.of_i, clause.words, asked.referent))
        yield from stated or others.read(clause.words, registered)


def _by_pronoun(of_i: Stretch, clause: Stretch, referent: str) -> Iterator[Stated]:
    rule = statements.rule_of(of_i)
    if rule and rule[0].read is objects.things and answers.is_pronoun(of_i.text[rule[1] :]):
        end = rule[1] + len(of_i.text[rule[1] :].split()[0])
        yield Stated(
            rule[0].predicate, Stretch(referent, 0), clause.part(0, of_i.start - clause.start + end), _BY_PRONOUN, False
        )


def _claim(stated: Stated, sentence: Sentence, reply: str, registered: Mapping[str, Predicate]) -> Claim:
    return Claim(
        kinds.among(stated.predicate, registered),
        " ".join(stated.object.text.split()),
        stated.words.start,
        stated.words.end,
        reply[sentence.words.start : sentence.words.end].strip(),
        round(stated.certainty - HEDGED * stated.hedged, 2),
        stated.hedged,
    )
