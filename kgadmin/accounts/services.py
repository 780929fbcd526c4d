"""Changes to accounts. A link to set a password works once, for three days, until a newer one is made."""

import re
from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.models import Group
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from kgadmin.accounts import throttle
from kgadmin.accounts.models import User
from kgadmin.audit.services import Act, record
from kgadmin.rest.actions import Refused, first_or_404


class _LinkTokens(PasswordResetTokenGenerator):
    """Django's tokens: signed with the secret key, dated, and void once password or last sign-in change."""

    key_salt = "kgadmin.accounts.links"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        # Beside what Django signs: the link's number, and whether the account is active.
        return f"{super()._make_hash_value(user, timestamp)}{user.links_made}{user.is_active}"


_tokens = _LinkTokens()


def all_accounts() -> QuerySet[User]:
    """Return all accounts; those that may not sign in are last."""
    return User.objects.prefetch_related("groups").order_by("-is_active", "username")


def account_for(pk: int) -> User:
    """Return an account; 404 if there is none."""
    rows = User.objects.prefetch_related("groups", "characters").filter(pk=pk)
    return first_or_404(rows, "There is no such account. See the list of accounts.")


def demo_accounts() -> QuerySet[User]:
    """Return the accounts that may sign in with one click; none unless the program runs as a demo."""
    accounts = User.objects.filter(is_demo=True, is_active=True).order_by("id").prefetch_related("groups")
    return accounts if settings.DEMO else accounts.none()


@transaction.atomic
def invite(*, username: str, roles: Collection[str], is_admin: bool, by: User | None) -> User:
    """Create an account without a password, for a link to set one (`new_link`). Raises `Refused`."""
    username = User.normalize_username(username)
    if not re.fullmatch(r"[\w.@+-]+", username):
        raise Refused("A name can only contain letters, digits and @ . + - _. Choose another one.")
    if User.objects.filter(username=username).exists():
        raise Refused("There is already an account with this name. Choose another one.")
    user = User.objects.create_user(username=username, password=None, is_superuser=is_admin)
    user.groups.set(Group.objects.filter(name__in=roles))
    record(Act("invited", user.subject, after={"name": username} | _rights(user)), actor=by)
    return user


@transaction.atomic
def give_roles(user: User, *, roles: Collection[str], is_admin: bool, by: User | None) -> None:
    """Give the user these roles and no others. Raises `Refused`."""
    if not is_admin:
        _keep_an_administrator(user)
    before = _rights(user)
    user.is_superuser = is_admin
    user.save(update_fields=["is_superuser"])
    user.groups.set(Group.objects.filter(name__in=roles))
    user.__dict__.pop("roles", None)
    if before != _rights(user):
        record(Act("changed roles of", user.subject, before=before, after=_rights(user)), actor=by)


def _rights(user: User) -> dict[str, Any]:
    roles = user.groups.order_by("name").values_list("name", flat=True)
    return {"roles": list(roles), "administrator": user.is_superuser}


@transaction.atomic
def switch(user: User, *, on: bool, by: User | None) -> None:
    """Switch an account off or on. Off: its sessions and keys end at once. Raises `Refused`."""
    if not on:
        _keep_an_administrator(user)
    if User.objects.filter(pk=user.pk, is_active=not on).update(is_active=on):
        record(Act("enabled" if on else "disabled", user.subject), actor=by)
    user.is_active = on


def _keep_an_administrator(user: User) -> None:
    """Raise `Refused` if the user is the last administrator. Locks their rows, so that requests pass one by one."""
    admins = list(User.objects.select_for_update().filter(is_superuser=True, is_active=True))
    if user in admins and not any(admin.has_usable_password() for admin in admins if admin != user):
        raise Refused(
            f"{user.username} is the last administrator. Make someone else an administrator first.", status=409
        )


def first_admin_link(username: str) -> str:
    """Return the path where the first administrator sets a password; empty if there is one. Raises `Refused`."""
    admins = list(User.objects.filter(is_superuser=True, is_active=True))
    if any(admin.has_usable_password() for admin in admins):
        return ""
    return new_link(admins[0] if admins else invite(username=username, roles=(), is_admin=True, by=None), by=None)


@transaction.atomic
def new_link(user: User, *, by: User | None) -> str:
    """Return the path of a new link that sets a password; earlier links end. Raises `Refused`."""
    if not user.is_active:
        raise Refused(f"{user.username} is disabled. Enable it first.", status=409)
    User.objects.filter(pk=user.pk).update(links_made=F("links_made") + 1)
    user.refresh_from_db(fields=["links_made"])
    record(Act("made a link for", user.subject), actor=by)
    return reverse("accounts:link", args=[f"{user.pk}-{_tokens.make_token(user)}"])


def account_of_link(token: str) -> User | None:
    """Return the account of a link; None if it was used, is too old, was replaced, or never existed."""
    pk, _, rest = token.partition("-")
    if not re.fullmatch(r"[0-9]{1,18}", pk):
        return None
    user = User.objects.filter(pk=int(pk), is_active=True).first()
    return user if user is not None and _tokens.check_token(user, rest) else None


@transaction.atomic
def set_password(user: User, password: str) -> None:
    """Set a password; a demo account stops being one, and sessions end, being signed with the old password."""
    user.set_password(password)
    user.is_demo = False
    user.save(update_fields=["password", "is_demo"])
    record(Act("set the password of", user.subject), actor=user)


def change_own_password(request: HttpRequest, user: User, form: PasswordChangeForm) -> bool:
    """Change one's own password, signing out other browsers; return whether it was set. Counts as an attempt to sign
    in. Raises `Refused`.
    """
    if not throttle.passes(user.username, request, form):
        return False
    set_password(user, form.cleaned_data["new_password1"])
    update_session_auth_hash(request, user)
    return True
