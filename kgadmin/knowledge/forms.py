"""Forms of the knowledge pages."""

from django import forms

from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.knowledge.reading import MAX_BYTES
from kgadmin.rest.actions import Refused

MAX_FILES = 200
ACCEPTED = ".md,.markdown,.txt,.text,.log"
MAX_QUESTION = 1000


class RegisterForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in its stubs only
    """A new base."""

    class Meta:
        model = KnowledgeBase
        fields = ["name", "description", "provenance"]
        help_texts = {
            "description": "One line: what somebody would look for in it.",
            "provenance": "Stands beside every text of this base in the prompt.",
        }


class ThresholdForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in its stubs only
    """From which similarity on a chunk counts as a hit."""

    class Meta:
        model = KnowledgeBase
        fields = ["threshold"]
        widgets = {"threshold": forms.NumberInput(attrs={"min": 0, "max": 1, "step": 0.01})}


class SearchForm(forms.Form):
    """A question to one base."""

    q = forms.CharField(max_length=MAX_QUESTION, required=False)


def check_upload(count: int) -> None:
    """Raise `Refused` for no files, and for more than one request may carry."""
    if not count:
        raise Refused("Choose one or more files first.")
    if count > MAX_FILES:
        raise Refused(f"These are {count} files; {MAX_FILES} can be sent at once. Send them in parts.")


LIMITS = f"Markdown and plain text, up to {MAX_BYTES // 1_000_000} MB a file, {MAX_FILES} files at once"
