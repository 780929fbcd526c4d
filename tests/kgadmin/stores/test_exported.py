"""The export is the very same model: on hundreds of texts, in any batch, from any thread."""

import json
import random
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from kgadmin.config import ROOT
from kgadmin.stores import export_files
from kgadmin.stores.embedder import Vectors
from kgadmin.stores.errors import StoreError
from kgadmin.stores.exported import ExportedEmbedder, load
from kgadmin.stores.local_embedder import BATCH, LocalEmbedder
from kgadmin.stores.model_files import PACKAGED
from tests import invented

SAME = 0.9999
ODD = [
    "",
    " ",
    "\n\t spaces around it \n",
    "🐙🌊",
    "👩‍👩‍👧‍👦 zero\u200bwidth",
    "x" * 100_000,
    "word " * 5_000,
    "私はサンゴ礁が好きです。",
    "Я люблю море",
    "مرحبا بالعالم",
    "נסיכה",
    "ΑΝΘΡΩΠΟΣ",
    "ﬁne Straße İstanbul",
    "e\u0301 and é",
]


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Short and long, plain and odd, in no order."""
    naughty = json.loads((ROOT / "tests" / "data" / "blns.json").read_text())
    chance = random.Random(4)
    words = Path(invented.__file__).read_text().split()
    long = [" ".join(chance.choices(words, k=count)) for count in (3, 30, 120, 200, 260, 400) for _ in range(5)]
    found = list(dict.fromkeys([*ODD, *naughty, *long]))
    chance.shuffle(found)
    return found


@pytest.fixture(scope="module")
def own(texts: list[str], embedder: LocalEmbedder) -> dict[str, Vectors]:
    """The vectors by sentence-transformers."""
    return dict(zip(texts, embedder.embed(texts), strict=True))


def least_cosine(texts: list[str], vectors: Vectors, own: dict[str, Vectors]) -> float:
    assert vectors.dtype == np.float32
    return float((np.stack([own[text] for text in texts]) * vectors).sum(axis=1).min())


def test_it_embeds_by_onnx_runtime_and_has_nothing_to_say_about_it(exported: ExportedEmbedder) -> None:
    assert exported.library.startswith("ONNX Runtime ")
    assert (exported.state, exported.failure, exported.note) == ("up", "", "")


def test_vectors_of_both_may_be_compared(exported: ExportedEmbedder, embedder: LocalEmbedder) -> None:
    assert exported.id == embedder.id


def test_hundreds_of_texts_have_the_same_vectors(
    texts: list[str], own: dict[str, Vectors], exported: ExportedEmbedder
) -> None:
    assert len(texts) > 500
    assert least_cosine(texts, exported.embed(texts), own) >= SAME


def test_a_vector_depends_on_no_other_text_of_its_batch(
    texts: list[str], own: dict[str, Vectors], export: Path
) -> None:
    encode, chance, start = load(export).encode, random.Random(5), 0
    while start < 200:
        batch = texts[start : start + chance.randint(1, BATCH)]
        assert least_cosine(batch, encode(batch), own) >= SAME
        start += len(batch)


def test_threads_get_the_same_vectors_at_once(texts: list[str], own: dict[str, Vectors], export: Path) -> None:
    encode = load(export).encode
    batches = [texts[start : start + 1 + start % BATCH] for start in range(0, 96, 2)]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(encode, batches))
    assert min(least_cosine(batch, each, own) for batch, each in zip(batches, found, strict=True)) >= SAME


@pytest.mark.parametrize("threads", [1, 2])
def test_more_threads_and_spinning_change_no_vector(
    texts: list[str], own: dict[str, Vectors], export: Path, threads: int
) -> None:
    batch = texts[:BATCH]
    assert least_cosine(batch, load(export, threads=threads, spinning=True).encode(batch), own) >= SAME


def test_no_texts_have_no_vectors(exported: ExportedEmbedder) -> None:
    assert len(exported.embed([])) == 0


def test_without_an_export_sentence_transformers_embeds_and_the_note_says_why(
    tmp_path: Path, embedder: LocalEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    alone = ExportedEmbedder(PACKAGED, [tmp_path])
    vectors = alone.embed(["the ocean"])
    assert alone.library == embedder.library
    assert alone.note == (
        f"There is no export of {alone.id}. `manage.py export_embedder` makes one; processes that start then use it."
    )
    assert alone.note in caplog.text
    assert vectors == pytest.approx(embedder.embed(["the ocean"]))


def test_a_broken_export_is_not_used(tmp_path: Path, export: Path) -> None:
    broken = shutil.copytree(export, tmp_path / export.name)
    with (broken / export_files.WEIGHTS).open("r+b") as file:
        file.seek(1_000_000)
        file.write(b"\0" * 1000)
    alone = ExportedEmbedder(PACKAGED, [tmp_path])
    alone.warm()
    assert alone.state == "up"
    assert alone.library.startswith("sentence-transformers ")
    assert alone.note.startswith(f"The export in {broken} is broken.")


def test_a_network_that_onnx_runtime_can_not_read_is_not_used(tmp_path: Path, export: Path) -> None:
    unreadable = shutil.copytree(export, tmp_path / export.name)
    (unreadable / export_files.NETWORK).write_bytes(b"no network")
    export_files.seal(unreadable, export.name)
    alone = ExportedEmbedder(PACKAGED, [tmp_path])
    alone.warm()
    assert alone.library.startswith("sentence-transformers ")
    assert "can't be loaded" in alone.note


def test_a_model_that_is_not_there_is_named_as_ever(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="/no/such/model is not there: EMBEDDER_MODEL must be"):
        ExportedEmbedder("/no/such/model", [tmp_path]).embed(["text"])


def test_embedding_by_the_export_imports_no_torch(export: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from kgadmin.stores.exported import ExportedEmbedder;"
        f"embedder = ExportedEmbedder({PACKAGED!r}, [Path({str(export.parent)!r})]);"
        "assert embedder.embed(['the ocean', 'a dragon']).shape == (2, 384), embedder.note;"
        "print(*sorted({'torch', 'sentence_transformers', 'transformers', 'sklearn', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout.strip(), done.returncode) == ("", 0), done.stderr
