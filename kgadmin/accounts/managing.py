"""What administrators do to accounts: invite, give roles, switch off. One administrator always remains."""

from collections.abc import Collection

from django.contrib.auth.models import Group
from django.db import transaction

from kgadmin.accounts.models import ROLES, User


class LastAdministratorError(ValueError):
    """What was asked for would leave nobody who can give roles; the text says what to do first."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is the last administrator. Make somebody else an administrator first.")


@transaction.atomic
def invite(*, username: str, roles: Collection[str], is_admin: bool) -> User:
    """An account without a password, for a link to set one (see `links`)."""
    user = User.objects.create_user(username=username, password=None, is_superuser=is_admin)
    user.groups.set(Group.objects.filter(name__in=set(roles) & ROLES.keys()))
    return user


@transaction.atomic
def give_roles(user: User, *, roles: Collection[str], is_admin: bool) -> None:
    """These roles and no others. Raises `LastAdministratorError`."""
    if not is_admin:
        _keep_an_administrator(user)
    user.is_superuser = is_admin
    user.save(update_fields=["is_superuser"])
    others = user.groups.exclude(name__in=ROLES)
    user.groups.set([*others, *Group.objects.filter(name__in=set(roles) & ROLES.keys())])
    user.__dict__.pop("roles", None)


@transaction.atomic
def switch_off(user: User) -> None:
    """Let nobody sign in with it; who is in is out at once; its keys stop. Raises `LastAdministratorError`."""
    _keep_an_administrator(user)
    user.is_active = False
    user.save(update_fields=["is_active"])


def switch_on(user: User) -> None:
    """Let it sign in again."""
    user.is_active = True
    user.save(update_fields=["is_active"])


def set_password(user: User, password: str) -> None:
    """The account's own from now on: a demo account stops being one, and whoever was signed in as it is out.

    The sessions end by themselves: each is signed with the password that it began with.
    """
    user.set_password(password)
    user.is_demo = False
    user.save(update_fields=["password", "is_demo"])


def _keep_an_administrator(user: User) -> None:
    """Of several requests at once one passes at a time: the rows are locked (SQLite locks at BEGIN)."""
    admins = list(User.objects.select_for_update().filter(is_superuser=True, is_active=True))
    if user in admins and not any(admin.has_usable_password() for admin in admins if admin != user):
        raise LastAdministratorError(user.username)
