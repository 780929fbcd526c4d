"""Forms of the review pages: what an operator decides, seen at which version."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone

from characters.people.forms import StorableCharField
from characters.profiles.learned.services import MAX_OBJECT
from characters.review.decisions import REASONS

MAX_NOTE = 500
UNTIL: Mapping[str, str] = {
    "other": "It was said to somebody else",
    "tomorrow": "Tomorrow",
    "week": "A week from now",
}
_LATER: Mapping[str, Callable[[], datetime | None]] = {
    "other": lambda: None,
    "tomorrow": lambda: timezone.now() + timedelta(days=1),
    "week": lambda: timezone.now() + timedelta(days=7),
}


class SeenForm(forms.Form):
    """A decision; `version` is that of the proposal on the page."""

    version = forms.IntegerField(min_value=1, error_messages={"required": "Open the proposal, and decide there."})


class ApproveForm(SeenForm):
    """As it stands, or in other words."""

    predicate = StorableCharField(max_length=60, required=False)
    object = StorableCharField(
        max_length=MAX_OBJECT,
        required=False,
        error_messages={"max_length": f"At most {MAX_OBJECT} characters are taken. Shorten it."},
    )
    note = StorableCharField(max_length=MAX_NOTE, required=False)

    def clean_object(self) -> str:
        """Empty only where none was sent: it stays as it stands then."""
        said: str = self.cleaned_data["object"]
        if not said and "object" in self.data:
            raise forms.ValidationError("Write what she learns.")
        return said


class AlsoBadForm(forms.Form):
    """Whether to approve what has a bad verdict, too; and why. What is written beside it counts for nothing."""

    also_bad = forms.BooleanField(required=False)
    note = StorableCharField(max_length=MAX_NOTE, required=False)

    def clean(self) -> dict[str, Any]:
        """Without a note where nothing bad is to be approved."""
        also_bad, note = self.cleaned_data["also_bad"], self.cleaned_data.get("note", "")
        if also_bad and not note and not self.errors:
            raise forms.ValidationError("Say why they are approved all the same.")
        return {"also_bad": also_bad, "note": note if also_bad else ""}


class ReasonForm(forms.Form):
    """Why not."""

    reason = forms.ChoiceField(choices=list(REASONS.items()), error_messages={"required": "Choose a reason."})
    note = StorableCharField(max_length=MAX_NOTE, required=False)


class RejectForm(ReasonForm, SeenForm):
    """Why not, of one proposal."""


class UntilForm(forms.Form):
    """How long it waits."""

    until = forms.ChoiceField(choices=list(UNTIL.items()), error_messages={"required": "Choose until when."})

    def clean_until(self) -> datetime | None:
        """The moment; none where it waits for somebody else."""
        return _LATER[self.cleaned_data["until"]]()


class DeferForm(UntilForm, SeenForm):
    """How long one proposal waits."""
