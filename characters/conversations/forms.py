"""Forms of the import pages."""

from typing import Any

from django import forms
from django.db.models import Q

from characters.conversations import imports
from characters.conversations.importing import REAL_PEOPLE
from characters.conversations.models import SHARED_TEST_PEOPLE, TESTER, ConversationImport, Person
from characters.profiles.documents import is_storable
from characters.profiles.models import Character
from kgadmin.accounts.models import User

NEW, OF_FILE = "new", "file"
PEOPLE_LISTED = 500


class CharacterField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic in its stubs only
    """Characters by their names."""

    def label_from_instance(self, obj: Character) -> str:
        return obj.name


class StartForm(forms.Form):
    """Whose conversations these are, and with whom."""

    character = CharacterField(
        Character.objects.filter(live_revision__isnull=False, archived_at=None),
        label="The character",
        empty_label="Choose one",
    )
    who = forms.ChoiceField(label="The person")
    name = forms.CharField(label="Name", max_length=100, required=False, help_text="Of somebody new only.")

    def __init__(self, data: Any, *, found: ConversationImport, user: User) -> None:
        name = imports.guessed_name(found)
        choices = _choices(found, user)
        initial = {"character": imports.guessed_character(found), "who": _guess(found, choices, name), "name": name}
        super().__init__(data, initial=initial)
        who = self.fields["who"]
        assert isinstance(who, forms.ChoiceField)  # noqa: S101  for the type checker
        who.choices = choices

    def clean_name(self) -> str:
        """What every engine can store."""
        name = " ".join(self.cleaned_data["name"].split())
        if not is_storable(name):
            raise forms.ValidationError("The name holds a character that can't be stored. Write it anew.")
        return name

    def clean(self) -> dict[str, Any]:
        """A new person needs a name, and one that no other real person has."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("who") == NEW and "name" in cleaned:
            if not cleaned["name"]:
                self.add_error("name", "Write a name, or choose somebody from the list.")
            elif Person.objects.filter(namespace=REAL_PEOPLE, outside_id=cleaned["name"]).exists():
                self.add_error("name", f"{cleaned['name']} is there already. Choose them above, or write another name.")
        return cleaned

    def person(self) -> Person | None:
        """The chosen person, made if new; None for those whom the file names."""
        who = self.cleaned_data["who"]
        if who == OF_FILE:
            return None
        if who == NEW:
            return imports.real_person(self.cleaned_data["name"])
        return Person.objects.get(pk=who)


def _choices(found: ConversationImport, user: User) -> list[tuple[str, str]]:
    people = Person.objects.filter(
        Q(namespace=REAL_PEOPLE) | Q(namespace__in=[SHARED_TEST_PEOPLE, f"{TESTER}{user.pk}"])
    )
    named = len(found.preview["people"])
    of_file = f"Those whom the file names ({named})" if named > 1 else "The one whom the file names"
    return [
        *([(OF_FILE, of_file)] if named and found.preview["all_named"] else []),
        (NEW, "Somebody new"),
        *((str(each.pk), f"{each.name}{', test person' if each.is_test else ''}") for each in people[:PEOPLE_LISTED]),
    ]


def _guess(found: ConversationImport, choices: list[tuple[str, str]], name: str) -> str:
    """Those of the file, else a real person of that name, else somebody new."""
    if choices[0][0] == OF_FILE:
        return OF_FILE
    known = Person.objects.filter(namespace=REAL_PEOPLE, outside_id=name).first()
    return str(known.pk) if known else NEW
