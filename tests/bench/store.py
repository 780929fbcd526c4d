"""A process with stores of its own: filled once, then measured on request.

`python -m tests.bench.store WORLD` fills a database, a graph and a vector store with a `figures.World` (JSON), says
"ready", and answers each line of its input ("turns 60", "firsts 10", "projections 20", "floor 60", "pages 30") with
one of JSON. With TEST_STACK=production in its environment the engines are those of `tests.production`.
"""

import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.figures import World

FACTS = 1_000
"""Facts about the person who talks."""
PRODUCTION = os.environ.get("TEST_STACK") == "production"


def main(world: World) -> None:
    with tempfile.TemporaryDirectory(prefix="kgadmin-bench-") as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "kgadmin.settings",
            "DATA_DIR": folder,
            "DATABASE_URL": _made_database() if PRODUCTION else f"sqlite:///{folder}/bench.sqlite3",
            "BROKER_URL": f"{os.environ['TEST_BROKER_URL']}/0" if PRODUCTION else "filesystem://",
            "SECRET_KEY": "for the benchmark",
        }
        import django

        django.setup()
        with _engines(Path(folder)):
            _serve(world)


def _made_database() -> str:
    import psycopg

    url, name = os.environ["TEST_DATABASE_URL"], f"bench_{os.getpid()}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"{url.rpartition('/')[0]}/{name}"


@contextmanager
def _engines(folder: Path) -> Iterator[None]:
    from django.conf import settings
    from django.core.management import call_command
    from pydantic import SecretStr

    from tests import stack
    from tests.servers import GraphServer, Neo4jServer, VectorServer

    server = Neo4jServer if os.environ.get("GRAPH_TEST") == "neo4j" else GraphServer
    graph, vectors = server(folder / "graph"), VectorServer(folder / "vectors")
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


def _serve(world: World) -> None:
    from django.db import connection

    from tests.bench.people import Size, add_bases, add_person
    from tests.bench.work import Bench

    bench = Bench()
    talker = add_person(0, Size(world.own_messages, FACTS, world.edges), bench.character, bench.user)
    for number in range(1, world.others + 1):
        add_person(number, Size(world.messages, world.facts), bench.character, bench.user)
    subjects = add_bases(world.bases, world.chunks, random.Random(2))
    if PRODUCTION:
        connection.cursor().execute("ANALYZE")  # as the database does by itself, within a minute
    bench.begin(talker, subjects, random.Random(1), world.talk)
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        what, count = line.split()
        print(json.dumps(bench.answer(what, int(count))), flush=True)


if __name__ == "__main__":
    main(World(**json.loads(sys.argv[1])))
