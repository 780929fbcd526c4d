"""The graph database, by Bolt: Neo4j and the embedded server speak the same protocol."""

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Lock, Thread
from typing import Any, TypeVar

from neo4j import READ_ACCESS, Driver, GraphDatabase, ManagedTransaction
from neo4j.exceptions import AuthError, DriverError, Neo4jError, TransientError

from kgadmin.stores.errors import Breaker, StoreError
from kgadmin.stores.values import Statement

logger = logging.getLogger(__name__)

Row = dict[str, Any]
T = TypeVar("T")

READERS = 8
WRITERS = 4
WRITE_TIMEOUT_SECONDS = 30.0
WRITE_RETRY_SECONDS = 5.0
CONNECT_SECONDS = 1.0
IDLE_SECONDS = 5.0
"""Idle seconds after which a connection is tested before use: the server may have been restarted."""


class Lane:
    """Runs a driver's calls on own threads, so that each ends in time: the neo4j driver has no read time-out.

    `threads` calls run at a time, and each is given up after `timeout` seconds. Such a call still waits on its
    connection, so its driver is closed, which ends the wait, and the next call gets a new driver and new threads.
    Other calls that run at that moment end with a driver's error.
    """

    def __init__(self, connect: Callable[[], Driver], threads: int, timeout: float) -> None:
        self._connect = connect
        self._threads = threads
        self._timeout = timeout
        self._lock = Lock()
        self._open: tuple[Driver, ThreadPoolExecutor] | None = None

    def run(self, work: Callable[[Driver], T]) -> T:
        """Return the result of `work`. Raises `TimeoutError`, or what `work` raises."""
        with self._lock:
            if self._open is None:
                self._open = (self._connect(), ThreadPoolExecutor(self._threads, thread_name_prefix="graph"))
            driver, threads = used = self._open
            future = threads.submit(work, driver)
        try:
            return future.result(self._timeout)
        except TimeoutError:
            self._give_up(used)
            raise

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        if self._open:
            self._give_up(self._open)

    def _give_up(self, used: tuple[Driver, ThreadPoolExecutor]) -> None:
        with self._lock:
            if self._open is not used:
                return
            self._open = None
        driver, threads = used
        threads.shutdown(wait=False)
        # Closing says goodbye to the server, and a stopped server may not take even that.
        Thread(target=driver.close, daemon=True, name="graph-close").start()


class Graph:
    """Reads end within `read_timeout` seconds and skip a server that just failed; writes wait longer and always try."""

    def __init__(self, *, url: str, user: str, password: str, database: str, read_timeout: float) -> None:
        self._url = url
        self._database = database
        connect = partial(
            GraphDatabase.driver,
            url,
            auth=(user, password),
            connection_timeout=CONNECT_SECONDS,
            connection_acquisition_timeout=CONNECT_SECONDS,
            liveness_check_timeout=IDLE_SECONDS,
            telemetry_disabled=True,
        )
        self._reads = Lane(partial(connect, max_transaction_retry_time=0), READERS, read_timeout)
        self._writes = Lane(
            partial(connect, max_transaction_retry_time=WRITE_RETRY_SECONDS), WRITERS, WRITE_TIMEOUT_SECONDS
        )
        self.breaker = Breaker("The graph")
        self._ensured: set[str] = set()

    def read(self, cypher: str, **params: Any) -> list[Row]:
        """Return the rows of one statement that writes nothing, by one try. Raises `StoreError`."""
        with self.breaker.guard(), self._errors():
            return self._reads.run(partial(_read, self._database, cypher, params))

    def write(self, cypher: str, **params: Any) -> list[Row]:
        """Return the rows of one statement in a transaction of its own, which is retried after a deadlock."""
        return self.write_all([(cypher, params)])

    def write_all(self, statements: Sequence[Statement]) -> list[Row]:
        """Run all in one transaction; return the rows of the last. Statements mustn't increment: one that timed out may
        have run.
        """
        with self._errors():
            return self._writes.run(partial(_write, self._database, statements))

    def scan(self, cypher: str, **params: Any) -> list[Row]:
        """Return the rows of one statement that may take as long as a write; one try. For comparing and exporting."""
        with self._errors():
            return self._writes.run(partial(_read, self._database, cypher, params))

    def warm(self, statements: Sequence[Statement]) -> None:
        """Let the server plan statements that turns will run: a first call takes up to half a second."""
        for cypher, params in statements:
            try:
                self._writes.run(partial(_read, self._database, cypher, params))
            except (Neo4jError, DriverError, OSError, TimeoutError) as error:
                logger.info("The graph's statements were not planned beforehand: %s", error)
                return

    def ensure_schema(self, statements: Sequence[str]) -> None:
        """Run each statement once per process, and again after the server was away: its folder may be empty now."""
        for statement in statements:
            if statement not in self._ensured:
                self.write(statement)
                self._ensured.add(statement)

    def ping(self) -> str:
        """Return the server's name and version, past the breaker, which closes when the database answers."""
        with self._errors():
            agent = self._reads.run(partial(_agent, self._database))
        self.breaker.reset()
        return agent

    def close(self) -> None:
        """Close all connections; the next call opens new ones."""
        self._reads.close()
        self._writes.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except TimeoutError as error:
            self._ensured.clear()
            raise StoreError(f"The graph at {self._url} did not answer in time.") from error
        except AuthError as error:
            raise StoreError("The graph refused its user or password.", retryable=False) from error
        except Neo4jError as error:
            if error.code and error.code.endswith("TimedOut"):
                raise StoreError("The graph ended a statement that took too long.") from error
            sentence = f"The graph refused a statement: {error.message}"
            raise StoreError(sentence, retryable=isinstance(error, TransientError)) from error
        except (DriverError, OSError) as error:
            self._ensured.clear()
            raise StoreError(f"The graph does not answer at {self._url}.") from error


def _read(database: str, cypher: str, params: dict[str, Any], driver: Driver) -> list[Row]:
    """Run one statement by itself: a managed transaction would take another round trip, and try again."""
    with driver.session(database=database, default_access_mode=READ_ACCESS) as session:
        return session.run(cypher, params).data()


def _write(database: str, statements: Sequence[Statement], driver: Driver) -> list[Row]:
    with driver.session(database=database) as session:
        return session.execute_write(_run, statements)


def _run(transaction: ManagedTransaction, statements: Sequence[Statement]) -> list[Row]:
    rows: list[Row] = []
    for cypher, params in statements:
        rows = transaction.run(cypher, params).data()
    return rows


def _agent(database: str, driver: Driver) -> str:
    with driver.session(database=database) as session:
        return str(session.run("RETURN 1 AS one").consume().server.agent)
