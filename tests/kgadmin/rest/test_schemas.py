"""Kinds of values that operations take."""

import pytest

from kgadmin.rest.schemas import storable


def test_what_no_store_can_hold_is_refused() -> None:
    for text in ("a\0b", "\ud800", "a\udfffb"):
        with pytest.raises(ValueError, match="can't be stored"):
            storable(text)
    for text in ("", "漢字 🐙", "\ud7ff\ue000"):
        assert storable(text) == text
