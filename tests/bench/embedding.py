"""A process that embeds, as a turn does: short phrases, and their cosine with what is stored.

`python -m tests.bench.embedding own` (sentence-transformers) or `... THREADS SPINNING` (the export, by ONNX Runtime)
says how long loading took, in s, and what the process then holds, in MB; and answers each line of its input ("8 100":
a hundred times eight phrases) with the times in ms, and those that processors worked.
"""

import json
import random
import sys
import time
from collections.abc import Sequence

import numpy as np
import psutil

from kgadmin.config import ROOT
from kgadmin.stores import export_files
from kgadmin.stores.embedder import Vectors
from kgadmin.stores.local_embedder import LoadedModel
from kgadmin.stores.model_files import PACKAGED, model_folder, model_id

STORED, DIMENSIONS = 6_000, 384
WORDS = (ROOT / "characters/domain/words/common.txt").read_text().split()


def main(how: Sequence[str]) -> None:
    began = time.perf_counter()
    model = loaded(how)
    model.encode(["warm"])
    seconds = time.perf_counter() - began
    print(json.dumps([seconds, psutil.Process().memory_info().rss / 1_000_000]), flush=True)
    stored = np.random.default_rng(1).random((STORED, DIMENSIONS), dtype=np.float32)
    chance = random.Random(1)
    for line in sys.stdin:
        phrases, times = map(int, line.split())
        found = [_once(model, stored, _phrases(chance, phrases)) for _ in range(times)]
        print(json.dumps(list(zip(*found, strict=True))), flush=True)


def loaded(how: Sequence[str]) -> LoadedModel:
    """The model as `how` says: a web process imports no more than it needs."""
    if how[0] == "own":
        from kgadmin.stores import sentence_transformers

        return sentence_transformers.load(model_folder(PACKAGED))
    from kgadmin.stores import exported

    threads, spinning = map(int, how)
    export = export_files.find(model_id(PACKAGED), [export_files.INSTALLED])
    return exported.load(export, threads=threads, spinning=bool(spinning))


def _phrases(chance: random.Random, count: int) -> list[str]:
    return [" ".join(chance.choices(WORDS, k=chance.randint(2, 9))) for _ in range(count)]


def _once(model: LoadedModel, stored: Vectors, texts: list[str]) -> tuple[float, float]:
    """By the clock, and by the processors."""
    began, worked = time.perf_counter(), time.process_time()
    _ = stored @ model.encode(texts).T
    return (time.perf_counter() - began) * 1000, (time.process_time() - worked) * 1000


if __name__ == "__main__":
    main(sys.argv[1:])
