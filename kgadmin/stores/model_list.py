"""The models that an endpoint offers: its list, asked for at most once a minute, and never waited for by a turn."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock

FRESH_SECONDS = 60.0
AGAIN_SECONDS = 10.0
"""Age from which a list that couldn't be read is asked for again."""
NOT_YET = "The endpoint hasn’t listed its models yet."

_THREADS = ThreadPoolExecutor(2, thread_name_prefix="models")


@dataclass(frozen=True, slots=True)
class ModelList:
    """The names of models, and why there are none."""

    names: tuple[str, ...] = ()
    problem: str = ""

    def lacks(self, name: str) -> bool:
        """Return whether there is a list without this model; Ollama takes a name without its tag, too."""
        return bool(self.names) and name not in self.names and f"{name}:latest" not in self.names


class CachedModelList:
    """A list that is asked for in a thread, and kept for a minute. `ask` may take its time, and raises nothing."""

    def __init__(self, ask: Callable[[], ModelList], *, now: Callable[[], float] = time.monotonic) -> None:
        self._ask = ask
        self._now = now
        self._lock = Lock()
        self._asked_at = now()
        self._answer: Future[ModelList] | None = None

    def read(self, wait: float) -> ModelList:
        """Return the list, and begin to ask where it is old. Waits at most so many seconds for what was asked."""
        with self._lock:
            if self._answer is None or self._is_old(self._answer):
                self._asked_at, self._answer = self._now(), _THREADS.submit(self._ask)
            answer = self._answer
        try:
            return answer.result(wait)
        except TimeoutError:
            return ModelList(problem=NOT_YET)

    def _is_old(self, answer: Future[ModelList]) -> bool:
        failed = answer.done() and bool(answer.result().problem)
        return self._now() - self._asked_at > (AGAIN_SECONDS if failed else FRESH_SECONDS)
