"""A worker that kills itself at the n-th commit of an import's batch."""

from django.conf import settings

from characters.conversations import import_job
from kgadmin.jobs import runner
from tests.processes import strike_after

PLACES = {"in the batch": "_touch", "after a batch": "_put_batch"}


def main(job_id: int, place: str, nth: int) -> None:
    settings.JOB_HANDLERS["remember"] = "tests.characters.conversations.conftest.read_nothing"
    import_job.BATCH = 50
    strike_after(import_job, PLACES[place], nth)
    runner.run(job_id)
