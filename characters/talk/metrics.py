"""What a live turn used, in numbers, as the dashboard counts it."""

from characters.conversations.models import Turn, TurnMetrics
from characters.domain.sheet import is_learned
from characters.profiles.learned import services as learning
from characters.turn.assemble import Assembled

SECONDS_PER_HOUR = 3600


def metrics_of(assembled: Assembled) -> dict[str, int | bool]:
    """The counts of a turn: items that its prompt shows, by stage, and what the graph knew of its message."""
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
    """Keep a turn's numbers, once, and count the learned facts that its prompt shows.

    Sandboxes, second tries and fixed replies aren't counted.
    """
    if turn.conversation.sandbox or turn.variant_of_id or assembled.fixed_reply:
        return
    hour = int(turn.created_at.timestamp()) // SECONDS_PER_HOUR
    defaults = {"hour": hour, **metrics_of(assembled)}
    _, is_new = TurnMetrics.objects.get_or_create(turn=turn, defaults=defaults)
    shown = assembled.prompt.shown
    learned = [fact.id for fact in assembled.background.used if is_learned(fact.id) and f"fact:{fact.id}" in shown]
    if is_new and learned:
        learning.count_uses(learned, turn.created_at)
