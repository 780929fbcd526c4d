"""Reading what a language model answered: what is sound is taken, everything else is told. No Django."""

import difflib
import json
import math
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from characters.domain.relations import CLASSES, Relation

MAX_EVIDENCE = 500
MAX_DETAIL = 300
_DECODER = json.JSONDecoder()
_FENCE = re.compile(r"```[a-zA-Z]*\s*(.*?)```", re.DOTALL)
_NOT_LETTERS = re.compile(r"[\W_]+")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")

Key = tuple[str, str]
"""(id of the source, id of the target), as they were asked: the source is the later message."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How two messages relate: `confidence` in [0, 1], `evidence` a short sentence."""

    relation: Relation
    confidence: float
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something of an answer that couldn't be taken; `kind` in a word or two, `detail` for a person."""

    kind: str
    detail: str


@dataclass(slots=True)
class Reading:
    """What an answer gave."""

    verdicts: dict[Key, Verdict] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)

    def note(self, kind: str, detail: str) -> None:
        self.troubles.append(Trouble(kind, clean(detail)[:MAX_DETAIL]))


def read(text: str, asked: Collection[Key]) -> Reading:
    """The sound verdicts of an answer on the pairs that were asked, and what was wrong with the rest of it."""
    reading = Reading()
    for item in _items(text, reading):
        _take(item, asked, reading)
    missing = len(asked) - len(reading.verdicts)
    if missing:
        reading.note("no answer", f"{missing} of {len(asked)} pairs got no answer that could be used.")
    return reading


def _items(text: str, reading: Reading) -> Iterator[Any]:
    for candidate in _candidates(text):
        try:
            found = _listed(json.loads(candidate))
        except (ValueError, RecursionError):
            continue
        yield from found
        return
    whole = list(_objects(text))
    if whole:
        reading.note(
            "broken JSON", f"The answer was no whole JSON; {len(whole)} items of it were. It ends: {text[-80:]}"
        )
    else:
        reading.note("unreadable", f"No JSON was found in the answer: {text[:200]}")
    yield from whole


def _candidates(text: str) -> Iterator[str]:
    """Where whole JSON may lie: the text, a code fence, from the first bracket to the last one."""
    yield text
    yield from _FENCE.findall(text)
    yield text[text.find("{") : text.rfind("}") + 1]
    yield text[text.find("[") : text.rfind("]") + 1]


def _listed(value: Any) -> list[Any]:
    """The items of the documented shape, of a bare list, of a list under another name, or one item alone."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        if "source_id" in value:
            return [value]
        lists = [value.get("results"), *value.values()]
        return next((each for each in lists if isinstance(each, list)), [])
    return []


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The whole items that lie in a text whose JSON is cut off, or stands in the middle of prose."""
    place = text.find("{")
    while place >= 0:
        try:
            value, end = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            yield from [each for each in _listed(value) if isinstance(each, dict)]
        place = text.find("{", end)


def _take(item: Any, asked: Collection[Key], reading: Reading) -> None:
    shown = json.dumps(item, ensure_ascii=False, default=str)
    if not isinstance(item, dict):
        reading.note("no item", f"An item is no object: {shown}")
        return
    key = _key(item, asked)
    relation = relation_named(item.get("relation"))
    confidence = _confidence(item.get("confidence"))
    if key is None:
        reading.note("unknown id", f"This pair wasn't asked: {shown}")
    elif key in reading.verdicts:
        reading.note("answered twice", f"The first answer on this pair was taken, not this one: {shown}")
    elif relation is None:
        reading.note("unknown class", f"{item.get('relation')!r} is none of the classes: {shown}")
    elif confidence is None:
        reading.note("no confidence", f"The confidence is no number from 0 to 1: {shown}")
    else:
        reading.verdicts[key] = Verdict(relation, confidence, _evidence(item.get("evidence")))


def _key(item: dict[str, Any], asked: Collection[Key]) -> Key | None:
    """The pair that the item is about; its two ids may stand the other way round, since every pair is asked once."""
    source, target = str(item.get("source_id")), str(item.get("target_id"))
    return next((key for key in ((source, target), (target, source)) if key in asked), None)


def _folded(name: str) -> str:
    return _NOT_LETTERS.sub("", name).casefold()


_SPELLINGS: dict[str, Relation] = {
    **{_folded(name): name for name in CLASSES},
    "reframe": "Reframe/Correction",
    "correction": "Reframe/Correction",
    "cause": "Causal",
    "nextquestion": "Follow-up",
    "contradiction": "Contrast",
    "identity": "Identity Expression",
    "metainstruction": "Meta-Prompting",
    "norelation": "Unrelated",
    "none": "Unrelated",
}
NEAR = 0.8
"""Least likeness of another spelling, by difflib: "Follow ups", "Contrasts", "Causality"."""


def relation_named(name: Any) -> Relation | None:
    """The class of this name, however it is spelled; None for what no class is called."""
    if not isinstance(name, str):
        return None
    found = difflib.get_close_matches(_folded(name), _SPELLINGS, n=1, cutoff=NEAR)
    return _SPELLINGS[found[0]] if found else None


PERCENT = 100.0


def _confidence(value: Any) -> float | None:
    """From 0 to 1; "85%" and 85 are percentages, what is a little beyond an end is put on it."""
    if isinstance(value, str):
        value = _number(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    if not -1.0 < value <= PERCENT:
        return None
    return min(1.0, max(0.0, value if value < 2 else value / PERCENT))  # from 2 on it is a percentage


def _number(text: str) -> float | None:
    plain = text.strip().removesuffix("%")
    try:
        number = float(plain)
    except ValueError:
        return None
    return number / PERCENT if text.strip().endswith("%") else number


def _evidence(value: Any) -> str:
    return clean(value)[:MAX_EVIDENCE] if isinstance(value, str) else ""


def clean(text: str) -> str:
    """Without what a database can't hold, in one line."""
    return " ".join(_UNPRINTABLE.sub("", text).split())
