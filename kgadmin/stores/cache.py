"""An in-process cache of read or computed values."""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakSet

_ALL: "WeakSet[Cache[Any, Any]]" = WeakSet()
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Cache(Generic[Key, Value]):
    """An LRU cache of about `limit` bytes, thread-safe. A value is returned only for the version it was put with.
    `name` is shown to operators: what it holds.
    """

    def __init__(self, name: str, limit: int) -> None:
        self._name = name
        self._limit = limit
        self._size = 0
        self._entries: OrderedDict[Key, tuple[Value, int, Hashable]] = OrderedDict()
        self._lock = Lock()
        _ALL.add(self)

    def get(self, key: Key, version: Hashable = None) -> Value | None:
        with self._lock:
            value, _, stored_version = self._entries.get(key, (None, 0, None))
            if value is None or stored_version != version:
                return None
            self._entries.move_to_end(key)
            return value

    def put(self, key: Key, value: Value, size: int, version: Hashable = None) -> Value:
        """Cache a value, replacing the key's former one, and return it. `size` is in bytes, roughly."""
        with self._lock:
            if key in self._entries:
                self._size -= self._entries.pop(key)[1]
            self._entries[key] = (value, size, version)
            self._size += size
            while self._size > self._limit and len(self._entries) > 1:
                self._size -= self._entries.popitem(last=False)[1][1]
        return value

    def keys(self) -> list[Key]:
        """Return the keys of all entries."""
        with self._lock:
            return list(self._entries)

    def drop(self, key: Key) -> None:
        """Remove an entry, if it is there."""
        with self._lock:
            if key in self._entries:
                self._size -= self._entries.pop(key)[1]

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self._size = 0

    @property
    def used(self) -> "Used":
        """Return how much it holds."""
        return Used(self._name, self._size, self._limit)


@dataclass(frozen=True, slots=True)
class Used:
    """How many bytes a cache holds, roughly, and its limit."""

    name: str
    size: int
    limit: int


def all_used() -> list[Used]:
    """Return how much each cache of this process holds, by name."""
    return sorted((cache.used for cache in _ALL), key=lambda used: used.name)
