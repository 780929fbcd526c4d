"""The forms at the door."""

from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm

from kgadmin.accounts.models import User


class LoginForm(AuthenticationForm):
    """Name and password."""

    error_messages = {
        "invalid_login": "No account has this name and password. Capitals count in both.",
        "inactive": "This account is switched off. Ask an administrator.",
    }


class FirstAdminForm(BaseUserCreationForm):  # type: ignore[type-arg]  # generic in its stubs only
    """The name and password of the first administrator."""

    class Meta:
        model = User
        fields = ("username",)
