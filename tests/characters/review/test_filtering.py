"""The filter of the queue in an address, and back."""

import pytest
from django.http import QueryDict

from characters.review.filtering import LONGEST, query, read


@pytest.mark.parametrize("address", ["", "?q=waiting", "?character=waiting", "?q=fog", "?person=3"])
def test_what_an_address_asks_for_stands_in_the_next_one(address: str) -> None:
    assert QueryDict(query(read(QueryDict(address[1:])))[1:]) == QueryDict(address[1:])


def test_a_search_has_an_end() -> None:
    assert len(read(QueryDict(f"q={'a ' * 5_000}")).search) <= LONGEST
