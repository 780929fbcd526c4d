"""Signing in without a password, in the two cases where that is right: the demo, and the first administrator."""

from django.conf import settings
from django.contrib.auth.models import Group
from django.core import signing
from django.db import transaction
from django.db.models import QuerySet

from kgadmin.accounts.models import ROLES, User
from kgadmin.audit.services import Act, record

FIRST_ADMIN = "first administrator"


def demo_accounts() -> QuerySet[User]:
    """The accounts that may sign in with one click; none unless the program runs as a demo."""
    accounts = User.objects.filter(is_demo=True, is_active=True).order_by("id").prefetch_related("groups")
    return accounts if settings.DEMO else accounts.none()


def first_admin_token() -> str:
    """A token for the link that makes the first administrator."""
    return signing.dumps(FIRST_ADMIN, salt=FIRST_ADMIN)


def is_first_admin_token(token: str) -> bool:
    """Whether this program signed the token."""
    try:
        return bool(signing.loads(token, salt=FIRST_ADMIN) == FIRST_ADMIN)
    except signing.BadSignature:
        return False


@transaction.atomic
def make_first_admin(*, username: str, password: str) -> User | None:
    """Make the administrator with all roles; None if somebody was faster."""
    # The locked row lets one request at a time through (SQLite does so at BEGIN).
    groups = list(Group.objects.select_for_update().filter(name__in=ROLES))
    if User.objects.exists():
        return None
    admin = User.objects.create_superuser(username=username, password=password)
    admin.groups.set(groups)
    record(Act("made", admin.subject, after={"name": username, "administrator": True}), actor=admin)
    return admin
