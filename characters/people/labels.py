"""Place the words of a picture so that they cover neither each other nor a node."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple

LETTER = 6.8
"""Approximate width of a letter in the picture's type."""
LINE = 15.0
MAX_LETTERS = 24
GAP = 4.0

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Label:
    """Words at the position of their baseline."""

    text: str
    x: float
    y: float
    anchor: Anchor = "middle"


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, x: float, y: float, radius: float) -> "Box":
        """Return the square around a circle."""
        return cls(x - radius, y - radius, x + radius, y + radius)

    @classmethod
    def of(cls, label: Label) -> "Box":
        """Return the room that the words take."""
        width = len(label.text) * LETTER
        left = label.x - {"start": 0.0, "middle": width / 2, "end": width}[label.anchor]
        return cls(left, label.y - LINE * 0.8, left + width, label.y + LINE * 0.25)

    @classmethod
    def round(cls, boxes: Iterable[Iterable["Box"]], margin: float) -> "Box":
        """Return the smallest box around all, with a margin."""
        every = list(chain.from_iterable(boxes)) or [cls(0, 0, 0, 0)]
        return cls(
            min(box.left for box in every) - margin,
            min(box.top for box in every) - margin,
            max(box.right for box in every) + margin,
            max(box.bottom for box in every) + margin,
        )

    @property
    def corner(self) -> tuple[int, int]:
        """Return the upper left corner, in whole pixels."""
        return round(self.left), round(self.top)

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height, in whole pixels."""
        return round(self.right - self.left), round(self.bottom - self.top)

    def common(self, other: "Box") -> float:
        """Return the area that both share."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, width) * max(0.0, height)


class Labels:
    """Places labels one after the other; earlier ones get the better places."""

    def __init__(self, taken: Iterable[Box]) -> None:
        self.taken = list(taken)

    def beside(self, text: str, x: float, y: float, radius: float) -> Label:
        """Place words above, below or beside a circle: away from the middle of the picture if there is room."""
        above = Label(text, x, round(y - radius - GAP - 1, 1))
        below = Label(text, x, round(y + radius + LINE, 1))
        right = Label(text, round(x + radius + GAP, 1), round(y + GAP, 1), "start")
        left = Label(text, round(x - radius - GAP, 1), round(y + GAP, 1), "end")
        sides = [right, left] if x >= 0 else [left, right]
        best = min([above, below, *sides] if y < 0 else [below, above, *sides], key=self._covered)
        self.taken.append(Box.of(best))
        return best

    def along(self, text: str, points: Sequence[tuple[float, float]], most: float) -> Label | None:
        """Place words on one of these points of a line; None if more than the share `most` of them would be covered."""
        options = [Label(text, round(x, 1), round(y + GAP, 1)) for x, y in points]
        best = min(options, key=self._covered)
        box = Box.of(best)
        if not text or self._covered(best) > most * (box.right - box.left) * LINE:
            return None
        self.taken.append(box)
        return best

    def _covered(self, label: Label) -> float:
        box = Box.of(label)
        return sum(box.common(other) for other in self.taken)


def shortened(text: str) -> str:
    """Return a name shortened for the picture; its title has the full name."""
    return text if len(text) <= MAX_LETTERS else f"{text[: MAX_LETTERS - 1].rstrip()}…"
