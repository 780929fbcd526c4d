"""Extract a character's statements about itself from a reply, without a language model.

Only sentences and clauses in the present that begin with "I", "my" or the like are read, and short answers. Time is
linear in the length of the reply, as sentences of more than `MAX_SENTENCE` characters are skipped.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from characters.domain import lexicon
from characters.domain.facts import NOTE
from characters.domain.lexicon import worded
from characters.domain.sheet import Predicate
from characters.language.claims import answers, clauses, meaning, objects, statements
from characters.language.claims.answers import Question
from characters.language.claims.mask import earnest
from characters.language.claims.statements import Stated
from characters.language.sentences import Sentence, Stretch, split
from characters.language.suggestions.clauses import Reader
from characters.language.suggestions.subjects import Cast

MAX_REPLY = 20_000
"""Characters of a reply that are read."""
MAX_SENTENCES = 250
MAX_SENTENCE = 600
"""Longer sentences are skipped: they aren't prose."""
HEDGED = 0.25
"""Certainty that a hedge takes away."""
_SHORT, _BY_PRONOUN, _OTHER = 0.75, 0.7, 0.8
"""Certainty of a short answer, of a statement about "it", and of what isn't a taste."""
_ECHO = 3
_OPENS_QUESTION = re.compile(
    r"\b(?:what|who|where|which|why|how|you|yours?|do|does|did|is|are|can|me|I)\b", re.IGNORECASE
)
_FIRST_PERSON = re.compile(r"\b(?:I|my|me|nothing|never|can't|fan)\b", re.IGNORECASE)
"""A sentence without any of these states nothing about the character, unless it answers a question."""
_NOBODY = re.compile(r"(?!)")
_CAST = Cast(name=_NOBODY, first=True, second=False)
_I = re.compile(r"(?:I|My|my)\b(?!/)")
_MOODS = lexicon.entries("moods")
"""Adjectives of a passing mood."""
_IDIOMS = frozenset("lie say tell complain the worst".split())
_NO_CLASS = worded(
    r"(?:\w+ )*(?:believer|sucker|fan|lover|enthusiast|mess|expert|friend|listener|bit|little|touch|tad|good|big"
    r"|great|fool|wreck|model|moment|hurry|minute|book|sort|kind)"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of the character about itself.

    `reply[start:end]` are the words that make it, `sentence` is the sentence around them. `certainty`, from 0 to 1, is
    lower for indirect wording and for a hedge ("I guess I like").
    """

    predicate: str
    object: str
    start: int
    end: int
    sentence: str
    certainty: float
    hedged: bool = False


@dataclass(slots=True)
class _Context:
    asked: Question
    is_first: bool = True
    listed: tuple[str, float] | None = None
    """Predicate and certainty of the list items that follow."""

    def take_up(self, question: Question, text: str) -> None:
        """Replace the question by one that the character asks itself; an echo such as "These days?" doesn't count."""
        self.listed = None
        if question.predicate or len(text.split()) > _ECHO or _OPENS_QUESTION.search(text):
            self.asked = question
            self.is_first = bool(question.predicate)


def extract(reply: str, registered: Mapping[str, Predicate], name: str, asked: str = "") -> list[Claim]:
    """Return what the character called `name` states about itself, in order, each statement once.

    `asked` is the message that the reply answers. Only `registered` predicates are returned, whether they may be
    learned or not: that isn't decided here.
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
        yield from stated or _others(clause.words, registered)


def _by_pronoun(of_i: Stretch, clause: Stretch, referent: str) -> Iterator[Stated]:
    behind = statements.behind_i(of_i)
    if behind and answers.is_pronoun(of_i.text[behind[1] :]):
        rule, at = behind
        end = of_i.start - clause.start + at + len(of_i.text[at:].split()[0])
        yield Stated(rule.predicate, Stretch(referent, 0), clause.part(0, end), _BY_PRONOUN, False)


def _claim(stated: Stated, sentence: Sentence, reply: str, registered: Mapping[str, Predicate]) -> Claim:
    return Claim(
        meaning.among(stated.predicate, registered),
        " ".join(stated.object.text.split()),
        stated.words.start,
        stated.words.end,
        reply[sentence.words.start : sentence.words.end].strip(),
        round(stated.certainty - HEDGED * stated.hedged, 2),
        stated.hedged,
    )


def _others(clause: Stretch, registered: Mapping[str, Predicate]) -> Iterator[Stated]:
    """Yield what the patterns of suggestions read, for registered predicates that can't be learned."""
    if not _I.match(clause.text) or objects.is_passing(clause.text):
        return
    for predicate, object_text in Reader(_CAST).read(clause.text):
        kind = registered.get(predicate)
        if kind is None or kind.learnable or predicate == NOTE or not _is_lasting(predicate, object_text):
            continue
        if there := re.search(re.escape(object_text.removeprefix("got ")), clause.text, re.IGNORECASE):
            item = objects.phrase(clause.part(*there.span()))
            yield Stated(predicate, item, clause.part(0, item.end - clause.start), _OTHER, False)


def _is_lasting(predicate: str, object_text: str) -> bool:
    if predicate == "HAS_TRAIT":
        return object_text.lower().split()[-1] not in _MOODS
    if predicate == "HAS_NAME":
        return object_text[:1].isupper()
    if predicate in {"CANNOT", "HAS_FEAR"}:
        return object_text.lower().split()[0] not in _IDIOMS
    return predicate != "IS_A" or _NO_CLASS.fullmatch(object_text) is None
