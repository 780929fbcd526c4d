"""Places of which it is known that none lies in another of its kind: two cities, or two countries."""

from characters.domain import lexicon
from characters.domain.entities import key

_KINDS = tuple(frozenset(map(key, lexicon.entries(section))) for section in ("cities", "countries"))


def apart(place: str, second_place: str) -> bool:
    """Whether these are two places that can't be one: neither lies in the other. Of most places nobody here knows."""
    first, second = key(place), key(second_place)
    return first != second and any(first in kind and second in kind for kind in _KINDS)
