"""`make test-production`: every test of an engine on PostgreSQL, Redis, Neo4j and Chroma, all on loopback.

Begins with which engines run.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from kgadmin.config import ROOT
from tests.servers import PostgresServer, RedisServer
from tests.small_model import install

SELECTED = "(engine or production) and not faults"
PYTEST = [sys.executable, "-m", "pytest", "--dist", "loadgroup", "--timeout", "300", "-m", SELECTED]
"""Neo4j alone takes up to two minutes to start on a busy machine."""


def main(arguments: list[str]) -> int:
    began = time.monotonic()
    with ExitStack() as engines:
        environment = os.environ | engines.enter_context(production())
        for line in inventory(environment):
            print(line, flush=True)
        workers = environment.get("TEST_WORKERS", "2")
        failed = subprocess.call([*PYTEST, "-n", workers, *arguments], cwd=ROOT, env=environment)
    print(f"All of it took {(time.monotonic() - began) / 60:.1f} minutes.")
    return failed


@contextmanager
def production() -> Iterator[dict[str, str]]:
    """Database and broker for all of pytest's workers; graphs and vectors each of them starts for itself."""
    with tempfile.TemporaryDirectory() as folder:
        database, broker = PostgresServer(), RedisServer(Path(folder))
        try:
            database.start()
            broker.start()
            yield {
                "TEST_STACK": "production",
                "TEST_DATABASE_URL": database.settings["database_url"],
                "TEST_BROKER_URL": broker.settings["broker_url"],
                "GRAPH_TEST": "neo4j" if "NEO4J_TEST_START" in os.environ else "",
                "SMALL_MODEL": str(install()),
            }
        finally:
            broker.stop()
            database.remove()


def inventory(environment: dict[str, str]) -> Iterator[str]:
    """One line per engine."""
    yield f"  database  {_output('psql', '--version')}"
    yield f"  broker    {_output('redis-server', '--version')}"
    if environment["GRAPH_TEST"]:
        yield f"  graph     Neo4j, by {environment['NEO4J_TEST_START']}"
    else:
        yield "  graph     the embedded server: NEO4J_TEST_START names no Neo4j here"
    yield "  vectors   Chroma server"
    yield f"  model     {environment['SMALL_MODEL']}"


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
