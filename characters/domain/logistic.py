"""Small logistic regressions over named signals."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

INTERCEPT = "intercept"


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic regression: the log odds are `values @ weights + intercept`."""

    names: tuple[str, ...]
    weights: NDArray[np.float32]
    intercept: float = 0.0

    @classmethod
    def from_json(cls, stored: Mapping[str, float]) -> Self:
        """Return the model that `as_json` wrote."""
        names = tuple(name for name in stored if name != INTERCEPT)
        return cls(names, np.array([stored[name] for name in names], dtype=np.float32), stored[INTERCEPT])

    def as_json(self) -> dict[str, float]:
        """Return the weights by signal, and the intercept."""
        rows = dict(zip(self.names, (round(weight, 4) for weight in self.weights.tolist()), strict=True))
        return rows | {INTERCEPT: round(float(self.intercept), 4)}

    def log_odds(self, values: NDArray[np.floating[Any]]) -> Any:
        """Return the log odds of each row of `values`, whose columns are the signals in the order of `names`."""
        return values @ self.weights + self.intercept

    def log_odds_of(self, signals: Mapping[str, float]) -> float:
        """Return the log odds of one case, given its signals by name."""
        return float(self.log_odds(np.array([signals[name] for name in self.names], dtype=np.float32)))


def probability(log_odds: Any) -> Any:
    """Return the probability for log odds, a number or an array; log odds are clipped at ±30."""
    return 1 / (1 + np.exp(-np.clip(log_odds, -30, 30)))
