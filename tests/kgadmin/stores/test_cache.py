"""What a process keeps is bounded by bytes."""

from kgadmin.stores.cache import Cache


def test_what_was_asked_for_longest_ago_goes_once_the_bytes_do_not_fit() -> None:
    cache: Cache[str, str] = Cache(10)
    for key in "abc":
        cache.put(key, key, 3)
    assert cache.get("a") == "a"
    cache.put("d", "d", 3)
    assert [cache.get(key) for key in "abcd"] == ["a", None, "c", "d"]
    cache.put("c", "larger", 7)
    assert [cache.get(key) for key in "acd"] == [None, "larger", "d"]
    cache.put("c", "small again", 3)
    cache.put("e", "e", 4)
    assert [cache.get(key) for key in "cde"] == ["small again", "d", "e"]
    cache.put("f", "too large for all", 11)
    assert [cache.get(key) for key in "cdef"] == [None, None, None, "too large for all"]


def test_a_value_of_another_version_is_not_there() -> None:
    cache: Cache[str, str] = Cache(10)
    cache.put("a", "old", 3, version=1)
    assert (cache.get("a", version=2), cache.get("a", version=1)) == (None, "old")
