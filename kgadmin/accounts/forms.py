"""The forms at the door, of accounts and of API keys."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm, UsernameField
from django.forms import TextInput
from django.utils import timezone

from kgadmin.accounts.keys import clients_for, create_key
from kgadmin.accounts.models import ROLES, SCOPES, ApiKey, Client, User


class LoginForm(AuthenticationForm):
    """Name and password. No field takes the focus: the demo accounts come first, and phones would jump."""

    username = UsernameField(widget=TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}))
    error_messages = {
        "invalid_login": "No account has this name and password. Capitals count in both.",
        "inactive": "This account is switched off. Ask an administrator.",
    }


class FirstAdminForm(BaseUserCreationForm):  # type: ignore[type-arg]  # generic in its stubs only
    """The name and password of the first administrator."""

    class Meta:
        model = User
        fields = ("username",)


class RolesForm(forms.Form):
    """What somebody may do."""

    roles = forms.MultipleChoiceField(choices=list(ROLES.items()), required=False)
    is_admin = forms.BooleanField(required=False)


class InviteForm(forms.ModelForm):  # type: ignore[type-arg]
    """A new account."""

    roles = RolesForm.base_fields["roles"]
    is_admin = RolesForm.base_fields["is_admin"]

    class Meta:
        model = User
        fields = ("username",)
        error_messages = {"username": {"unique": "There is an account of this name. Choose another one."}}


EXPIRIES = {"30": "In 30 days", "90": "In 90 days", "365": "In a year", "": "Never"}
MOST_A_MINUTE = 10_000


class KeyForm(forms.Form):
    """A new API key: of which program, what it may do, for how long and how often."""

    client = forms.ModelChoiceField(Client.objects.none(), required=False, empty_label="A new program")
    name = forms.CharField(required=False, max_length=80)
    owner = forms.ModelChoiceField(User.objects.none(), required=False, empty_label=None)
    scopes = forms.MultipleChoiceField(
        choices=list(SCOPES.items()),
        error_messages={"required": "Choose at least one: a key that may nothing is none."},
    )
    expires = forms.ChoiceField(choices=list(EXPIRIES.items()), required=False)
    a_minute = forms.IntegerField(min_value=1, max_value=MOST_A_MINUTE)
    remembers = forms.BooleanField(required=False)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.fields["client"].queryset = clients_for(user).select_related("owner")  # type: ignore[attr-defined]
        accounts = User.objects.filter(is_active=True).order_by("username")
        self.fields["owner"].queryset = accounts if user.is_superuser else accounts.filter(pk=user.pk)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        name = cleaned.get("name", "")
        if cleaned.get("client") is None and "client" not in self.errors:
            if not name:
                self.add_error("name", "Give the new program a name, or choose one that is there.")
            elif Client.objects.filter(name=name).exists():
                self.add_error("name", "There is a program of this name already. Choose another name.")
        return cleaned

    @property
    def expires_at(self) -> datetime | None:
        """When it ends."""
        days = self.cleaned_data["expires"]
        return timezone.now() + timedelta(days=int(days)) if days else None

    def program(self) -> Client:
        """The program that was chosen; made if it is a new one."""
        chosen: Client | None = self.cleaned_data["client"]
        owner = self.cleaned_data["owner"] or self.user
        return chosen or Client.objects.create(name=self.cleaned_data["name"], owner=owner)

    def make(self) -> tuple[ApiKey, str]:
        """The key, and its text, which is told only now."""
        return create_key(
            self.program(),
            scopes=self.cleaned_data["scopes"],
            by=self.user,
            remembers=self.cleaned_data["remembers"],
            a_minute=self.cleaned_data["a_minute"],
            expires_at=self.expires_at,
        )
