"""Login accounts. Whom a character talks to is a `Person`, in `characters.conversations`."""

from functools import cached_property

from django.contrib.auth.models import AbstractUser
from django.db import models

ROLES = ("author", "operator", "tester")


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
        return frozenset(self.groups.filter(name__in=ROLES).values_list("name", flat=True))
