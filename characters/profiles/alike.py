"""Predicates that say nearly the same of the same object."""

ALIKE = (
    frozenset({"LIKES", "LOVES", "ENJOYS"}),
    frozenset({"DISLIKES", "HATES"}),
    frozenset({"IS_A", "HAS_JOB", "WORKS_AS"}),
    frozenset({"HAS_HOBBY", "ENJOYS"}),
)


def alike(predicate: str) -> set[str]:
    """The predicate, and those beside which it says nothing new of the same object."""
    return {predicate}.union(*(group for group in ALIKE if predicate in group))
