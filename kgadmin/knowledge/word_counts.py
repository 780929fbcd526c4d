"""How often each stem stands in a base: the turn compares rates, which don't depend on a base's size."""

from collections import Counter

from kgadmin.knowledge.models import KnowledgeBase, WordCounts
from kgadmin.words import stems


def recount(base: KnowledgeBase) -> None:
    """Count the words of all chunks anew."""
    counts: Counter[str] = Counter()
    for heading, text in base.chunks.values_list("heading", "text").iterator():
        counts.update(stems(f"{heading}\n{text}"))
    WordCounts.objects.update_or_create(base=base, defaults={"counts": dict(counts), "total": counts.total()})
