"""A driver's calls on threads of their own, so that each ends in time: the neo4j driver has no read time-out."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock, Thread
from typing import TypeVar

from neo4j import Driver

T = TypeVar("T")


class Lane:
    """`threads` calls at a time, each given up after `timeout` seconds.

    A call that was given up still waits on its connection. So its driver is closed, which ends the wait, and the next
    call gets a new driver and new threads; other calls that were on the way end with a driver's error.
    """

    def __init__(self, connect: Callable[[], Driver], threads: int, timeout: float) -> None:
        self._connect = connect
        self._threads = threads
        self._timeout = timeout
        self._lock = Lock()
        self._open: tuple[Driver, ThreadPoolExecutor] | None = None

    def run(self, work: Callable[[Driver], T]) -> T:
        """What `work` returns, or `TimeoutError`, or what it raises."""
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
