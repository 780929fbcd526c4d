"""Record a turn: its stages with their times and errors, and its figures for the dashboard."""

import logging
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime

from django.utils import timezone

from characters.conversations.models import BaseUse, Turn, TurnMetrics
from characters.domain.sheet import is_learned
from characters.profiles.learned import services as learning
from characters.turn.assemble import Assembled
from characters.turn.request import Base
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
    """Return the figures of a turn: items that its prompt shows, by stage, what the graph knew of its message, and
    hits in bases.
    """
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
        "hits": sum(score.hits for score in assembled.probe.scores),
    }


def uses_of(turn: Turn, assembled: Assembled, keys: Mapping[str, int]) -> list[BaseUse]:
    """Return what the turn had of each base that had a hit or was chosen; `keys` has the bases' keys by slug."""
    probed, shown, hour = assembled.probe, assembled.prompt.shown, _hour_of(turn)
    passages = Counter(passage.base for passage in assembled.documents.used if passage.item in shown)
    sections = dict.fromkeys(probed.supplemental, BaseUse.Section.SUPPLEMENTAL)
    sections[probed.primary] = BaseUse.Section.PRIMARY
    return [
        BaseUse(
            turn=turn,
            base_id=keys[score.base],
            hour=hour,
            hits=score.hits,
            passages=passages[score.base],
            section=sections.get(score.base, ""),
        )
        for score in probed.scores
        if score.hits or score.base in sections
    ]


def _hour_of(turn: Turn) -> int:
    return int(turn.created_at.timestamp()) // SECONDS_PER_HOUR


def save_metrics(turn: Turn, assembled: Assembled, bases: Sequence[Base]) -> None:
    """Save a turn's figures and what it used of learned facts and of the bases in its scope, once; not of a sandbox,
    a retry or a fixed reply.
    """
    if turn.conversation.sandbox or turn.variant_of_id or assembled.fixed_reply:
        return
    keys = {base.slug: base.key for base in bases}
    asked = sorted(keys[score.base] for score in assembled.probe.scores)
    defaults = {"hour": _hour_of(turn), "asked": asked, **metrics_of(assembled)}
    _, is_new = TurnMetrics.objects.get_or_create(turn=turn, defaults=defaults)
    if not is_new:
        return
    BaseUse.objects.bulk_create(uses_of(turn, assembled, keys))
    shown = assembled.prompt.shown
    learned = [fact.id for fact in assembled.background.used if is_learned(fact.id) and f"fact:{fact.id}" in shown]
    if learned:
        learning.count_uses(learned, turn.created_at)
