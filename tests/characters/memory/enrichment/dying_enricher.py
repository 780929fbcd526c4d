"""A worker that kills itself at the n-th pass of a place in an enrichment run: `dying_enricher.py JOB PLACE N`."""

import sys
from typing import Any

import django


def main(job_id: int, place: str, nth: int) -> None:
    django.setup()
    from characters.memory.enrichment import classifiers, first_pass, second_pass
    from characters.memory.models import Similarity
    from kgadmin.jobs import runner
    from kgadmin.stores import wiring
    from tests.kgadmin.knowledge.ingesting import HashEmbedder
    from tests.striking import strike_after

    embedder = HashEmbedder()
    wiring.embedder = lambda: embedder  # type: ignore[assignment,return-value]
    first_pass.EMBED_BATCH, classifiers.CUES_AT_ONCE = 3, 4
    places: dict[str, tuple[Any, str]] = {
        "while messages are embedded": (first_pass, "_keep"),
        "before the similarities are saved": (Similarity.objects, "bulk_create"),
        "before a batch is saved": (second_pass, "keep_troubles"),
        "after a batch": (second_pass, "save"),
    }
    strike_after(*places[place], nth)
    runner.run(job_id)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
