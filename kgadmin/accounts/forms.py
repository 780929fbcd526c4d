"""The forms at the door."""

from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm, UsernameField
from django.forms import TextInput

from kgadmin.accounts.models import User


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
