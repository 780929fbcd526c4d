"""Proposals put straight into the program's database, and what became of them."""

from tests.program import Run

MAKE = "from tests.browser.make_proposals import make; print('MADE', *make({count}))"
STATES = """
from characters.review.models import Proposal
print("STATES", *Proposal.objects.order_by("pk").values_list("state", flat=True))
"""
NEVER = """
from characters.review.models import Proposal
Proposal.objects.filter(pk__in=[{pks}]).update(predicate="LIVES_IN")
"""


def propose(program: Run, count: int) -> list[int]:
    """As many proposals as that, and no others; their ids in the order of the queue."""
    return [int(pk) for pk in _printed(program, MAKE.format(count=count), "MADE")]


def states(program: Run) -> list[str]:
    """What became of them, in the order of the queue."""
    return _printed(program, STATES, "STATES")


def make_unlearnable(program: Run, *pks: int) -> None:
    """Let these be of a predicate that can't be learned."""
    _printed(program, NEVER.format(pks=", ".join(map(str, pks))), "")


def _printed(program: Run, code: str, word: str) -> list[str]:
    output = program.shell(code)
    return output.rpartition(word)[2].split() if word else []
