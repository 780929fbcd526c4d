"""What administrators do to accounts: invite, give roles, switch off. One administrator always remains."""

import re
from collections.abc import Collection
from typing import Any

from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest

from kgadmin.accounts import throttle
from kgadmin.accounts.models import ROLES, User
from kgadmin.audit.services import Act, record
from kgadmin.rest.actions import Refused


@transaction.atomic
def invite(*, username: str, roles: Collection[str], is_admin: bool, by: User | None) -> User:
    """An account without a password, for a link to set one (see `links`). Raises `Refused`."""
    username = User.normalize_username(username)
    if not re.fullmatch(r"[\w.@+-]+", username):
        raise Refused("A name has only letters, digits and @ . + - _. Choose another one.")
    if User.objects.filter(username=username).exists():
        raise Refused("There is an account of this name. Choose another one.")
    user = User.objects.create_user(username=username, password=None, is_superuser=is_admin)
    user.groups.set(Group.objects.filter(name__in=set(roles) & ROLES.keys()))
    record(Act("invited", user.subject, after={"name": username} | _rights(user)), actor=by)
    return user


@transaction.atomic
def give_roles(user: User, *, roles: Collection[str], is_admin: bool, by: User | None) -> None:
    """These roles and no others. Raises `Refused`."""
    if not is_admin:
        _keep_an_administrator(user)
    before = _rights(user)
    user.is_superuser = is_admin
    user.save(update_fields=["is_superuser"])
    others = user.groups.exclude(name__in=ROLES)
    user.groups.set([*others, *Group.objects.filter(name__in=set(roles) & ROLES.keys())])
    user.__dict__.pop("roles", None)
    if before != _rights(user):
        record(Act("changed roles of", user.subject, before=before, after=_rights(user)), actor=by)


def _rights(user: User) -> dict[str, Any]:
    roles = user.groups.filter(name__in=ROLES).order_by("name").values_list("name", flat=True)
    return {"roles": list(roles), "administrator": user.is_superuser}


@transaction.atomic
def switch_off(user: User, *, by: User | None) -> None:
    """Let nobody sign in with it; who is in is out at once; its keys stop. Raises `Refused`."""
    _keep_an_administrator(user)
    _switch(user, "switched off", on=False, by=by)


@transaction.atomic
def switch_on(user: User, *, by: User | None) -> None:
    """Let it sign in again."""
    _switch(user, "switched on", on=True, by=by)


def _switch(user: User, verb: str, *, on: bool, by: User | None) -> None:
    if User.objects.filter(pk=user.pk, is_active=not on).update(is_active=on):
        record(Act(verb, user.subject), actor=by)
    user.is_active = on


@transaction.atomic
def set_password(user: User, password: str) -> None:
    """The account's own from now on: a demo account stops being one, and whoever was signed in as it is out.

    The sessions end by themselves: each is signed with the password that it began with.
    """
    user.set_password(password)
    user.is_demo = False
    user.save(update_fields=["password", "is_demo"])
    record(Act("set the password of", user.subject), actor=user)


def _keep_an_administrator(user: User) -> None:
    """Of several requests at once one passes at a time: the rows are locked (SQLite locks at BEGIN)."""
    admins = list(User.objects.select_for_update().filter(is_superuser=True, is_active=True))
    if user in admins and not any(admin.has_usable_password() for admin in admins if admin != user):
        raise Refused(
            f"{user.username} is the last administrator. Make somebody else an administrator first.", status=409
        )


def all_accounts() -> QuerySet[User]:
    """Everybody; those who may not sign in stand last."""
    return User.objects.prefetch_related("groups").order_by("-is_active", "username")


def account_for(pk: int) -> User:
    """An account; 404 if there is none."""
    user = User.objects.prefetch_related("groups", "characters").filter(pk=pk).first()
    if user is None:
        raise Http404("There is no such account. Look at the list of accounts.")
    return user


def sets_password(request: HttpRequest, user: User, form: PasswordChangeForm) -> bool:
    """Set the password if the form is right; other browsers are signed out. Raises `TooManyAttemptsError`.

    Attempts count as those to sign in do: a browser that was left open must not help to guess the password.
    """
    attempt = {"name": user.username, "address": request.META.get("REMOTE_ADDR") or ""}
    throttle.count(**attempt)
    if not form.is_valid():
        return False
    throttle.forgive(**attempt)
    set_password(user, form.cleaned_data["new_password1"])
    update_session_auth_hash(request, user)
    return True
