"""Which predicate a favourite of some kind has, and what stands in for a predicate that isn't registered."""

import re
from collections.abc import Collection

from characters.domain import lexicon

_SAME = dict(entry.split(":") for entry in lexicon.entries("favourites"))
_BEHIND = re.compile(
    r"\s+(?:of all time|these days|right now|nowadays|at the moment|of mine|of all|ever"
    r"|in the (?:whole |entire )?world|on earth|by far|to (?:eat|drink|read|watch|visit)|for)\b.*"
)
_KIND_OF = re.compile(r"(?:kind|type|sort|species|piece) of ")
_INSTEAD = {
    "LOVES": ("LIKES", "ENJOYS"),
    "LIKES": ("LOVES", "ENJOYS"),
    "ENJOYS": ("LIKES", "LOVES"),
    "HATES": ("DISLIKES",),
    "DISLIKES": ("HATES",),
    "ADMIRES": ("LIKES",),
    "INTERESTED_IN": ("LIKES",),
    "HAS_OPINION": ("BELIEVES",),
    "BELIEVES": ("HAS_OPINION",),
}


def favorite(kind: str, registered: Collection[str]) -> str:
    """FAVORITE_COLOR for "colour"; LOVES where that kind of favourite has no predicate, or where no kind is said."""
    plain = " ".join(kind.lower().split())
    without = _BEHIND.sub("", plain)
    bare = _KIND_OF.sub("", without)
    for form_of_kind in (plain, without, bare):
        for form in (
            _SAME.get(form_of_kind, ""),
            form_of_kind.upper().replace(" ", "_"),
            form_of_kind.removesuffix("s").upper(),
        ):
            if form and f"FAVORITE_{form}" in registered:
                return f"FAVORITE_{form}"
    return among("LOVES", registered)


def among(predicate: str, registered: Collection[str]) -> str:
    """The predicate, or the nearest one that is registered; empty where there is none."""
    return next((each for each in (predicate, *_INSTEAD.get(predicate, ())) if each in registered), "")


def plain_kind(kind: str) -> str:
    """COLOR for COLOUR, MOVIE for FILM: the end of a predicate's name."""
    return _SAME.get(kind.lower().replace("_", " "), kind)
