"""Record a turn: its stages with their times and errors, and its figures for the dashboard."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.utils import timezone

from characters.conversations.models import Turn, TurnMetrics
from characters.domain.sheet import is_learned
from characters.profiles.learned import services as learning
from characters.turn.assemble import Assembled
from characters.turn.trace import StageRun
from kgadmin.stores.errors import StoreError

logger = logging.getLogger(__name__)
SECONDS_PER_HOUR = 3600


class TurnRecorder:
    """Records one `StageRun` per stage. A failing stage is marked, and the turn goes on without it."""

    strict = False
    """Whether errors that aren't an engine's are raised: set in tests, so that no mistake hides in a trace."""

    def __init__(self) -> None:
        self.stages: list[StageRun] = []
        self._began = time.perf_counter()

    def count_from(self, moment: datetime) -> None:
        """Let the turn have begun earlier: when its message was saved."""
        self._began = time.perf_counter() - max(0.0, (timezone.now() - moment).total_seconds())

    @property
    def elapsed_ms(self) -> float:
        """Return milliseconds since the turn began."""
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


def metrics_of(assembled: Assembled) -> dict[str, int | bool]:
    """Return the figures of a turn: items that its prompt shows, by stage, and what the graph knew of its message."""
    ambient = assembled.ambient
    used = {
        "background": [f"fact:{fact.id}" for fact in assembled.background.used],
        "user_facts": [fact.id for fact in assembled.user_facts.used],
        "common_ground": [each.item for each in assembled.user_facts.common],
        "ambient": [each.id for each in ambient.used],
        "memory": [each.id for each in assembled.memory.used],
        "documents": [passage.item for passage in assembled.documents.used],
    }
    shown = assembled.prompt.shown
    return {
        **{stage: sum(item in shown for item in items) for stage, items in used.items()},
        "named": len(ambient.named),
        "knew": bool(ambient.used or ambient.dropped),
    }


def save_metrics(turn: Turn, assembled: Assembled) -> None:
    """Save a turn's figures and its uses of learned facts, once; not of a sandbox, a retry or a fixed reply."""
    if turn.conversation.sandbox or turn.variant_of_id or assembled.fixed_reply:
        return
    hour = int(turn.created_at.timestamp()) // SECONDS_PER_HOUR
    defaults = {"hour": hour, **metrics_of(assembled)}
    _, is_new = TurnMetrics.objects.get_or_create(turn=turn, defaults=defaults)
    shown = assembled.prompt.shown
    learned = [fact.id for fact in assembled.background.used if is_learned(fact.id) and f"fact:{fact.id}" in shown]
    if is_new and learned:
        learning.count_uses(learned, turn.created_at)
