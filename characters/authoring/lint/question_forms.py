"""Make questions that a sentence answers, by rules: "I have been to Rome twice." -> "Have you been to Rome?"."""

import re

from characters.domain import lexicon, words

LONGEST = 12
"""Words of the sentence that a question may take over."""

_IRREGULAR = dict(entry.split(":") for entry in lexicon.entries("irregular past"))
_PARTICIPLES = lexicon.entries("participles")
_NUMBERS = frozenset("one two three four five six seven eight nine ten eleven twelve".split())
_HELPING = {
    **{word: word for word in "can could will would should must may might do did".split()},
    **{"am": "are", "was": "were", "cannot": "can", "can't": "can", "don't": "do", "didn't": "did"},
}
"""Auxiliary verb behind "I", to the one before "you" in a question."""
_OFTEN = frozenset("always often usually sometimes never still really also rarely".split())
_TURNED = {
    "i": "you", "i'm": "you're", "i've": "you've", "i'd": "you'd", "i'll": "you'll", "me": "you", "my": "your",
    "mine": "yours", "myself": "yourself", "we": "you", "us": "you", "our": "your", "ours": "yours", "am": "are",
}  # fmt: skip
_MORE = re.compile(
    r"[,;:.!?(—–]|\s-\s|\s(?:because|when|whenever|while|although|though|since|until|which|who|whom|but|so that"
    r"|(?:once|twice|(?:\w+|\d+) times|(?:for|every|each|last)"
    r" (?:\w+ )?(?:years?|months?|weeks?|days?|night|summer|winter)"
    r"|in (?:1|2)\d{3}))\b",
    re.IGNORECASE,
)
_MINE = re.compile(r"My (?P<what>[a-z][\w-]*(?: [a-z]\w*)?) (?P<verb>is|was|are|were|has|had|can|likes|lives|works)\b")


def questions(sentence: str) -> tuple[str, ...]:
    """Return questions that a sentence in the first person answers, the likeliest first; none if no rule fits."""
    plain = " ".join(sentence.replace("’", "'").split()).rstrip(" .!…")
    for short, long in (("I'm ", "I am "), ("I've ", "I have "), ("I can not ", "I cannot ")):
        plain = long + plain.removeprefix(short) if plain.startswith(short) else plain
    questions_found = _of_mine(plain) if plain.startswith(("My ", "I ")) else []
    if _base(plain.partition(" ")[0].lower()):
        plain = f"I {plain[:1].lower()}{plain[1:]}"  # "Visited Rome"
    if plain.startswith("I "):
        verb, _, rest = plain[2:].partition(" ")
        questions_found += _yes_or_no(verb.lower(), _short(rest))
    return tuple(dict.fromkeys(f"{question[:1].upper()}{question[1:].strip()}?" for question in questions_found))


def _short(rest: str) -> str:
    """Return the words before details begin, in the second person."""
    first = _MORE.split(f" {rest}", maxsplit=1)[0].split()[:LONGEST]
    return " ".join(_TURNED.get(word.lower(), word) for word in first)


def _yes_or_no(verb: str, rest: str) -> list[str]:
    """ "I grew", "up in Oslo" -> "did you grow up in Oslo"."""
    word, _, behind = rest.partition(" ")
    without_not = behind if word in {"not", "never"} else rest
    if not rest:
        return []
    if verb in _OFTEN:
        return _yes_or_no(word, behind)
    if verb == "have" and _is_participle(without_not.partition(" ")[0]):
        return [f"have you {rest if without_not == rest else f'ever {behind}'}"]
    if verb in _HELPING:
        return [f"{_HELPING[verb]} you {without_not}"]
    return _doing(verb, rest)


def _doing(verb: str, rest: str) -> list[str]:
    if verb == "have":
        return [f"do you have {_without_number(rest.removeprefix('no '))}"] if rest else []
    if verb == "had":
        return [f"did you have {rest}"] if rest else []
    if base := _base(verb):
        return [f"did you {base} {rest}"]
    return [f"do you {verb} {rest}"] if rest and verb.isalpha() and words.rarity(verb) < words.UNKNOWN else []


def _without_number(what: str) -> str:
    """ "one dog" -> "a dog", "two sisters" -> "sisters"."""
    number, _, rest = what.partition(" ")
    if number == "one" and rest:
        return f"{'an' if rest[:1] in 'aeiou' else 'a'} {rest}"
    return rest if rest and (number in _NUMBERS or number.isdigit()) else what


def _base(verb: str) -> str:
    """ "grew" -> "grow", "visited" -> "visit"; empty if it isn't a past tense."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if not verb.endswith("ed") or len(verb) < 5 or verb in {"need", "speed", "breed", "succeed", "proceed"}:
        return ""
    stripped = verb[:-2]
    forms = [verb[:-1], stripped, stripped[:-1], f"{stripped[:-1]}y"]
    if stripped.endswith("i"):
        return forms[3]
    doubled = stripped[-1:] == stripped[-2:-1] and stripped[-1] not in "sl"
    order = [stripped[:-1]] if doubled else [stripped, verb[:-1]]
    return min(order, key=words.rarity)


def _is_participle(word: str) -> bool:
    return word in _PARTICIPLES or (word.endswith("ed") and len(word) > 4)


def _of_mine(plain: str) -> list[str]:
    """ "My father is dead" -> "what about your father", "tell me about your father"."""
    match = _MINE.match(plain)
    if match is None:
        return []
    what, verb = match["what"], match["verb"]
    asked = (
        [f"{verb} your {what} {_short(plain[match.end() :])}"] if verb in {"is", "was", "are", "were", "can"} else []
    )
    return [*asked, f"how {'are' if verb in {'are', 'were'} else 'is'} your {what}"]
