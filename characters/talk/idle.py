"""What people of this installation say of their lives: messages that the probe took for everyday talk."""

from typing import Any

import numpy as np

from characters.conversations.models import Turn
from characters.turn.request import Vectors
from kgadmin.stores import wiring

MOST_TURNS = 2_000
"""Newest turns that are looked at."""
NOTHING: Vectors = np.zeros((0, 0), dtype=np.float32)
MOST = 300
"""At most so many messages: fewer than the program's own, so that talk about a base's subject can't hide the base."""


def own_talk() -> Vectors:
    """Return the vectors of the newest such messages, by the present embedder; none that a tester labelled otherwise.

    They are looked up each time, so what is forgotten is gone.
    """
    turns = Turn.objects.filter(message__conversation__sandbox=False, message__embedder=wiring.embedder().id)
    turns = turns.exclude(message__labels__base__isnull=False).exclude(message__vector=None).order_by("-pk")
    rows = turns.values_list("carried", "message__text", "message__vector")[:MOST_TURNS]
    taken = [bytes(vector or b"") for carried, text, vector in rows if _is_talk(carried, text)][:MOST]
    return np.frombuffer(b"".join(taken), dtype=np.float32).reshape(len(taken), -1) if taken else NOTHING


def _is_talk(carried: dict[str, Any], text: str) -> bool:
    """Return whether the probe looked at this message, and found it nearer to everyday talk than to any base."""
    probed = carried.get("probe", {})
    return probed.get("message") == text and probed.get("is_topical") is False and len(text.split()) >= 3
