"""A worker that kills itself at the n-th commit of an import's batch: `dying_import.py JOB PLACE N`."""

import os
import signal
import sys
from itertools import count
from typing import Any

import django


def main(job_id: int, place: str, nth: int) -> None:
    django.setup()
    from django.conf import settings

    from characters.conversations import importing
    from kgadmin.jobs import runner

    settings.JOB_HANDLERS["remember"] = "tests.characters.conversations.test_importing.read_nothing"
    importing.BATCH = 50
    passes = count(1)
    names = {"in the batch": "_touch", "after a batch": "_put_batch"}
    original = getattr(importing, names[place])

    def struck(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        if next(passes) == nth:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(importing, names[place], struck)
    runner.run(job_id)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
