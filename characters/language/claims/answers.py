"""Read answers that depend on the question: "Staghorn, always.", "I love it."."""

from collections.abc import Collection
from dataclasses import dataclass

from characters.domain import lexicon, words
from characters.domain.lexicon import worded
from characters.language.claims import meaning, objects
from characters.language.sentences import Sentence, Stretch

MAX_ASKED = 2_000
MAX_WORDS = 8
"""Most words of a short answer, which isn't a sentence."""


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked for: a short answer states `predicate`; "it" in the answer means `referent`."""

    predicate: str = ""
    referent: str = ""
    choices: tuple[str, ...] = ()


_INTERROGATIVE = worded(r"\b(?:what|where|who|whom|which|how|when|why)\b")
_OF_ASKER = worded(r"\b(?:I|me|my|mine|myself|am)\b")
_LAST = worded(r"[^.!?\n]*\?")
_FAVORITE = worded(
    r"\bfavou?rite(?P<kind>(?: (?!is\b|are\b|and\b|to\b|then\b"
    r"|in\b)[\w'-]+){1,4})(?: in the world)?\s*(?:,[^?]*)?\??\s*$"
)
_BEST = worded(
    r"\b(?:which|what) (?P<kind>(?:[\w'-]+ ){0,2}[\w'-]+) do you (?:like|love|prefer|enjoy) (?:best|most"
    r"|the most)\s*\??\s*$"
)
_OF_THEM = worded(
    r"(?:do you (?:really |still |actually |truly )*(?:like|love|enjoy|hate|dislike|adore)|what do you (?:think"
    r"|make) (?:of|about)|what(?:'s| is) your (?:opinion|view|take) (?:of|on|about)|how do you feel about"
    r"|are you (?:fond of|into|a fan of)|what about|how about) (?P<it>[^?,;]{2,60}?)\s*\??\s*$"
)
_CHOICE = worded(
    r"(?:^|.*[,:]\s*|.*\b(?:prefer|between|rather have|choose|like (?:better"
    r"|more)) )(?P<one>[\w'-]+(?: [\w'-]+){0,2}?) or (?P<other>[\w'-]+(?: [\w'-]+){0,2}?)\s*\??\s*$"
)
_ASKS = tuple(
    (worded(asks), predicate)
    for asks, predicate in (
        (r"\b(?:what|who) do you (?:really )?(?:love|adore)\b(?: (?:most|best|the most))?(?: \w+ \w+)?\s*\?", "LOVES"),
        (r"\bwhat do you (?:really )?(?:like|enjoy)\b(?: (?:most|best|the most|doing))?\s*\?", "LIKES"),
        (
            r"\bwhat (?:do you (?:really )?(?:hate|loathe|detest)|can't you (?:stand|bear|abide))\b(?: (?:most"
            r"|the most))?\s*\?",
            "HATES",
        ),
        (r"\bwhat do you dislike\b(?: (?:most|the most))?\s*\?", "DISLIKES"),
        (r"\bwho(?:m)? do you (?:most )?(?:admire|look up to)\b(?: (?:most|the most))?\s*\?", "ADMIRES"),
        (r"\bwhat (?:do you worry about|worries you)\b(?: (?:most|the most))?\s*\?", "WORRIES_ABOUT"),
        (r"\bwhat (?:do you care about|matters to you)\b(?: (?:most|the most))?\s*\?", "CARES_ABOUT"),
        (r"\bwhat are you (?:most )?interested in\s*\?", "INTERESTED_IN"),
        (r"\bwhere do you live\b[^?]{0,20}\?", "LIVES_IN"),
        (r"\bwhere do you work\b[^?]{0,20}\?", "WORKS_AT"),
        (r"\bwhere (?:are you from|do you come from)\b[^?]{0,20}\?", "COMES_FROM"),
        (r"\bwhere did you grow up\b[^?]{0,20}\?", "GREW_UP_IN"),
        (r"\bwhere were you born\b[^?]{0,20}\?", "BORN_IN"),
    )
)
PLACES = frozenset({"LIVES_IN", "WORKS_AT", "COMES_FROM", "GREW_UP_IN", "BORN_IN"})

_SKIPPED = worded(
    r"""(?:(?:oh|ooh|ah|aha|well|hmm+|ha|easy|simple|yes|yeah|no|that's (?:easy|simple|an? easy one)
    |(?:an? )?easy (?:one|question)|good question|great question|what a question|(?:tough|hard|tricky|good|interesting
    |difficult)(?: (?:one|question|choice))?|let me (?:think|see))(?!\w)|\W)+"""
)
_LEAD = worded(
    r"(?:\s*(?:oh|ah|aye|arr+|well|hmm+|ha|I'd (?:have to )?(?:say|go with|pick)|I would (?:have to )?say|easy"
    r"|simple|definitely|certainly|probably|perhaps|maybe|always|honestly|without (?:a )?doubt|by far"
    r"|(?:oh,? )?that's (?:easy|simple)|of course|easily|it's|it is|it has to be|it has always been|it must be"
    r"|that's|that would (?:have to )?be|that'd be|has to be|got to be|for me|mine is|mine's|why|surely|obviously"
    r"|absolutely)(?![\w'])\s*[,:–—…-]*\s*)+"
)
_UNSURE = worded(r"\b(?:probably|perhaps|maybe)\b")
_PLACED = worded(r"\s*(?:in|at|on|near|from) ")
_FINITE = lexicon.entries("no short answer")
_PRONOUN = worded(
    r"\s*(?:it|them|that)\s*(?:[.!,;]|$|\s(?:all|very much|a lot|so much|dearly|too|really|with|more than|always"
    r"|deeply|of course)\b)"
)


def question(asked: str, registered: Collection[str]) -> Question:
    """Return what the last question of a message asks for; an empty `Question` if unclear."""
    last = _last_question(asked[-MAX_ASKED:].replace("’", "'"))
    if len(_INTERROGATIVE.findall(last)) > 1:
        return Question()
    if match := _FAVORITE.search(last) or _BEST.search(last):
        return Question(meaning.favorite(match["kind"], registered))
    if (match := _CHOICE.match(last)) and "PREFERS" in registered:
        return Question("PREFERS", choices=(match["one"].lower(), match["other"].lower()))
    for asks, predicate in _ASKS:
        if asks.search(last) and (known := meaning.among(predicate, registered)):
            return Question(known)
    if (match := _OF_THEM.search(last)) and objects.is_sound(match["it"]) and not _OF_ASKER.search(match["it"]):
        return Question(referent=" ".join(match["it"].split()))
    return Question()


def _last_question(asked: str) -> str:
    """Return the last sentence with a question mark, or a message that begins like a question but has none."""
    questions = _LAST.findall(asked)
    if questions:
        return str(questions[-1]).strip()
    return asked.strip() if _INTERROGATIVE.match(asked.strip()) else ""


def is_prelude(sentence: Sentence) -> bool:
    """Match "Oh, that's easy!": the answer is still to come."""
    return not sentence.is_question and _SKIPPED.fullmatch(sentence.words.text) is not None


def short_answer(sentence: Sentence, asked: Question) -> tuple[Stretch, bool] | None:
    """Return the object of an answer that isn't a sentence, and whether it is hedged; else None."""
    if sentence.is_question or not asked.predicate:
        return None
    lead = _LEAD.match(sentence.words.text)
    answer = sentence.words.part(lead.end() if lead else 0)
    if asked.predicate in PLACES and (placed := _PLACED.match(answer.text)):
        answer = answer.part(placed.end())
    answer = objects.before_comma(objects.phrase(answer))
    tokens = words.tokens(answer.text)
    if not 0 < len(tokens) <= MAX_WORDS or _FINITE & set(tokens) or not objects.is_sound(answer.text):
        return None
    if asked.choices and not any(set(words.stems(choice)) == set(words.stems(answer.text)) for choice in asked.choices):
        return None
    return answer, bool(lead and _UNSURE.search(lead.group()))


def item(sentence: Sentence) -> Stretch | None:
    """Return the thing that a list item names, or None."""
    thing = objects.before_comma(objects.phrase(sentence.words))
    is_thing = not _FINITE & set(words.tokens(thing.text)) and objects.is_sound(thing.text)
    return thing if sentence.is_item and is_thing else None


def is_pronoun(rest: str) -> bool:
    """Return whether the object is only "it", "them" or "that"."""
    return _PRONOUN.match(rest) is not None
