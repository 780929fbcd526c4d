"""An in-process cache of read or computed values."""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Cache(Generic[Key, Value]):
    """An LRU cache of about `limit` bytes, thread-safe. A value is returned only for the version it was put with."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._entries: OrderedDict[Key, tuple[Value, int, Hashable]] = OrderedDict()
        self._lock = Lock()

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

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self._size = 0
