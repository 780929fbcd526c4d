"""Which facts of a character came up in real turns."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from characters.conversations.models import Stage

MOST_TURNS = 1_000


@dataclass(frozen=True, slots=True)
class FactUse:
    """In how many of `turns` turns, those that used any fact, each fact was used, by its id."""

    turns: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)


def since(character_id: int, moment: datetime) -> FactUse:
    """Counted over the last live turns since `moment`; sandboxes, variants and fixed replies don't count."""
    rows = Stage.objects.filter(
        name="background",
        status=Stage.Status.OK,
        turn__metrics__isnull=False,
        turn__message__conversation__character_id=character_id,
        turn__created_at__gte=moment,
    ).order_by("-turn_id")
    used = [facts for facts in rows.values_list("evidence__used", flat=True)[:MOST_TURNS] if facts]
    counts = Counter(fact["id"] for facts in used for fact in facts)
    return FactUse(turns=len(used), counts=dict(counts))
