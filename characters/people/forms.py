"""Forms of the pages of people."""

from collections.abc import Iterable
from typing import Any

from django import forms

from characters.conversations.models import Person
from characters.domain import people
from characters.memory.models import Entity, UserFact
from characters.profiles.documents import is_storable

FAVORITES = ("BOOK", "FILM", "FOOD", "COLOR", "MUSIC", "PLACE", "ANIMAL", "GAME")
NOT_STORABLE = "This holds a null byte or half of a character, which can't be stored. Remove it."

Choice = tuple[str, str]


def predicate_choices(name: str) -> list[tuple[str, list[Choice]]]:
    """The registered predicates by family, each said of somebody: "Mark lives in …"."""
    families: dict[str, list[Choice]] = {}
    favorites = [f"{people.FAVORITE}{each}" for each in FAVORITES]
    for predicate in (*people.PERSON_PREDICATES, *favorites):
        family = people.person_predicate(predicate).family.capitalize()
        families.setdefault(family, []).append((predicate, people.sentence(name, predicate, "…")))
    return list(families.items())


class StorableCharField(forms.CharField):
    """Text that every store can hold, white space as single blanks."""

    def clean(self, value: Any) -> str:
        if isinstance(value, str) and not is_storable(value):
            raise forms.ValidationError(NOT_STORABLE)
        return " ".join(str(super().clean(value)).split())


class FactForm(forms.Form):
    """A fact by hand: about whom, which predicate, what."""

    subject = forms.TypedChoiceField(coerce=int, empty_value=None, required=False, label="About")
    predicate = forms.ChoiceField(label="Says")
    text = StorableCharField(max_length=300, label="What", help_text="It stands in place of the dots.")

    def __init__(self, *args: Any, person: Person, entities: Iterable[Entity], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", person.name), *((str(entity.pk), entity.name) for entity in entities)]
        self.fields["subject"].choices = choices  # type: ignore[attr-defined]  # of a choice field
        self.fields["predicate"].choices = predicate_choices(person.name)  # type: ignore[attr-defined]


class CorrectionForm(forms.Form):
    """What a fact should say."""

    predicate = forms.ChoiceField(label="Says")
    text = StorableCharField(max_length=300, label="What", help_text="It stands in place of the dots.")

    def __init__(self, *args: Any, fact: UserFact, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        who = fact.subject.name if fact.subject else fact.person.name
        choices = predicate_choices(who)
        if all(fact.predicate != name for _, family in choices for name, _ in family):
            choices.insert(0, ("As it is", [(fact.predicate, people.sentence(who, fact.predicate, "…"))]))
        self.fields["predicate"].choices = choices  # type: ignore[attr-defined]  # of a choice field
        self.initial = {"predicate": fact.predicate, "text": fact.text}


class NameForm(forms.Form):
    """A name of an entity, its first or another one."""

    name = StorableCharField(max_length=200)


class TrustForm(forms.Form):
    """How far a character believes a person."""

    trust = forms.FloatField(min_value=0, max_value=1)


def first_error(form: forms.Form) -> str:
    """The first sentence of what is wrong with a form."""
    return next((str(error) for errors in form.errors.values() for error in errors), "")
