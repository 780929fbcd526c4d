"""What a live turn used, in numbers, as the dashboard counts it."""

from characters.conversations.models import Turn, TurnMetrics
from characters.profiles.learned import services as learning
from characters.turn.assemble import Assembled
from characters.turn.sheet import is_learned

SECONDS_PER_HOUR = 3600


def metrics_of(assembled: Assembled) -> dict[str, int | bool]:
    """The counts of a turn: items that went into its prompt, by stage, and what the graph knew of its message."""
    ambient = assembled.ambient
    return {
        "background": len(assembled.background.used),
        "user_facts": len(assembled.user_facts.used),
        "common_ground": len(assembled.user_facts.common),
        "ambient": len(ambient.used),
        "memory": len(assembled.memory.used),
        "documents": len(assembled.documents.used),
        "named": len(ambient.named),
        "knew": bool(ambient.used or ambient.dropped),
    }


def save_metrics(turn: Turn, assembled: Assembled) -> None:
    """Keep a turn's numbers, once, and count the learned facts that it used.

    Sandboxes, second tries and fixed replies aren't counted.
    """
    if turn.conversation.sandbox or turn.variant_of_id or assembled.fixed_reply:
        return
    hour = int(turn.created_at.timestamp()) // SECONDS_PER_HOUR
    defaults = {"hour": hour, **metrics_of(assembled)}
    _, is_new = TurnMetrics.objects.get_or_create(turn=turn, defaults=defaults)
    learned = [fact.id for fact in assembled.background.used if is_learned(fact.id)]
    if is_new and learned:
        learning.count_uses(learned, turn.created_at)
