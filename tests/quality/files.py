"""Reading labelled rows and the material that they are asked of; what is wrong with a file, as a sentence."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from characters.domain.sheet import Fact


class EvaluationError(Exception):
    """Its text is the sentence for whoever started the evaluation."""


class BackgroundRow(BaseModel):
    """Kind A: what is said to a character; the material has one character where a row names none.

    What the rows are labelled with (`kind`, `relevant`, `also_ok`) is read by the fit and the calibration only.
    """

    id: str
    q: str
    character: str = ""
    kind: str = ""
    relevant: list[str] = []
    also_ok: list[str] = []

    @property
    def right(self) -> frozenset[str]:
        """The facts that answer it."""
        return frozenset((*self.relevant, *self.also_ok))


class ProbeRow(BaseModel):
    """Kind B: a message, and what was said before it, oldest first."""

    id: str
    q: str
    history: list[str] = []


class MemoryRow(BaseModel):
    """Kind C: a question about a conversation of the material."""

    id: str
    q: str
    conv: str


class PairRow(BaseModel):
    """Kinds D and D2: two messages, the earlier one first. D2's belong to a dialogue.

    What the rows are labelled with (`relation`, `shift`) and `corpus` are read by the fit only.
    """

    id: str
    source: str
    target: str
    dialogue: str = ""
    corpus: str = ""
    relation: str = ""
    shift: int = 0


class AttackRow(BaseModel):
    """Kind E1: one message. What it is labelled with (`label`, `family`, `source`) is read by the fit only."""

    id: str
    text: str
    label: str = ""
    family: str = ""
    source: str = ""


class ContradictionRow(BaseModel):
    """Kind E2: what was said, and a statement about it. `label` is what people say."""

    id: str
    context: str
    statement: str
    label: str = ""


class FactRow(BaseModel):
    """A fact: predicate and object, or a plain sentence."""

    id: str
    predicate: str = "NOTE"
    object: str = ""
    text: str = ""

    @property
    def fact(self) -> Fact:
        return Fact(self.id, self.predicate, self.object or self.text)


class OneCharacter(BaseModel):
    """Facts of one character."""

    character: str
    facts: list[FactRow]


class TurnRow(BaseModel):
    """A message of a conversation; `when` like "1:56 pm on 8 May, 2023", or an ISO time."""

    id: str
    speaker: str
    text: str
    when: str = ""


class ConversationRow(BaseModel):
    """A conversation of two speakers, oldest message first."""

    speakers: list[str]
    turns: list[TurnRow]


Row = TypeVar("Row", bound=BaseModel)

Facts = Mapping[str, list[Fact]]
Passages = Mapping[str, list[str]]
Conversations = Mapping[str, ConversationRow]


@dataclass(frozen=True, slots=True)
class Data:
    """The files of one evaluation: rows, and material where the kind has some."""

    gold: tuple[Path, ...]
    material: Path | None


def locate(given: Path, material: Path | None) -> Data:
    """The rows (a file, or every .jsonl of a folder), and the material: the folder's only .json where none is given."""
    if not given.exists():
        raise EvaluationError(f"There is no file or folder {given}.")
    gold = tuple(sorted(given.glob("*.jsonl"))) if given.is_dir() else (given,)
    if not gold:
        raise EvaluationError(f"The folder {given} has no .jsonl file with rows in it.")
    if material is not None and not material.is_file():
        raise EvaluationError(f"There is no file {material}.")
    beside = sorted((given if given.is_dir() else given.parent).glob("*.json"))
    return Data(gold, material or (beside[0] if len(beside) == 1 else None))


def rows(data: Data, kind: type[Row]) -> list[Row]:
    """Every row; raises `EvaluationError` for the first that can't be read."""
    content = [row for path in data.gold for row in _rows(path, kind)]
    if not content:
        raise EvaluationError(f"{data.gold[0]} has no rows.")
    return content


def _rows(path: Path, kind: type[Row]) -> Iterator[Row]:
    for number, line in enumerate(lines(path), start=1):
        if line.strip():
            try:
                yield kind.model_validate_json(line)
            except ValidationError as error:
                raise EvaluationError(f"Line {number} of {path}: {_problem(error)}.") from error


def facts(data: Data) -> Facts:
    """By character her facts."""
    content = _material(data, OneCharacter | dict[str, list[FactRow]], "the characters' facts")
    by_character = {content.character: content.facts} if isinstance(content, OneCharacter) else content
    return {character: [row.fact for row in listed] for character, listed in by_character.items()}


def passages(data: Data) -> Passages:
    """By knowledge base its passages."""
    content: Passages = _material(data, dict[str, list[str]], "the knowledge bases' passages")
    return content


def conversations(data: Data) -> Conversations:
    """By name the conversations."""
    content: Conversations = _material(data, dict[str, ConversationRow], "the conversations")
    return content


def _material(data: Data, kind: Any, what: str) -> Any:
    if data.material is None:
        raise EvaluationError(f"Name the file that has {what}: --material FILE.")
    try:
        return TypeAdapter(kind).validate_json(_text(data.material))
    except ValidationError as error:
        raise EvaluationError(f"{data.material} should have {what}, but {_problem(error)}.") from error


def lines(path: Path) -> list[str]:
    """The lines of a JSONL file: JSON may have U+2028 and U+0085 in a text, where `splitlines` would split it."""
    return _text(path).split("\n")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise EvaluationError(f"{path} can't be read: {error}.") from error


def _problem(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"] if not _is_type_name(part))
    return f"{place or 'the whole'}: {first['msg'][:1].lower()}{first['msg'][1:]}"


def _is_type_name(part: int | str) -> bool:
    return isinstance(part, str) and (part == "OneCharacter" or part.startswith(("dict[", "list[")))


def predicted(predictions: Path) -> Iterator[dict[str, Any]]:
    """What was predicted, row by row."""
    return (json.loads(line) for line in lines(predictions) if line)


def labels(predictions: Path) -> Mapping[str, str]:
    """By row the label that was predicted."""
    return {row["id"]: row["label"] for row in predicted(predictions)}


def write(path: Path, predictions: Iterator[Mapping[str, Any]]) -> int:
    """One prediction a line; their number."""
    count = 0
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8") as file:
            for prediction in predictions:
                file.write(json.dumps(prediction, ensure_ascii=False) + "\n")
                count += 1
    except OSError as error:
        raise EvaluationError(f"The predictions can't be written to {path}: {error}.") from error
    return count
