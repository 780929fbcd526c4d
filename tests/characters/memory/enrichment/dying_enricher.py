"""A worker that kills itself at the n-th pass of a place in an enrichment run."""

from typing import Any

from characters.memory import embedding
from characters.memory.enrichment import handler, second_pass
from characters.memory.models import Similarity
from kgadmin.jobs import runner
from tests.kgadmin.knowledge.ingestion import use_hash_embedder
from tests.processes import strike_after


def main(job_id: int, place: str, nth: int) -> None:
    embedder = use_hash_embedder()
    embedding.MESSAGE_BATCH, handler.CUES_AT_ONCE = 3, 4
    places: dict[str, tuple[Any, str]] = {
        "while messages are embedded": (embedder, "embed"),
        "before the similarities are saved": (Similarity.objects, "bulk_create"),
        "before a batch is saved": (second_pass, "present_messages"),
        "after a batch": (second_pass, "save"),
    }
    strike_after(*places[place], nth)
    runner.run(job_id)
