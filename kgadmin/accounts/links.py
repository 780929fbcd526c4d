"""Links that set a password: for somebody who is invited, and for somebody who forgot theirs.

A link is handed over by an administrator, counts once, for three days, and only until a newer one is made.
"""

from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.urls import reverse

from kgadmin.accounts.models import User
from kgadmin.audit.services import Act, record
from kgadmin.rest.actions import Refused

MAX_ID = 19
"""Digits of the largest id that a database holds."""


class _Tokens(PasswordResetTokenGenerator):
    """Django's: signed with the secret key, dated, and void as soon as password or last sign-in change."""

    key_salt = "kgadmin.accounts.links"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        # Beside what Django signs: the number of the link, and that the account may be used at all.
        return f"{super()._make_hash_value(user, timestamp)}{user.links_made}{user.is_active}"


_tokens = _Tokens()


@transaction.atomic
def new_link(user: User, request: HttpRequest, *, by: User | None) -> str:
    """The whole address of a new link; the ones before end. Raises `Refused`."""
    if not user.is_active:
        raise Refused(f"{user.username} is switched off. Switch it on first.", status=409)
    User.objects.filter(pk=user.pk).update(links_made=F("links_made") + 1)
    user.refresh_from_db(fields=["links_made"])
    record(Act("made a link for", user.subject), actor=by)
    path = reverse("accounts:link", args=[f"{user.pk}-{_tokens.make_token(user)}"])
    return f"{settings.PUBLIC_URL}{path}" if settings.PUBLIC_URL else request.build_absolute_uri(path)


def account_of(token: str) -> User | None:
    """Whose link this is; None if it was used, is too old, was replaced, or never was one."""
    pk, _, rest = token.partition("-")
    if not (pk.isascii() and pk.isdecimal() and len(pk) < MAX_ID):
        return None
    user = User.objects.filter(pk=int(pk), is_active=True).first()
    return user if user is not None and _tokens.check_token(user, rest) else None
