"""Forms of signing in, and input for making accounts and API keys."""

from typing import Literal

from django.contrib.auth.forms import AuthenticationForm, UsernameField
from django.forms import TextInput
from ninja import Field

from kgadmin.rest.schemas import Body, Id, Line


class LoginForm(AuthenticationForm):
    """Name and password. No field takes the focus: the demo accounts come first, and phones would scroll."""

    username = UsernameField(widget=TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}))
    error_messages = {
        "invalid_login": "No account has this name and password. Both are case-sensitive.",
        "inactive": "This account is disabled. Ask an administrator.",
    }


class Rights(Body):
    """The rights of an account."""

    roles: list[Literal["author", "operator", "tester"]] = []
    is_admin: bool = False


class Invitation(Rights):
    """A new account."""

    username: Line = Field(max_length=150)


EXPIRIES = {"30": "In 30 days", "90": "In 90 days", "365": "In a year", "": "Never"}
MOST_A_MINUTE = 10_000


class NewKey(Body):
    """A new API key: for one of the programs or a new one; its scopes, days of validity and rate limit."""

    client: Id | None = None
    name: Line = Field("", max_length=80)
    owner: Id | None = None
    scopes: list[Literal["chat", "read", "write"]] = []
    expires: Literal["30", "90", "365"] | None = None
    a_minute: int = Field(ge=1, le=MOST_A_MINUTE)
    remembers: bool = False
