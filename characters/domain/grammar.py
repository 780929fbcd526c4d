"""Fit an author's words into a sentence: "Retired teacher" -> "My father is a retired teacher".

Authors write objects as they would in a list, so the first word may be a verb, a noun, an adjective or a name. If its
form and the word lists don't tell which, the result is worded to read well either way.
"""

import re

from characters.domain import lexicon, words

_PAST = lexicon.entries("past")
_PRESENT = frozenset("is has does can could would must might may should".split())
_ADVERBS = frozenset("never always still once often now sometimes also only".split())
_BEFORE_VERB = re.compile(r"\w+ly$")
_PLURAL_NOUNS = frozenset("sales news arts sports glass physics genetics twins triplets".split())
_NO_ARTICLE = lexicon.entries("no article")
# Adjectives that stand alone after "is": "dead", "alive and well", but "a retired teacher".
_STATES = lexicon.entries("states")
_ADJECTIVES_IN_ED = lexicon.entries("adjectives in -ed")
# Given names that are also words, which the word list can't tell apart.
_GIVEN_NAMES = lexicon.entries("given names that are words")
_FIRST_PERSON = ("I ", "I'", "I’")
_OF_PEOPLE = ("ologist", "grapher", "smith", "maker", "keeper", "wright", "monger", "worker", "trician")
_CONSONANT_SOUND = re.compile(r"uni(?!n|m|d)|us[eu]|ut[ei]|eu|ewe|one\b|once\b|ouija", re.IGNORECASE)
_VOWEL_SOUND = re.compile(r"[aeiou]|hour|honest|honou?r|heir|x-|8|1[18](?!\d)", re.IGNORECASE)


def inline(text: str) -> str:
    """Return `text` as written mid-sentence: "Night dives" -> "night dives"; a single word may be a name and stays."""
    first, _, rest = text.partition(" ")
    is_title = first == "The" and rest[:1].isupper()
    return text if not rest or first.endswith(",") or is_title else _lowered(text)


def with_article(text: str) -> str:
    """Add an article: "Marine biologist" -> "a marine biologist"; not behind an article, number or preposition."""
    plain = _lowered(text)
    first = _first(plain)
    if not first or first in _NO_ARTICLE or first.isdigit():
        return plain
    return f"an {plain}" if _VOWEL_SOUND.match(first) and not _CONSONANT_SOUND.match(first) else f"a {plain}"


def joined(subject: str, text: str) -> str:
    """Join a subject with what is said of it, adding "is" or "are" if `text` has no verb."""
    plural = subject.endswith("s") and not subject.endswith("ss")
    plain = _lowered(text)
    if text.startswith(_FIRST_PERSON):
        return f"{subject}: {text}"
    if _starts_with_verb(plain, plural=plural) or _is_name_and_verb(text, plural=plural):
        return f"{subject} {plain}"
    verb = "are" if plural else "is"
    if plural or _is_state(plain) or _first(plain) in _ADVERBS or _is_whole_name(text):
        return f"{subject} {verb} {plain}"
    return f"{subject} {verb} {with_article(text)}"


def _first(text: str) -> str:
    return text.split(" ", 1)[0].strip(",.;:()")


def _second(text: str) -> str:
    return _first(text.partition(" ")[2])


def _lowered(text: str) -> str:
    """Lower the first letter, unless the text begins with a name."""
    return text if _begins_with_name(text) else text[:1].lower() + text[1:]


def _begins_with_name(text: str) -> bool:
    first = _first(text)
    plain = first.lower()
    if first != first.capitalize() and not _is_compound(first):
        return True
    if plain in _GIVEN_NAMES or f"{text} ".startswith(_FIRST_PERSON):
        return True
    if plain in words.STOP:
        return False
    known = words.rarity(plain.partition("-")[0]) < words.UNKNOWN
    return not (known or plain.endswith(_OF_PEOPLE)) or (_second(text)[:1].isupper() and "-" not in first)


def _is_compound(word: str) -> bool:
    """Return whether the word is like "Red-haired", but neither "Jean-Luc" nor "red-haired"."""
    return "-" in word and word == word.capitalize()


def _is_whole_name(text: str) -> bool:
    """Match "Thomas", "Mark, three years older", "Rose Tyler"; not "Norwegian sailor", "Red Cross nurse"."""
    first, second = _first(text), _second(text)
    if not (_begins_with_name(text) and first[:1].isupper()):
        return False
    alone = not second or text.startswith(f"{first},") or second.lower() in words.STOP
    known = words.rarity(first.lower()) < words.UNKNOWN and first.lower() not in _GIVEN_NAMES
    return not known and (alone or second[:1].isupper())


def _is_name_and_verb(text: str, *, plural: bool) -> bool:
    """Match a name and a verb: "Will runs the kitchen"."""
    first = text.split(" ", 1)[0]
    second = _second(text)
    return first.isalpha() and _is_whole_name(first) and second.islower() and is_verb(second, plural=plural)


def _starts_with_verb(plain: str, *, plural: bool) -> bool:
    first, second = _first(plain), _second(plain)
    if not first[:1].islower():
        return False
    if first in _ADVERBS or _BEFORE_VERB.match(first):
        return is_verb(second, plural=plural)
    if first in _ADJECTIVES_IN_ED:
        return second in words.STOP and not _is_state(plain)
    return is_verb(first, plural=plural)


def _is_state(plain: str) -> bool:
    """Match an adjective alone or before a stop word: "alive and well", "divorced", "deaf since birth"."""
    first, second = _first(plain), _second(plain)
    return first in _STATES and (not second or second in words.STOP or plain.startswith(f"{first},"))


def is_verb(word: str, *, plural: bool) -> bool:
    """Judge by form. After a plural subject, a word in -s is a noun: "My ancestors are sailors"."""
    if word in _PAST or word in _PRESENT or (word.endswith("ed") and len(word) > 4 and "-" not in word):
        return True
    in_s = word.endswith("s") and not word.endswith(("ss", "us", "ous")) and word not in _PLURAL_NOUNS
    return in_s and not plural and "'" not in word and "-" not in word and word not in words.STOP
