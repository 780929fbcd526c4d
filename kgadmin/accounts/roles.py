"""Permissions: three roles, stored as groups, and administrators (superusers), who have all of them."""

from collections.abc import Awaitable, Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Concatenate, ParamSpec, TypeVar, cast

from asgiref.sync import sync_to_async
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django_htmx.middleware import HtmxDetails

from kgadmin.accounts.models import User

AnyUser = AbstractBaseUser | AnonymousUser
P = ParamSpec("P")
R = TypeVar("R", bound=HttpResponseBase | Awaitable[HttpResponseBase])
Request = TypeVar("Request", bound=HttpRequest)
View = Callable[Concatenate[Request, P], R]

ADMINISTRATOR = "administrator"
"""Who gives roles to others; beside the three roles."""


class PageRequest(HttpRequest):
    """A request of a signed-in user, through django-htmx's middleware."""

    htmx: HtmxDetails
    user: User


def roles_of(user: AnyUser) -> frozenset[str]:
    """Return the user's roles, `ADMINISTRATOR` among them."""
    if not isinstance(user, User) or not user.is_active:
        return frozenset()
    return user.roles | {ADMINISTRATOR} if user.is_superuser else user.roles


def has_role(user: AnyUser, role: str) -> bool:
    """Return whether the user has this role."""
    return role in roles_of(user)


def role_required(*roles: str) -> Callable[[View[Request, P, R]], View[Request, P, R]]:
    """Refuse a view, sync or async, to users without any of these roles (403). Signing in is asked for before."""

    def decorate(view: View[Request, P, R]) -> View[Request, P, R]:
        if iscoroutinefunction(view):

            @wraps(view)
            async def guarded_async(request: Request, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
                await sync_to_async(refuse_unless)(request.user, roles)
                return cast(HttpResponseBase, await view(request, *args, **kwargs))

            return cast("View[Request, P, R]", guarded_async)

        @wraps(view)
        def guarded(request: Request, /, *args: P.args, **kwargs: P.kwargs) -> R:
            refuse_unless(request.user, roles)
            return view(request, *args, **kwargs)

        return guarded

    return decorate


def refuse_unless(user: AnyUser, roles: tuple[str, ...]) -> None:
    """Raise PermissionDenied, with the sentence to show, unless the user has one of the roles."""
    if roles_of(user).isdisjoint(roles):
        raise PermissionDenied(f"This needs the role {' or '.join(roles)}. Ask an administrator for it.")
