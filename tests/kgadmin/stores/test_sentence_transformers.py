"""On the real model, and on small ones that are spoilt."""

import json
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from kgadmin.config import ROOT
from kgadmin.stores.embedder import LoadedModel, LocalEmbedder
from kgadmin.stores.errors import StoreError
from kgadmin.stores.exported import ExportedEmbedder
from kgadmin.stores.exporter import SAME
from kgadmin.stores.model_files import PACKAGED
from tests import invented
from tests.kgadmin.stores.odd_texts import ODD
from tests.tiny_models import small_bert

USUAL = 0.999
"""Least median of the cosines between the vectors by the model and by its export."""


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    """The model itself; all other tests embed by its export."""
    embedder = ExportedEmbedder(PACKAGED, [])
    embedder.warm()
    return embedder


def cut_weights(folder: Path) -> None:
    with (folder / "model.safetensors").open("r+b") as file:
        file.truncate(1000)


def test_a_loaded_model_is_up_and_its_vectors_have_unit_length(embedder: LocalEmbedder) -> None:
    vectors = embedder.embed(["the ocean", "a dragon"])
    assert vectors.shape == (2, 384)
    assert vectors.dtype.name == "float32"
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-5)
    assert len(embedder.embed([])) == 0
    assert (embedder.state, embedder.failure) == ("up", "")
    assert embedder.library.startswith("sentence-transformers ")
    assert embedder.id.startswith(f"{PACKAGED}@")


def test_the_export_gives_any_text_the_same_vector(embedder: LocalEmbedder, exported: ExportedEmbedder) -> None:
    naughty = json.loads((ROOT / "tests" / "data" / "blns.json").read_text())
    chance = random.Random(4)
    words = Path(invented.__file__).read_text().split()
    long = [" ".join(chance.choices(words, k=count)) for count in (3, 30, 120, 260, 400)]
    texts = list(dict.fromkeys([*ODD, *naughty[::5], *long]))
    expected, vectors = embedder.embed(texts), exported.embed(texts)
    assert len(texts) > 100
    assert np.isfinite(expected).all()
    cosines = (expected * vectors).sum(axis=1)
    assert cosines.min() >= SAME
    assert np.median(cosines) >= USUAL
    assert exported.id == embedder.id


def test_order_and_repetition_are_kept_and_threads_share_the_model(embedder: LocalEmbedder) -> None:
    texts = [f"{'word ' * (number % 7)}{number}" for number in range(20)]
    together = embedder.embed([*texts, texts[3]])
    assert together[3] == pytest.approx(together[20])
    alone = ExportedEmbedder(PACKAGED, [])
    alone._model = embedder._model
    with ThreadPoolExecutor(8) as threads:
        one_by_one = list(threads.map(lambda text: alone.embed([text])[0], texts))
    assert np.stack(one_by_one) == pytest.approx(together[:20], abs=1e-5)


def test_a_model_that_is_not_there_is_named_when_it_is_needed() -> None:
    embedder = ExportedEmbedder("/no/such/model", [])
    states = [embedder.state]
    embedder.warm()
    assert [*states, embedder.state] == ["cold", "down"]
    with pytest.raises(StoreError, match="/no/such/model is not there: EMBEDDER_MODEL must be") as failed:
        embedder.embed(["text"])
    assert not failed.value.retryable


def test_a_model_that_can_not_be_loaded_says_why_each_time_and_is_another_one(tmp_path: Path) -> None:
    model = small_bert(tmp_path)
    was = ExportedEmbedder(model, []).id
    cut_weights(Path(model))
    embedder = ExportedEmbedder(model, [])
    assert embedder.id != was
    for _ in range(2):
        with pytest.raises(StoreError, match="can't be loaded"):
            embedder.embed(["text"])
    assert embedder.state == "down"


def test_two_threads_load_the_model_once(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, loads = threading.Barrier(2), []

    def load(folder: Path) -> LoadedModel:
        loads.append(folder)
        return LoadedModel("a library", lambda texts: np.zeros((len(texts), 1), dtype=np.float32))

    monkeypatch.setattr("kgadmin.stores.sentence_transformers.load", load)
    embedder = ExportedEmbedder(PACKAGED, [])

    def warm(_: int) -> object:
        gate.wait(5)
        return embedder._load()

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(warm, range(2))
    assert first is second
    assert len(loads) == 1
