"""Forms of signing in, and input for making accounts and API keys."""

from typing import Annotated, Literal

from django.contrib.auth.forms import AuthenticationForm, UsernameField
from django.forms import TextInput
from ninja import Field

from kgadmin.accounts.models import SpeaksFor
from kgadmin.rest.schemas import Body, Id, Line, Slug


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


HeaderName = Annotated[Line, Field(max_length=80, pattern=r"^[A-Za-z0-9-]*$")]


class NewKey(Body):
    """A new API key: for one of the programs or a new one; who speaks through it, scopes, days of validity, limit."""

    client: Id | None = None
    kind: Annotated[Slug, Field(max_length=20)] = "script"
    name: Line = Field("", max_length=80)
    speaks_for: SpeaksFor = SpeaksFor.REQUEST
    person: Line = Field("", max_length=80)
    person_header: HeaderName = ""
    name_header: HeaderName = ""
    conversation_header: HeaderName = ""
    owner: Id | None = None
    scopes: list[Literal["chat", "read", "write"]] = []
    expires: Literal["30", "90", "365"] | None = None
    a_minute: int = Field(60, ge=1, le=MOST_A_MINUTE)

    @property
    def headers(self) -> dict[str, str]:
        """Return the names of the headers that name person and conversation."""
        named = {"person": self.person_header, "name": self.name_header, "conversation": self.conversation_header}
        return {part: name for part, name in named.items() if name}
