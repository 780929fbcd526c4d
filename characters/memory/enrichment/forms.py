"""Forms of the enrichment pages."""

from typing import Any

from django import forms

from characters.conversations.models import Person
from characters.domain.relations import CLASSES
from characters.memory.enrichment import services
from characters.memory.models import EnrichmentRun, Relation
from characters.profiles.models import Character

EVERYBODY = "Everybody"
KNOBS = ("anchors", "frontier", "floor", "threshold", "max_calls", "max_tokens")
STATUSES = [
    ("drawn", "Drawn"),
    (Relation.Status.UNCERTAIN, "Uncertain"),
    (Relation.Status.UNCLASSIFIED, "Unclassified"),
    (Relation.Status.RELABELLED, "Relabelled"),
    (Relation.Status.REJECTED, "Rejected"),
]


class PersonField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic in its stubs only
    """A person, told apart from others of the same name."""

    def label_from_instance(self, obj: Person) -> str:
        kind = "test person" if obj.is_test else obj.namespace
        return f"{obj.name} ({kind}, {obj.graph_id.replace(':', ' ')})"


def _whole(label: str, low: int, high: int, help_text: str) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=low, max_value=high, help_text=help_text)


def _share(label: str, help_text: str) -> forms.FloatField:
    widget = forms.NumberInput(attrs={"min": 0, "max": 1, "step": 0.01})
    return forms.FloatField(label=label, min_value=0.0, max_value=1.0, widget=widget, help_text=help_text)


class RunForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in its stubs only
    """A new run: over whom, how far, and how much it may take."""

    character = forms.ModelChoiceField(Character.objects.none(), empty_label=None)
    person = PersonField(Person.objects.none(), required=False, empty_label=EVERYBODY)
    anchors = _whole("Similarity anchors (K)", 1, 50, "Nearest messages of each message.")
    frontier = _whole("Semantic frontier (M)", 1, 20, "Nearest messages of each anchor, to classify.")
    floor = _share("Similarity floor", "Messages less alike than this aren’t linked.")
    threshold = _share("Confidence threshold", "Relations below it are kept, not drawn.")
    max_calls = _whole("Most calls", 1, 100_000, "The run ends there.")
    max_tokens = _whole("Most tokens", 1_000, 100_000_000, "Sent and received, together.")
    without_model = forms.BooleanField(
        label="Without the language model", required=False, help_text="By vectors and cues; costs no call."
    )

    class Meta:
        model = EnrichmentRun
        fields = ["character", "person", *KNOBS]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.model_name = services.model_name()
        for name in KNOBS:
            self.fields[name].initial = getattr(EnrichmentRun(), name)
        self.fields["character"].queryset = Character.objects.order_by("name", "pk")  # type: ignore[attr-defined]
        self.fields["character"].label_from_instance = lambda character: character.name  # type: ignore[attr-defined]
        people = Person.objects.filter(acquaintances__places__gt=0).distinct().order_by("name", "pk")
        self.fields["person"].queryset = people  # type: ignore[attr-defined]
        if not self.model_name:
            for name in ("max_calls", "max_tokens"):
                self.fields[name].required = False
                self.fields[name].widget = forms.HiddenInput()
            del self.fields["without_model"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for name in ("max_calls", "max_tokens"):
            if cleaned.get(name) is None and name not in self.errors:
                cleaned[name] = self.fields[name].initial
        return cleaned

    def run(self) -> EnrichmentRun:
        """The run that the valid form asks for, not saved."""
        run: EnrichmentRun = self.instance
        run.model = "" if self.cleaned_data.get("without_model") else self.model_name
        return run


class FilterForm(forms.Form):
    """Which relations to see; everything may be left out."""

    relation = forms.ChoiceField(label="Class", required=False, choices=[("", "Any"), *((n, n) for n in CLASSES)])
    status = forms.ChoiceField(required=False, choices=[("", "Any"), *STATUSES])
    least = forms.FloatField(
        label="Confidence from",
        required=False,
        min_value=0.0,
        max_value=1.0,
        widget=forms.NumberInput(attrs={"min": 0, "max": 1, "step": 0.05, "placeholder": "0.00"}),
    )
    most = forms.FloatField(
        label="Confidence to",
        required=False,
        min_value=0.0,
        max_value=1.0,
        widget=forms.NumberInput(attrs={"min": 0, "max": 1, "step": 0.05, "placeholder": "1.00"}),
    )
    character = forms.ModelChoiceField(Character.objects.none(), required=False, empty_label="Any")
    person = PersonField(Person.objects.none(), required=False, empty_label=EVERYBODY)
    run = forms.IntegerField(required=False, min_value=1, max_value=2**53, widget=forms.HiddenInput())

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["character"].queryset = Character.objects.order_by("name", "pk")  # type: ignore[attr-defined]
        self.fields["character"].label_from_instance = lambda character: character.name  # type: ignore[attr-defined]
        people = Person.objects.filter(relations__isnull=False).distinct().order_by("name", "pk")
        self.fields["person"].queryset = people  # type: ignore[attr-defined]


class RelabelForm(forms.Form):
    """The class that an operator sees in a pair."""

    relation = forms.ChoiceField(label="Class", choices=[(name, name) for name in CLASSES])
