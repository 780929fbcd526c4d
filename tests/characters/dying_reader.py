"""A worker that kills itself at the n-th pass of a place while it reads."""

from typing import Any

from characters.memory import embedding, message_facts, message_reader
from characters.memory.models import Evidence
from kgadmin.jobs import runner
from tests.kgadmin.knowledge.ingestion import use_hash_embedder
from tests.processes import strike_after


def main(job_id: int, place: str, nth: int) -> None:
    embedder = use_hash_embedder()
    message_reader.READ_BATCH, embedding.FACT_BATCH = 4, 3
    places: dict[str, tuple[Any, str]] = {
        "between the facts of a message": (Evidence.objects, "get_or_create"),
        "before a message is saved": (message_facts, "change_known"),
        "after a message": (message_facts, "learn"),
        "while sentences are embedded": (embedder, "embed"),
    }
    strike_after(*places[place], nth)
    runner.run(job_id)
