"""The caps of a run: calls and tokens."""

from characters.memory.models import EnrichmentRun


class CapReachedError(Exception):
    """The next call would go beyond a cap; the text says which."""


class Budget:
    """What a run may still spend. A call is counted before it is made: one that a crash cut off was paid for, too."""

    def __init__(self, run: EnrichmentRun) -> None:
        self._run = run

    def take(self, most_tokens: int) -> None:
        """Count one call, of at most so many tokens. Raises `CapReachedError`, and counts nothing then."""
        run = self._run
        if run.calls >= run.max_calls:
            raise CapReachedError(f"the cap of {run.max_calls:,} calls was reached")
        if run.tokens + most_tokens > run.max_tokens:
            raise CapReachedError(f"the next call could go beyond the cap of {run.max_tokens:,} tokens")
        run.calls += 1
        run.save(update_fields=["calls"])

    def spend(self, tokens: int) -> None:
        """Count what a call took."""
        self._run.tokens += tokens
        self._run.save(update_fields=["tokens"])
