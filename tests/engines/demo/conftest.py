"""The demo, loaded once for all stories that it tells."""

from pathlib import Path

import pytest

from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from kgadmin.knowledge.models import Document
from kgadmin.operations.demo import loader
from tests.engines.worlds import ask_in

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of them on one of pytest's workers, one after the other."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.xdist_group("demo"))
            item.add_marker(pytest.mark.timeout(300))


def load_the_demo() -> None:
    loader.load()
    while job := Job.objects.open().first():
        runner.run(job.pk)
    assert Document.objects.filter(state="done").count() == Document.objects.count() >= 40


ask = ask_in("package", load_the_demo)
