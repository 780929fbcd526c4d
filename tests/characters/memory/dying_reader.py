"""A worker that kills itself at the n-th pass of a place while it reads: `dying_reader.py JOB PLACE N`."""

import sys
from typing import Any

import django


def main(job_id: int, place: str, nth: int) -> None:
    django.setup()
    from characters.memory import learning, remember
    from characters.memory.models import Evidence
    from kgadmin.jobs import runner
    from kgadmin.stores import wiring
    from tests.kgadmin.knowledge.ingesting import HashEmbedder
    from tests.striking import strike_after

    embedder = HashEmbedder()
    wiring.embedder = lambda: embedder  # type: ignore[assignment,return-value]
    remember.READ_BATCH, remember.EMBED_BATCH = 4, 3
    places: dict[str, tuple[Any, str]] = {
        "between the facts of a message": (Evidence.objects, "get_or_create"),
        "before a message is saved": (learning, "change_known"),
        "after a message": (learning, "learn"),
        "while sentences are embedded": (embedder, "embed"),
    }
    strike_after(*places[place], nth)
    runner.run(job_id)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
