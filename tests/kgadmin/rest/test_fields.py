"""Kinds of values, and what a page's form makes of a body."""

import pytest
from django import forms
from ninja.errors import ValidationError

from kgadmin.rest.fields import checked, storable


def test_what_no_store_can_hold_is_refused() -> None:
    for text in ("a\0b", "\ud800", "a\udfffb"):
        with pytest.raises(ValueError, match="can't be stored"):
            storable(text)
    for text in ("", "漢字 🐙", "\ud7ff\ue000"):
        assert storable(text) == text


class Range(forms.Form):
    first = forms.IntegerField()
    last = forms.IntegerField()

    def clean(self) -> None:
        if self.cleaned_data.get("last", 0) < self.cleaned_data.get("first", 0):
            raise forms.ValidationError("The last comes before the first.")


def test_what_a_form_refuses_is_told_with_its_place_in_the_body() -> None:
    assert checked(Range({"first": "1", "last": 2})) == {"first": 1, "last": 2}
    for values, places in (
        ({"first": "one"}, [("body", "first"), ("body", "until")]),
        ({"first": 2, "last": 1}, [("body",)]),
    ):
        with pytest.raises(ValidationError) as refused:
            checked(Range(values), last="until")
        assert [each["loc"] for each in refused.value.errors] == places
