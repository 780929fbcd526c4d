"""Decode words that a message has in another form: base64, bits, shifted letters, backwards. Pure; no Django."""

import base64
import binascii
import codecs
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

from characters.domain import words

MOST = 1_000
"""Characters that are read for forms without marks of their own, such as shifted letters."""
LEAST_WORDS, LEAST_KNOWN, FEW_KNOWN = 3, 0.75, 0.4
"""Words, and shares of known letters, from which a text reads as English, and below which it doesn't."""
COMMON, LISTED = 3.0, 4.0
"""Most rarity of common and of listed words; decoded text of a marked form needn't be of common words."""
SHORTEST = 5
"""Fewest letters of words that are searched for without blanks."""
_BASE64 = re.compile(r"[A-Za-z0-9+/]{10,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}[ :]?){8,}")
_BITS = re.compile(r"(?:[01]{8}\s?){3,}")
_PERCENT = re.compile(r"%[0-9a-fA-F]{2}")
_SPACED = re.compile(r"(?:(?<![^\W_])[^\W_][ .\-_*]{1,3}){4,}[^\W_](?![^\W_])")
_LEET = str.maketrans("013457@$", "oieastas")
_MIXED = re.compile(
    r"(?<![\w@$])(?:[a-zA-Z]{1,12}[013457@$]{1,3}[a-zA-Z@$]{1,12}|[013457@$]{1,2}[a-zA-Z@$]{2,12})[\w@$]{0,12}"
)
_NO_LETTER = re.compile(r"[\W\d_]+")


@dataclass(frozen=True, slots=True)
class Hidden:
    """A decoded text, and the name of the form it was in."""

    form: str
    text: str


@lru_cache(maxsize=512)
def find(text: str) -> tuple[Hidden, ...]:
    """Return what reads as English only after decoding."""
    marked = [Hidden(form, texts) for form, turn in _MARKED.items() for texts in turn(text)]
    texts = [each for each in marked if _is_readable(each.text, least=1, most=LISTED)]
    if _known(text[:MOST]) < FEW_KNOWN:
        turned = (Hidden(form, turn(text[:MOST])) for form, turn in _TURNED.items())
        texts += [each for each in turned if _is_readable(each.text, least=LEAST_WORDS)]
    return tuple(texts)


def spells(text: str, sought: str) -> str:
    """Return the name of the form in which `text` hides the words `sought`, or an empty string."""
    wanted = _letters(sought)
    if len(wanted) < SHORTEST or set(words.tokens(sought)) <= set(words.tokens(text)):
        return ""
    forms = {
        "in pieces": _letters(text),
        "backwards": _letters(text)[::-1],
        "in rot13": codecs.encode(_letters(text), "rot13"),
        "with digits for letters": _letters(text.lower().translate(_LEET)),
        "in first letters": "".join(word[0] for word in words.tokens(text)),
    }
    return next((form for form, letters in forms.items() if wanted in letters), "")


def joins(first_text: str, second_text: str, sought: str) -> bool:
    """Return whether the end of one text and the beginning of the next form `sought`, which neither contains."""
    wanted, first, second = _letters(sought), _letters(first_text), _letters(second_text)
    if len(wanted) < SHORTEST or wanted in first or wanted in second:
        return False
    return any(first.endswith(wanted[:at]) and second.startswith(wanted[at:]) for at in range(1, len(wanted)))


def _letters(text: str) -> str:
    return _NO_LETTER.sub("", text.lower())


def _known(text: str, most: float = COMMON) -> float:
    """Return the share of letters in words of at most this rarity; of single letters only "I" and "a" count."""
    tokens = words.tokens(text)
    known = sum(len(word) for word in tokens if (len(word) > 1 or word in {"i", "a"}) and words.rarity(word) <= most)
    return known / max(1, sum(map(len, tokens)))


def _is_readable(text: str, least: int, most: float = COMMON) -> bool:
    tokens = words.tokens(text)
    return len(tokens) >= least and len("".join(tokens)) >= SHORTEST and _known(text, most) >= LEAST_KNOWN


def _base64(text: str) -> Iterator[str]:
    for match in _BASE64.finditer(text):
        code = match.group().rstrip("=")
        complete = code[: len(code) - (len(code) % 4 == 1)]
        try:
            yield base64.b64decode(complete + "=" * (-len(complete) % 4)).decode()
        except (binascii.Error, UnicodeDecodeError):
            continue


def _hexadecimal(text: str) -> Iterator[str]:
    return (_of_bytes(re.sub(r"[ :]", "", match.group()), 16, 2) for match in _HEX.finditer(text))


def _bits(text: str) -> Iterator[str]:
    return (_of_bytes(re.sub(r"\s", "", match.group()), 2, 8) for match in _BITS.finditer(text))


def _of_bytes(digits: str, base: int, size: int) -> str:
    numbers = (int(digits[at : at + size], base) for at in range(0, len(digits) - size + 1, size))
    return bytes(number for number in numbers if number < 256).decode("utf-8", "replace")


def _percent(text: str) -> Iterator[str]:
    if len(_PERCENT.findall(text)) > 1:
        yield unquote(text)


def _spaced(text: str) -> Iterator[str]:
    for match in _SPACED.finditer(text):
        pieces = re.split(r"[ ]{2,}", match.group())
        yield " ".join(_NO_LETTER.sub("", piece) for piece in pieces)


def _leet(text: str) -> Iterator[str]:
    mixed = _MIXED.findall(text)
    if len(mixed) > 1:
        yield " ".join(word.lower().translate(_LEET) for word in mixed)


def _shifted(by: int) -> Callable[[str], str]:
    letters = "abcdefghijklmnopqrstuvwxyz"
    turned = letters[by:] + letters[:by]
    table = str.maketrans(letters, turned)
    return lambda text: text.lower().translate(table)


_MARKED: Mapping[str, Callable[[str], Iterator[str]]] = {
    "base64": _base64,
    "hexadecimal": _hexadecimal,
    "bits": _bits,
    "percent signs": _percent,
    "spaced letters": _spaced,
    "digits for letters": _leet,
}
_TURNED: Mapping[str, Callable[[str], str]] = {
    "letters backwards": lambda text: text[::-1],
    **{f"letters moved by {by}": _shifted(26 - by) for by in range(1, 26)},
}
