"""Login accounts. Whom a character talks to is a `Person`, in `characters.conversations`."""

from functools import cached_property

from django.contrib.auth.models import AbstractUser
from django.db import models

ROLES = {
    "author": "Writes who a character is",
    "operator": "Looks after knowledge bases and engines",
    "tester": "Talks to characters and sees why they answer so",
}
"""The three roles, with what each does."""


class User(AbstractUser):
    """Somebody who signs in: an author, an operator, a tester, or several of these."""

    is_demo = models.BooleanField(
        default=False, help_text="May sign in with one click while the program runs as a demo."
    )

    @cached_property
    def roles(self) -> frozenset[str]:
        """The user's roles, read once per object and so once per request; an administrator has all of them."""
        if self.is_superuser:
            return frozenset(ROLES)
        return frozenset(group.name for group in self.groups.all() if group.name in ROLES)

    @property
    def purpose(self) -> str:
        """What the user's roles do, in words."""
        if len(self.roles) == len(ROLES):
            return "Everything: all three roles"
        return "; ".join(ROLES[role] for role in ROLES if role in self.roles)
