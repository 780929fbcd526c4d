"""Authentication of the API: a signed-in user, or a program with a key, with one of the required roles."""

from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from ninja.security.apikey import APIKeyCookie
from ninja.security.base import AuthBase
from ninja.utils import check_csrf

from kgadmin.accounts import keys
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import refuse_unless

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class ApiRequest(HttpRequest):
    """A request that passed a door."""

    user: User


class ApiKeyAuth(AuthBase):
    """Accepts API keys: scope read for reading, else scope write. A key acts as its owner."""

    openapi_type = "http"
    openapi_scheme = "bearer"
    openapi_description = "An API key (kg-…) with the scope read; for everything but GET with the scope write."

    def __init__(self, roles: tuple[str, ...]) -> None:
        self.roles = roles
        super().__init__()

    def __call__(self, request: HttpRequest) -> User | None:
        """Return the key's owner; None without a key. Raises `RefusedKeyError` and `PermissionDenied`."""
        scheme, _, text = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        key = keys.use(text.strip(), "read" if request.method in SAFE_METHODS else "write")
        request.user = key.client.owner
        return _with_role(request.user, self.roles)


class SessionAuth(APIKeyCookie):
    """Accepts the session of a signed-in user; changes need the header X-CSRFToken, too."""

    openapi_description = "The cookie of a signed-in browser."
    param_name = settings.SESSION_COOKIE_NAME

    def __init__(self, roles: tuple[str, ...]) -> None:
        self.roles = roles
        super().__init__()

    def __call__(self, request: HttpRequest) -> User | None:
        """Return the signed-in user; None for nobody. Raises `PermissionDenied`."""
        if not isinstance(request.user, User):
            return None
        if check_csrf(request):
            raise PermissionDenied("The request didn't come from a page of this site: send the header X-CSRFToken.")
        return _with_role(request.user, self.roles)

    def authenticate(self, request: HttpRequest, key: str | None) -> Any:
        """Unused hook of Ninja's base class."""


def door(*roles: str) -> list[ApiKeyAuth | SessionAuth]:
    """Return the value for `auth=`: lets in users with one of the roles; without roles, every user and key."""
    return [ApiKeyAuth(roles), SessionAuth(roles)]


def _with_role(user: User, roles: tuple[str, ...]) -> User:
    if roles:
        refuse_unless(user, roles)
    return user
