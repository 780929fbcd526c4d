"""What work on many learned facts shares: one kick of the projector, and reads that a short block does once."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property

from characters.domain import sheet as values
from characters.domain.sheet import Sheet
from characters.profiles.models import Character, Predicate, Revision
from kgadmin.projection.tasks import sweep


@contextmanager
def one_sweep() -> Iterator[None]:
    """Kick the projector once for all that changes in this block; what a killed one leaves behind, beat finds."""
    token = _GATHERED.set(True)
    try:
        yield
    finally:
        _GATHERED.reset(token)
        sweep.delay_on_commit()


def kick() -> None:
    """Let graph and vectors follow, at once or at the end of `one_sweep`."""
    if not _GATHERED.get():
        sweep.delay_on_commit()


_GATHERED: ContextVar[bool] = ContextVar("gathered", default=False)


class Reads:
    """What is read for every learned fact anew, and changes so seldom that a short block may read it once."""

    def __init__(self) -> None:
        self._live: dict[int | None, Revision] = {}

    @cached_property
    def predicates(self) -> dict[str, Predicate]:
        """The registered predicates by name."""
        return Predicate.objects.in_bulk(field_name="name")

    @cached_property
    def registry(self) -> dict[str, values.Predicate]:
        """The same, as the turn reads them."""
        return {name: row.value for name, row in self.predicates.items()}

    def sheet(self, character: Character) -> Sheet | None:
        """Her live sheet. Its revision never changes: another one has another key."""
        if (kept := self._live.get(character.live_revision_id)) is not None:
            character.live_revision = kept
        sheet = character.sheet
        if character.live_revision is not None:
            self._live[character.live_revision_id] = character.live_revision
        return sheet


@contextmanager
def reading_once() -> Iterator[None]:
    """Read what `Reads` names once; keep the block short, since somebody may change the registry meanwhile."""
    token = _READS.set(reads())
    try:
        yield
    finally:
        _READS.reset(token)


def reads() -> Reads:
    """Those of the block that runs; outside of one, new ones."""
    return _READS.get() or Reads()


_READS: ContextVar[Reads | None] = ContextVar("reads", default=None)
