"""The filter of the audit log."""

from typing import Any

from django import forms

from characters.profiles.access import characters_for
from characters.profiles.models import Character
from kgadmin.accounts.roles import AnyUser
from kgadmin.operations.audit_log import finding
from kgadmin.operations.audit_log.finding import Filter

ANY = ("", "Any")


class Day(forms.DateField):
    """A day, chosen in the browser's calendar."""

    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})


class FilterForm(forms.Form):
    """Which entries to see; everything may be left out."""

    who = forms.ChoiceField(required=False)
    verb = forms.ChoiceField(label="Did what", required=False)
    character = forms.ModelChoiceField(
        Character.objects.none(), required=False, empty_label="Any", to_field_name="slug"
    )
    subject = forms.CharField(
        label="To what", required=False, max_length=100, widget=forms.TextInput(attrs={"placeholder": "proposal:12"})
    )
    first_day = Day(label="From", required=False)
    last_day = Day(label="To", required=False)
    q = forms.CharField(
        label="Search", required=False, max_length=200, widget=forms.TextInput(attrs={"type": "search"})
    )
    batch = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput())

    def __init__(self, *args: Any, user: AnyUser, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = characters_for(user).order_by("name", "pk")
        self.fields["character"].queryset = known  # type: ignore[attr-defined]
        for name, found in (("who", finding.actors()), ("verb", finding.verbs())):
            self.fields[name].choices = [ANY, *((each, each) for each in found)]  # type: ignore[attr-defined]
        self.fields["character"].label_from_instance = lambda character: character.name  # type: ignore[attr-defined]

    def wanted(self) -> Filter:
        """What a valid form asks for."""
        given = self.cleaned_data
        return Filter(
            who=given["who"],
            verb=given["verb"],
            character=given["character"].graph_id if given["character"] else "",
            subject=given["subject"],
            batch=given["batch"],
            first_day=given["first_day"],
            last_day=given["last_day"],
            search=given["q"],
        )
