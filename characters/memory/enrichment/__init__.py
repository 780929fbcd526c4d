"""The message graph: which messages are near each other, and how they relate. `run` works on the job `enrich`."""

from characters.memory.enrichment.handler import run

__all__ = ["run"]
