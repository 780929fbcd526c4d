"""What a process imports, keeps and skips, each within bounds."""

import subprocess
import sys
from pathlib import Path

import pytest

from kgadmin.stores.cache import Cache
from kgadmin.stores.errors import Breaker, StoreError
from kgadmin.stores.model_files import PACKAGED, TokenCounter, tokenizer_file


def test_what_was_asked_for_longest_ago_goes_once_the_bytes_do_not_fit() -> None:
    cache: Cache[str, str] = Cache("words", 10)
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
    cache: Cache[str, str] = Cache("words", 10)
    cache.put("a", "old", 3, version=1)
    assert (cache.get("a", version=2), cache.get("a", version=1)) == (None, "old")


def test_a_store_that_failed_is_skipped_for_a_while_that_skipping_makes_no_longer() -> None:
    now = 100.0
    breaker = Breaker("The graph", now=lambda: now)
    with pytest.raises(StoreError, match="broken"), breaker.guard():
        raise StoreError("broken")
    message = "The graph did not answer a moment ago; it is asked again in 5 s"
    with pytest.raises(StoreError, match=message), breaker.guard():
        pytest.fail("the store was asked")
    now += 4
    with pytest.raises(StoreError), breaker.guard():
        pytest.fail("the store was asked")
    now += 1
    with breaker.guard():
        assert not breaker.is_open


def test_words_are_counted_to_the_end_and_one_that_the_tokenizer_does_not_know_by_its_length() -> None:
    counter = TokenCounter(tokenizer_file(PACKAGED))
    counts = {"": 0, "The ocean raised me.": 5, "reef " * 3000: 3000, "x" * 100_000: 25_000}
    assert {text: counter.count(text) for text in counts} == counts


HEAVY = {"torch", "chromadb", "sentence_transformers", "transformers", "neo4j", "openai", "onnxruntime"}


def test_a_process_that_starts_imports_nothing_heavy_and_one_that_people_wait_for_embeds_without_torch(
    export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all that a first turn would wait for, and with texts of a turn."""
    monkeypatch.setenv("DATA_DIR", str(export.parent.parent))  # where there is nothing, the installation's is taken
    script = (
        "import sys, django; django.setup(); import kgadmin.celery, kgadmin.urls; from kgadmin import asgi;"
        "from kgadmin.stores import wiring; from celery.signals import worker_init;"
        f"heavy = {HEAVY!r} & set(sys.modules);"
        "from kgadmin.stores import graph; graph.WRITE_RETRY_SECONDS = 0;"  # there is none that would answer
        "worker_init.send(sender=None); asgi._warm_up(); embedder = wiring.embedder();"
        "assert embedder.embed(['Where did you grow up?', 'the ocean']).shape == (2, 384);"
        "assert embedder.library.startswith('ONNX'), embedder.note;"
        "torch = {'torch', 'sentence_transformers', 'transformers', 'sklearn', 'scipy'} & set(sys.modules);"
        "print(heavy, torch)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout.strip(), done.returncode) == ("set() set()", 0), done.stderr
