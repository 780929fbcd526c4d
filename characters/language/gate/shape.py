"""Measure the shape of a message, independent of its subject, and its letter n-grams. Pure; no Django.

Filler, encoded text and imitations of a prompt differ in shape from what people say to somebody.
"""

import math
import re
import zlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from characters.domain import words

MOST = 20_000
"""Characters that are measured."""
SHORT = 40
"""Characters below which the share of non-letters counts less."""
NGRAM_SIZE = 4096
NGRAM_LENGTHS = (3, 4, 5)
MOST_FOR_NGRAMS = 6_000
"""Characters of which n-grams are counted."""
_FACTOR = np.uint64(1_000_003)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_LETTER = re.compile(r"[^\W\d_]")
_CODED = re.compile(r"[A-Za-z0-9+/=]{16,}|(?:[01]{8}\s?){2,}|(?:[^\W\d_][ .\-_]){6,}|(?:%[0-9a-fA-F]{2}){2,}")
_SHOUTED = re.compile(r"\b[A-Z]{3,}\b")
_QUOTED = re.compile(r"[\"“„«][^\"”“»\n]{1,200}[\"”“»]|(?<!\w)'[^'\n]{3,200}'(?!\w)")
_FIRST = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|my|me|mine|we|our)\b")
_SECOND = re.compile(r"\b(?:you|your|you're|yourself|you'll|you've|u)\b")
_COMMAND = re.compile(
    r"(?:^|[.!?:\n]\s{0,3}|\bplease\s|\bthen\s|\band\s)(?:say|write|answer|respond|reply|repeat|tell|do|don't|never|always|"
    r"be|act|make|use|print|output|give|start|begin|end|ignore|forget|imagine|pretend|confirm|admit|translate|put|let|"
    r"keep|stop|stay|remember|call|choose|complete|finish|follow|show|speak|talk|type|read|add|change|take|turn)\b"
)


def figures(text: str) -> Mapping[str, float]:
    """Return the measures by name, each between 0 and about 1."""
    text = text[:MOST]
    low, tokens = text.lower(), words.tokens(text)
    coded = text.encode("utf-8", "replace")
    count = max(1, len(tokens))
    return {
        "length": math.log1p(len(text)) / 8,
        "is long": float(len(text) > 300),
        "lines": math.log1p(text.count("\n")) / 4,
        "letters missing": (1 - len(_LETTER.findall(text)) / max(1, len(text.replace(" ", ""))))
        * min(1, len(text) / SHORT),
        "shouted": len(_SHOUTED.findall(text)) / count,
        "is shouting": float(len(_SHOUTED.findall(text)) > 2),
        "repeats": 1 - len(set(tokens)) / count,
        "packs": max(0.0, 1 - len(zlib.compress(coded)) / max(1, len(coded))),
        "unknown words": sum(not words.is_common(word) for word in tokens) / count,
        "foreign letters": _foreign(text),
        "coded": float(bool(_CODED.search(text))),
        "quoted": math.log1p(len(_QUOTED.findall(text))) / 2,
        "first person": len(_FIRST.findall(low)) / count,
        "second person": len(_SECOND.findall(low)) / count,
        "asks": float("?" in text),
        "ends asking": float(text.rstrip().endswith("?")),
        "commands": len(_COMMAND.findall(low)) / math.sqrt(count),
        "begins with a command": float(bool(_COMMAND.match(low))),
        "colons": math.log1p(text.count(":")) / 3,
    }


def _foreign(text: str) -> float:
    letters = _LETTER.findall(text)
    return sum(ord(letter) > 0x24F for letter in letters) / max(1, len(letters))


def ngrams(text: str) -> NDArray[np.float32]:
    """Return hashed log counts of runs of 3 to 5 characters: shape (NGRAM_SIZE,), of unit length or all zeros."""
    plain = " ".join(text.lower().split())[:MOST_FOR_NGRAMS]
    codes = np.frombuffer(f" {plain} ".encode("utf-32-le", "replace"), dtype=np.uint32).astype(np.uint64)
    counts = np.zeros(NGRAM_SIZE, dtype=np.float32)
    for length in NGRAM_LENGTHS:
        if len(codes) >= length + 2:
            counts += np.bincount(_places(codes, length), minlength=NGRAM_SIZE).astype(np.float32)
    counts = np.log1p(counts)
    return np.asarray(counts / max(1e-9, float(np.linalg.norm(counts))), dtype=np.float32)


def _places(codes: NDArray[np.uint64], length: int) -> NDArray[np.int64]:
    runs = np.full(len(codes) - length + 1, length, dtype=np.uint64)
    for place in range(length):
        runs = runs * _FACTOR + codes[place : len(codes) - length + 1 + place]
    return np.asarray((runs * _MIX) >> np.uint64(52), dtype=np.int64)
