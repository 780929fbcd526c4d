"""The authentication backend."""

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser

from kgadmin.accounts.models import User


class AccountBackend(ModelBackend):
    """Checks names and passwords; demo accounts, whose password is public, only while the program runs as a demo."""

    def user_can_authenticate(self, user: User | AnonymousUser | None) -> bool:
        return isinstance(user, User) and user.may_sign_in
