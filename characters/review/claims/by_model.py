"""Statements of a character about itself, extracted by a language model with a JSON schema, and checked.

An item counts only if its words are in the reply, meant seriously, and outside of questions. The model isn't asked how
sure it is; a statement that the patterns find, too, gets a higher certainty.
"""

import re
from collections.abc import Iterable, Mapping

from pydantic import BaseModel, Field, OnErrorOmit

from characters.authoring.suggestions.by_model import place
from characters.domain import words
from characters.domain.facts import NOTE
from characters.domain.sheet import REFLEXIVES, Predicate, Pronouns
from characters.language.claims import objects, patterns
from characters.language.claims.mask import earnest
from characters.language.claims.meaning import favorite, meaning
from characters.language.claims.objects import MAX_OBJECT
from characters.language.claims.patterns import Claim
from characters.language.sentences import Sentence, split
from kgadmin.stores.json_answers import Line, ask_json
from kgadmin.stores.language_model import LanguageModel

MAX_CLAIMS = 15
"""Most claims of one answer."""
MAX_TEXT = 8_000
MAX_ASKED = 600
MAX_QUOTE = 400
MAX_TOKENS = 1_200
_CERTAINTY = 0.8
_AGREED = 0.95
"""Certainty if the patterns read the same."""

_FIRST_PERSON = re.compile(r"\b(?:I|me|my|mine|myself)\b", re.IGNORECASE)
_CLAUSES = frozenset({"BELIEVES", "HAS_OPINION", NOTE})


class Item(BaseModel):
    """One statement of the reply."""

    predicate: Line = Field(max_length=60)
    object: Line = Field(min_length=1, max_length=MAX_OBJECT)
    quote: Line = Field(min_length=1, max_length=MAX_QUOTE)
    hedged: bool = False


class StatementsAboutOneself(BaseModel):
    """What the character states about themself in the reply."""

    facts: list[OnErrorOmit[Item]] = Field(json_schema_extra={"maxItems": MAX_CLAIMS})


_EXAMPLE = (
    {
        "reply": "I've always adored thunderstorms. I guess I like jazz. If I had time, I'd love to sail. "
        "You love rain, no?"
    },
    StatementsAboutOneself(
        facts=[
            Item(predicate="LOVES", object="thunderstorms", quote="I've always adored thunderstorms"),
            Item(predicate="LIKES", object="jazz", quote="I guess I like jazz", hedged=True),
        ]
    ),
)


def extract(
    reply: str,
    registered: Mapping[str, Predicate],
    name: str,
    asked: str = "",
    *,
    model: LanguageModel,
    pronouns: Pronouns = "they",
) -> list[Claim]:
    """Return the claims like `patterns.extract`, read by `model`.

    Invalid items are left out. Raises `AnswerError` or `StoreError`.
    """
    reply = reply[:MAX_TEXT]
    data = {"asked": asked[-MAX_ASKED:], "reply": reply}
    instructions = _instructions(registered, name, pronouns)
    answer = ask_json(model, StatementsAboutOneself, instructions, data, max_tokens=MAX_TOKENS, example=_EXAMPLE)
    return _Reading(reply, registered, name, asked).claims(answer.facts)


def _instructions(registered: Mapping[str, Predicate], name: str, pronouns: Pronouns) -> str:
    predicates = "\n".join(f"- {each.name}: {each.sentence}" for each in registered.values())
    return (
        f"You note what {name} states about {REFLEXIVES[pronouns]} in a reply, in the first person and for good: "
        "tastes, opinions, and other lasting facts. Take nothing out of questions, quotations, translations, examples, "
        "stories, roleplay, jokes, suppositions (if, would, might), reports of what others say, past episodes and "
        "politeness (I love that question), and nothing about anybody else. No vague objects (it, this place).\n"
        "predicate: one of the list. object: the shortest phrase, in the reply's own words, as it stands in the "
        "predicate's sentence. quote: the words of the reply that state it, exactly. hedged: whether it is said with "
        "a hedge (I guess, sort of). Nothing stated: an empty list. <asked> is what the reply answers.\n\n"
        f"Predicates:\n{predicates}"
    )


class _Reading:
    """One reply, against which the items of an answer are checked."""

    def __init__(self, reply: str, registered: Mapping[str, Predicate], name: str, asked: str) -> None:
        self._reply = reply
        self._registered = registered
        self._masked = earnest(reply, name)
        self._sentences = list(split(self._masked, patterns.MAX_SENTENCE))
        by_patterns = patterns.extract(reply, registered, name, asked)
        self._by_patterns = {meaning(each.predicate, each.object) for each in by_patterns}

    def claims(self, items: Iterable[Item]) -> list[Claim]:
        """Return the valid items, each meaning once."""
        claims = filter(None, map(self._claim, items))
        return list({meaning(each.predicate, each.object): each for each in claims}.values())

    def _claim(self, item: Item) -> Claim | None:
        predicate = item.predicate
        if predicate.startswith("FAVORITE_") and predicate not in self._registered:
            predicate = favorite(predicate.partition("_")[2].replace("_", " "), self._registered)
        span = place(item.quote, self._reply)
        if predicate not in self._registered or span is None or not self._is_sound(predicate, item.object, span):
            return None
        return self._made(predicate, item.object, span, hedged=item.hedged)

    def _is_sound(self, predicate: str, object: str, at: tuple[int, int]) -> bool:
        there = set(words.tokens(self._reply[slice(*at)]))
        if not set(words.tokens(object)) <= there or not words.stems(object):
            return False
        kind = self._registered[predicate]
        if kind.learnable and predicate not in _CLAUSES and not objects.is_sound(object):
            return False
        return self._is_earnest(at) and (self._is_first_person(at) or meaning(predicate, object) in self._by_patterns)

    def _is_earnest(self, at: tuple[int, int]) -> bool:
        over = self._over(at)
        in_sight = words.tokens(self._masked[slice(*at)]) == words.tokens(self._reply[slice(*at)])
        return in_sight and bool(over) and not any(each.is_question for each in over)

    def _is_first_person(self, at: tuple[int, int]) -> bool:
        return any(_FIRST_PERSON.search(each.words.text) for each in self._over(at))

    def _over(self, at: tuple[int, int]) -> list[Sentence]:
        """Return the sentences that the quotation touches."""
        return [each for each in self._sentences if each.words.start < at[1] and each.words.end > at[0]]

    def _made(self, predicate: str, object: str, at: tuple[int, int], *, hedged: bool) -> Claim:
        over = self._over(at)
        certainty = _AGREED if meaning(predicate, object) in self._by_patterns else _CERTAINTY
        certainty -= patterns.HEDGED * hedged
        sentence = self._reply[over[0].words.start : over[-1].words.end]
        return Claim(predicate, object, at[0], at[1], sentence, round(certainty, 2), hedged)
