import pytest

from kgadmin.config import ROOT
from tests.quality.mutations import Mutation, load


@pytest.mark.parametrize("mutation", load(), ids=lambda mutation: mutation.id)
def test_every_mistake_can_still_be_made(mutation: Mutation) -> None:
    assert (ROOT / mutation.file).read_text().count(mutation.old) == 1
    assert mutation.tests(ROOT)


def test_there_are_fifty() -> None:
    assert len({mutation.id for mutation in load()}) == 50
