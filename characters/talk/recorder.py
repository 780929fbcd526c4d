"""Times the stages of a turn and catches what goes wrong in them."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from characters.turn.trace import StageRun
from kgadmin.stores.errors import StoreError

logger = logging.getLogger(__name__)


class TurnRecorder:
    """Keeps one `StageRun` per stage. A stage that fails is marked so, and the turn goes on without it.

    With `strict`, an error that isn't an engine's is raised: tests set it, so that no mistake hides in a trace.
    """

    strict = False

    def __init__(self) -> None:
        self.stages: list[StageRun] = []
        self._began = time.perf_counter()

    @property
    def elapsed_ms(self) -> float:
        """Since the turn began."""
        return (time.perf_counter() - self._began) * 1000

    @contextmanager
    def __call__(self, name: str) -> Iterator[StageRun]:
        stage = StageRun(name, started_ms=self.elapsed_ms)
        self.stages.append(stage)
        try:
            yield stage
        except StoreError as error:
            stage.status, stage.error = "failed", error.message
            logger.warning("Stage %s: %s", name, error.message)
        except Exception as error:
            stage.status, stage.error = "failed", f"{type(error).__name__}: {error}"
            logger.exception("Stage %s failed", name)
            if self.strict:
                raise
        finally:
            stage.elapsed_ms = self.elapsed_ms - stage.started_ms
