"""The forms at the door."""

from typing import ClassVar

from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm
from django.utils.functional import _StrPromise

from kgadmin.accounts.models import User


class LoginForm(AuthenticationForm):
    """Name and password."""

    error_messages: ClassVar[dict[str, str | _StrPromise]] = {
        "invalid_login": "No account has this name and password. Capitals count in both.",
        "inactive": "This account is switched off. Ask an administrator.",
    }


class FirstAdminForm(BaseUserCreationForm[User]):
    """The name and password of the first administrator."""

    class Meta:
        model = User
        fields = ("username",)
