"""A process with stores of its own: filled once, then measured on request.

`python -m tests.bench.store PEOPLE MESSAGES FACTS BASES [HEAVY EDGES]` fills a database and a graph with one person of
5,000 messages (or HEAVY ones, and EDGES beside those from the person) and 1,000 facts, PEOPLE others and BASES
knowledge bases of 2,000 chunks, says "ready", and answers each line of its input ("turns 60", "projections 20",
"floor 60", "pages 30") with one of JSON.
"""

import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HEAVY_MESSAGES, HEAVY_FACTS = 5_000, 1_000
CHUNKS = 2_000


def main(people: int, messages: int, facts: int, bases: int, heavy: int = HEAVY_MESSAGES, edges: int = 0) -> None:
    with tempfile.TemporaryDirectory(prefix="kgadmin-bench-") as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "kgadmin.settings",
            "DATA_DIR": folder,
            "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3",
            "SECRET_KEY": "for the benchmark",
        }
        import django

        django.setup()
        with _engines(Path(folder)):
            _serve(people, messages, facts, bases, heavy, edges)


@contextmanager
def _engines(folder: Path) -> Iterator[None]:
    from django.conf import settings
    from django.core.management import call_command
    from pydantic import SecretStr

    from tests import stack
    from tests.servers import GraphServer, VectorServer

    graph, vectors = GraphServer(folder / "graph"), VectorServer(folder / "vectors")
    graph.start()
    vectors.start()
    fields = graph.settings | vectors.settings | {"graph_read_timeout": 5.0, "llm_base_url": ""}
    fields["graph_password"] = SecretStr(fields["graph_password"])
    settings.CONFIG = settings.CONFIG.model_copy(update=fields)
    settings.CELERY_TASK_ALWAYS_EAGER = False
    call_command("migrate", verbosity=0)
    try:
        yield
    finally:
        stack.forget_engines()
        graph.stop()
        vectors.stop()


def _serve(people: int, messages: int, facts: int, bases: int, heavy: int, edges: int) -> None:
    from tests.bench.people import Size, add_bases, add_person
    from tests.bench.work import Bench

    bench = Bench()
    talker = add_person(0, Size(heavy, HEAVY_FACTS, edges), bench.character, bench.user)
    for number in range(1, people + 1):
        add_person(number, Size(messages, facts), bench.character, bench.user)
    bench.begin(talker, add_bases(bases, CHUNKS, random.Random(2)), random.Random(1))
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        what, count = line.split()
        print(json.dumps(bench.answer(what, int(count))), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:7]))
