"""Who may come in to the API: somebody who is signed in, or a program with a key, with one of the roles asked for."""

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
    """A request that came through a door."""

    user: User


class ApiKeyAuth(AuthBase):
    """An API key: of the scope read for what changes nothing, else of the scope write. It acts as its owner."""

    openapi_type = "http"
    openapi_scheme = "bearer"
    openapi_description = "An API key (kg-…) with the scope read; for everything but GET with the scope write."

    def __init__(self, roles: tuple[str, ...]) -> None:
        self.roles = roles
        super().__init__()

    def __call__(self, request: HttpRequest) -> User | None:
        """Its owner; None where no key is shown. Raises `RefusedKeyError` and `PermissionDenied`."""
        scheme, _, text = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        key = keys.use(text.strip(), "read" if request.method in SAFE_METHODS else "write")
        request.user = key.client.owner
        return _with_role(request.user, self.roles)


class SessionAuth(APIKeyCookie):
    """The session of somebody who is signed in; what changes something needs the header X-CSRFToken, too."""

    openapi_description = "The cookie of a signed-in browser."
    param_name = settings.SESSION_COOKIE_NAME

    def __init__(self, roles: tuple[str, ...]) -> None:
        self.roles = roles
        super().__init__()

    def __call__(self, request: HttpRequest) -> User | None:
        """Who is signed in; None for nobody. Raises `PermissionDenied`."""
        if not isinstance(request.user, User):
            return None
        if check_csrf(request):
            raise PermissionDenied("The request didn't come from a page of this site: send the header X-CSRFToken.")
        return _with_role(request.user, self.roles)

    def authenticate(self, request: HttpRequest, key: str | None) -> Any:
        """Ninja's hook, which `__call__` doesn't need."""


def door(*roles: str) -> list[ApiKeyAuth | SessionAuth]:
    """For `auth=`: lets in who has one of the roles; without any, everybody who is signed in or shows a key."""
    return [ApiKeyAuth(roles), SessionAuth(roles)]


def _with_role(user: User, roles: tuple[str, ...]) -> User:
    if roles:
        refuse_unless(user, roles)
    return user
