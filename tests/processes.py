"""Processes that are killed, or kill themselves, in the middle of their work; and threads that do the same at once.

The processes are forked from one that has imported everything: importing takes longer than what a test lets them do.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from typing import Any, TypeVar

import psutil
import time_machine
from django.conf import settings
from django.db import connection, connections
from django.utils import timezone

from kgadmin.config import Config
from kgadmin.jobs.models import Job
from kgadmin.projection import services as projecting
from kgadmin.projection.models import LEASE_SECONDS, Lease
from tests import stack
from tests.patience import wait_for

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.imported"])
PATIENCE_S = 60

Result = TypeVar("Result")


class Dying:
    """`main(*arguments)` in a process of its own, with this test's database and engines."""

    def __init__(self, main: Callable[..., None], *arguments: object) -> None:
        database = str(connection.settings_dict["NAME"])
        self._process = CONTEXT.Process(target=_run, args=(database, settings.CONFIG, main, arguments), daemon=True)
        self._process.start()

    def wait(self) -> int:
        """Its exit code: minus the signal, where one ended it."""
        self._process.join(PATIENCE_S)
        code = self._process.exitcode
        assert code is not None, "it still lives"
        return code

    def stands_still(self) -> bool:
        """Wait until it has stopped itself."""
        process = psutil.Process(self._process.pid)
        return wait_for(lambda: process.status() == psutil.STATUS_STOPPED, PATIENCE_S)

    def wake(self) -> None:
        assert self._process.pid
        os.kill(self._process.pid, signal.SIGCONT)


def at_once(act: Callable[[], Result], threads: int) -> list[Result]:
    """What `act` gives in each of so many threads that begin together, each with a connection of its own."""
    together = threading.Barrier(threads)

    def begin(_: int) -> Result:
        try:
            together.wait(10)
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(begin, range(threads)))


def _run(database: str, config: Config, main: Callable[..., None], arguments: tuple[object, ...]) -> None:
    stack.use_database(database)
    settings.CONFIG = config
    main(*arguments)


def sweep_until_nothing_waits() -> None:
    """What beat does every 2 s, from when the leases of the dead have run out."""
    with time_machine.travel(timezone.now() + timedelta(seconds=LEASE_SECONDS + 1), tick=False) as clock:
        for _ in range(20):
            projecting.sweep()
            if not projecting.waiting():
                return
            clock.shift(2)
    raise AssertionError(f"still waiting: {projecting.waiting()}, {list(Lease.objects.values('owner', 'error'))}")


def die(job: Job, main: Callable[..., None], *arguments: object) -> None:
    """Let a worker be killed at this job; it is then as good as found by the sweep."""
    assert Dying(main, job.pk, *arguments).wait() == -signal.SIGKILL
    Job.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=1))
    assert job.pk in Job.objects.revive()


def striker(nth: int, signal_name: str = "SIGKILL") -> Callable[[], None]:
    """What sends this process a signal when it is called for the nth time."""
    passes = count(1)

    def strike() -> None:
        if next(passes) == nth:
            os.kill(os.getpid(), signal.Signals[signal_name])
            # Who was only stopped wakes up when the lease is over, by this process's clock, too.
            time_machine.travel(timezone.now() + timedelta(seconds=LEASE_SECONDS + 1)).start()

    return strike


def strike_at(owner: Any, name: str, strike: Callable[[], None], cypher: str = "", *, after: bool = False) -> None:
    """Strike before, or `after`, `owner.name` does its work: every time, or where it is given this Cypher first."""
    original = getattr(owner, name)

    def struck(*args: Any, **kwargs: Any) -> Any:
        is_it = not cypher or cypher == (args[1] if isinstance(args[1], str) else args[1][0][0])
        if is_it and not after:
            strike()
        result = original(*args, **kwargs)
        if is_it and after:
            strike()
        return result

    setattr(owner, name, struck)


def strike_after(owner: Any, name: str, nth: int) -> None:
    """Have this process killed when `owner.name` has been called for the nth time and did its work."""
    strike_at(owner, name, striker(nth), after=True)
