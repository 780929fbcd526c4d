"""Who may sign in, and stay so."""

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser

from kgadmin.accounts.models import User


class AccountBackend(ModelBackend):
    """Names and passwords; demo accounts, whose password everybody knows, only while the program runs as a demo."""

    def user_can_authenticate(self, user: User | AnonymousUser | None) -> bool:
        return isinstance(user, User) and user.may_sign_in
