"""Graph and vectors of the demo, made from nothing: the same counts and hashes as before."""

from io import StringIO

import pytest
from django.core.management import call_command

from kgadmin.projection import services as projection
from tests.engines.worlds import Ask


@pytest.mark.parametrize("store", projection.STORES)
def test_the_demo_from_nothing_is_the_demo(ask: Ask, store: projection.Store) -> None:
    while projection.sweep():  # what other stories said
        continue
    assert projection.waiting() == []
    assert projection.drift() == []
    before = {each.kind: each.stored for each in projection.compare(store)}
    assert sum(each.count for each in before.values()) > 80
    call_command("rebuild", store, stdout=StringIO())
    assert {each.kind: each.stored for each in projection.compare(store)} == before
    assert projection.drift() == []
