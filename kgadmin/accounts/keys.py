"""API keys: making them, and checking requests that show one."""

import hashlib
import secrets
import time
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from kgadmin.accounts.forms import NewKey
from kgadmin.accounts.models import ApiKey, ApiKeyQuerySet, Client, SpeaksFor, User
from kgadmin.audit.services import Act, record
from kgadmin.rest.actions import Refused, first_or_404

MARK = "kg-"
"""Prefix of every key, so that a key in a log is recognised."""
SHOWN = 9
"""Characters of a key that are stored in the clear, to tell keys apart."""


class RefusedKeyError(Refused):
    """A request with a key that is refused: `code` is a word for programs."""

    def __init__(self, status: int, code: str, message: str, *, retry_after: int = 0) -> None:
        super().__init__(message, status=status, retry_after=retry_after)
        self.code = code


def client_named(name: str, *, by: User) -> Client:
    """Return the program of that name; made, and owned by `by`, if there is none."""
    return Client.objects.get_or_create(name=name, defaults={"owner": by})[0]


def clients_for(user: User) -> QuerySet[Client]:
    """Return the programs whose keys the user manages: their own, or all for an administrator."""
    return Client.objects.all() if user.is_superuser else Client.objects.filter(owner=user)


def keys_for(user: User) -> ApiKeyQuerySet:
    """Return the keys of the programs that the user manages."""
    return ApiKey.objects.filter(client__in=clients_for(user)).select_related("client__owner")


def key_for(user: User, pk: int) -> ApiKey:
    """Return a key that the user manages; 404 for any other."""
    return first_or_404(keys_for(user).filter(pk=pk), "There is no such API key. See the list of keys.")


@transaction.atomic
def create_as_asked(asked: NewKey, *, by: User) -> tuple[ApiKey, str]:
    """Create a key, for one of the user's programs or a new one; return it with its text. Raises `Refused`."""
    if not asked.scopes:
        raise Refused("Choose at least one permission for the key.")
    return create_key(
        _program(asked, by),
        scopes=asked.scopes,
        by=by,
        speaks_for=_speaks_for(asked),
        person=asked.person,
        headers=asked.headers,
        a_minute=asked.a_minute,
        expires_at=timezone.now() + timedelta(days=int(asked.expires)) if asked.expires else None,
    )


def _program(asked: NewKey, by: User) -> Client:
    if asked.client:
        client = clients_for(by).filter(pk=asked.client).first()
        if client is None:
            raise Refused("There is no such program of yours. Choose one from the list.")
        return client
    if not asked.name:
        raise Refused("Enter a name for the new program, or choose an existing one.")
    if Client.objects.filter(name=asked.name).exists():
        raise Refused("There is already a program with this name. Choose another name.")
    owner = owners_for(by).filter(pk=asked.owner or by.pk).first()
    if owner is None:
        raise Refused("You can't create keys for this account. Choose one from the list.")
    return Client.objects.create(name=asked.name, owner=owner, kind=asked.kind)


def _speaks_for(asked: NewKey) -> SpeaksFor:
    if asked.speaks_for == SpeaksFor.PERSON and not asked.person:
        raise Refused("Enter the name of the person who speaks.", field="person")
    if asked.speaks_for == SpeaksFor.HEADERS and not asked.person_header:
        raise Refused("Enter the name of the header that names the person.", field="person_header")
    return asked.speaks_for


def owners_for(user: User) -> QuerySet[User]:
    """Return the accounts as which new programs of this user may act: their own, or all for an administrator."""
    accounts = User.objects.filter(is_active=True).order_by("username")
    return accounts if user.is_superuser else accounts.filter(pk=user.pk)


@transaction.atomic
def create_key(
    client: Client,
    *,
    scopes: Collection[str],
    by: User | None,
    speaks_for: SpeaksFor = SpeaksFor.REQUEST,
    person: str = "",
    headers: Mapping[str, str] | None = None,
    a_minute: int = 60,
    expires_at: datetime | None = None,
) -> tuple[ApiKey, str]:
    """Create a key; return it with its text, which is shown only now. `scopes` are of `SCOPES`."""
    text = MARK + secrets.token_urlsafe(32)
    key = ApiKey.objects.create(
        client=client,
        prefix=text[:SHOWN],
        digest=_digest(text),
        scopes=sorted(scopes),
        speaks_for=speaks_for,
        person=person if speaks_for == SpeaksFor.PERSON else "",
        headers=dict(headers or {}) if speaks_for == SpeaksFor.HEADERS else {},
        a_minute=a_minute,
        expires_at=expires_at,
    )
    after = {"program": client.name, "account": client.owner.username, "scopes": key.scopes}
    record(Act("made", key.subject, after=after), actor=by)
    return key, text


@transaction.atomic
def revoke(key: ApiKey, *, by: User | None) -> None:
    """End the key at once; a revoked key stays as it is."""
    if ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=timezone.now()):
        record(Act("revoked", key.subject), actor=by)


def use(text: str, scope: str) -> ApiKey:
    """Count a use of the key and return it. Raises `RefusedKeyError` for a key that is unknown, revoked, expired,
    over its rate limit, without `scope`, or whose owner may not sign in.
    """
    key = ApiKey.objects.filter(digest=_digest(text)).select_related("client__owner").first()
    if key is None or key.revoked_at is not None or not key.client.owner.may_sign_in:
        raise RefusedKeyError(401, "invalid_api_key", "This API key is unknown or was revoked. Create a new one.")
    if key.expires_at is not None and key.expires_at <= timezone.now():
        raise RefusedKeyError(
            401, "expired_api_key", f"This API key expired on {key.expires_at:%d %B %Y}. Create a new one."
        )
    if scope not in key.scopes:
        raise RefusedKeyError(403, "missing_scope", f"This API key lacks the scope “{scope}”. Create one that has it.")
    _count(key)
    return key


def _count(key: ApiKey) -> None:
    """Count a request in this minute, by one conditional statement, so that no two processes exceed the limit."""
    now = time.time()
    minute = int(now // 60)
    rows = ApiKey.objects.filter(pk=key.pk)
    used_at = timezone.now()
    if rows.filter(~Q(minute=minute)).update(minute=minute, used=1, last_used_at=used_at):
        return
    if rows.filter(minute=minute, used__lt=F("a_minute")).update(used=F("used") + 1, last_used_at=used_at):
        return
    wait = max(1, round((minute + 1) * 60 - now))
    raise RefusedKeyError(
        429,
        "rate_limit_exceeded",
        f"This API key has reached its limit of {key.a_minute} requests per minute. Try again in {wait} seconds.",
        retry_after=wait,
    )


def _digest(text: str) -> str:
    # Keys are long and random, so one fast hash is enough: there is nothing to guess.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
