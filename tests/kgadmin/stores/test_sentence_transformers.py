"""On the real model."""

import shutil
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from kgadmin.stores.errors import StoreError
from kgadmin.stores.local_embedder import LocalEmbedder, _Remembered
from kgadmin.stores.model_files import PACKAGED, packaged_folder
from kgadmin.stores.sentence_transformers import SentenceTransformerEmbedder


def copy_of_the_model(folder: Path) -> Path:
    shutil.copytree(packaged_folder(), folder)
    return folder


def cut_weights(folder: Path) -> None:
    with (folder / "model.safetensors").open("r+b") as file:
        file.truncate(1000)


def break_configuration(folder: Path) -> None:
    (folder / "config.json").write_text("{")


def take_weights_away(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


def test_vectors_have_unit_length_and_the_shape_of_the_texts(embedder: LocalEmbedder) -> None:
    vectors = embedder.embed(["the ocean", "a dragon"])
    assert vectors.shape == (2, 384)
    assert vectors.dtype.name == "float32"
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-5)


def test_meaning_counts(embedder: LocalEmbedder) -> None:
    sea, ocean, dragon = embedder.embed(["I love the sea", "My passion is the ocean", "A dragon guards gold"])
    assert sea @ ocean > sea @ dragon + 0.3


def test_order_and_repetition_are_kept(embedder: LocalEmbedder) -> None:
    texts = [f"{'word ' * (number % 7)}{number}" for number in range(20)]
    together = embedder.embed([*texts, texts[3]])
    alone = SentenceTransformerEmbedder(PACKAGED)
    alone._model = embedder._model
    assert together[3] == pytest.approx(together[20])
    assert together[11] == pytest.approx(alone.embed([texts[11]])[0], abs=1e-5)


def test_no_texts_have_no_vectors(embedder: LocalEmbedder) -> None:
    assert len(embedder.embed([])) == 0


@pytest.mark.parametrize("text", ["", " ", "\x00", "🦑", "x" * 100_000, "word " * 20_000])
def test_odd_texts_have_vectors_too(embedder: LocalEmbedder, text: str) -> None:
    assert np.isfinite(embedder.embed([text])).all()


def test_threads_share_the_model(embedder: LocalEmbedder) -> None:
    def embed(number: int) -> float:
        return float(np.linalg.norm(embedder.embed([f"thread {number} says {text}" for text in range(5)])))

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(embed, range(24))) == pytest.approx([5**0.5] * 24, abs=1e-4)


def test_the_least_recently_used_text_is_forgotten() -> None:
    known, row = _Remembered(2), np.ones(3, dtype=np.float32)
    known.add({"a": row, "b": row})
    known.get(["a"])
    known.add({"c": row})
    assert set(known.get(["a", "b", "c"])) == {"a", "c"}


def test_the_id_names_model_and_content(tmp_path: Path) -> None:
    packaged = SentenceTransformerEmbedder(PACKAGED).id
    assert packaged.startswith("all-MiniLM-L6-v2@")
    folder = copy_of_the_model(tmp_path / "all-MiniLM-L6-v2")
    assert SentenceTransformerEmbedder(str(folder)).id == packaged
    cut_weights(folder)
    assert SentenceTransformerEmbedder(str(folder)).id != packaged


def test_nothing_is_loaded_before_it_is_needed() -> None:
    assert SentenceTransformerEmbedder(PACKAGED).state == "cold"


def test_a_loaded_model_is_up(embedder: LocalEmbedder) -> None:
    assert (embedder.state, embedder.failure, embedder.note) == ("up", "", "")
    assert embedder.library.startswith("sentence-transformers ")


def test_a_model_that_is_not_there_is_named() -> None:
    embedder = SentenceTransformerEmbedder("/no/such/model")
    embedder.warm()
    assert embedder.state == "down"
    with pytest.raises(StoreError, match="/no/such/model is not there: EMBEDDER_MODEL must be") as failed:
        embedder.embed(["text"])
    assert not failed.value.retryable


@pytest.mark.parametrize("spoil", [cut_weights, break_configuration, take_weights_away])
def test_a_model_that_can_not_be_loaded_says_why_each_time(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    folder = copy_of_the_model(tmp_path / "model")
    spoil(folder)
    embedder = SentenceTransformerEmbedder(str(folder))
    for _ in range(2):
        with pytest.raises(StoreError, match="can't be loaded"):
            embedder.embed(["text"])
    assert embedder.state == "down"


def test_an_empty_folder_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="can't be loaded"):
        SentenceTransformerEmbedder(str(tmp_path)).embed(["text"])


def test_two_threads_load_the_model_once(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, loads = threading.Barrier(2), []

    def load(folder: Path) -> object:
        loads.append(folder)
        return object()

    monkeypatch.setattr("kgadmin.stores.sentence_transformers.load", load)
    embedder = SentenceTransformerEmbedder(PACKAGED)

    def warm(_: int) -> object:
        gate.wait(5)
        return embedder._load()

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(warm, range(2))
    assert first is second
    assert len(loads) == 1
