"""Limits on attempts to sign in; counted before the password is checked, so that parallel attempts count."""

import ipaddress
from datetime import timedelta
from unicodedata import normalize

from django.db import transaction
from django.db.models import F
from django.forms import Form
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from kgadmin.accounts.models import SignInAttempts
from kgadmin.rest.actions import Refused

WINDOW = timedelta(minutes=15)
IPV6_NETWORK = 64
"""Bits of an IPv6 address that belong to one customer."""


def passes(name: str, request: HttpRequest, form: Form) -> bool:
    """Return whether the form with this account's password is valid. Raises `Refused` after too many attempts."""
    attempt = {"name": name, "address": request.META.get("REMOTE_ADDR") or ""}
    count(**attempt)
    if form.is_valid():
        forgive(**attempt)
    return form.is_valid()


def count(*, name: str, address: str) -> None:
    """Count an attempt. Raises `Refused` if it is one too many; then the password isn't checked."""
    SignInAttempts.objects.filter(since__lte=timezone.now() - WINDOW).delete()
    for subject, most in _limits(name, address).items():
        _count(subject, most)


def forgive(*, name: str, address: str) -> None:
    """Reset the counters of the name after a successful attempt, and decrement the address's."""
    both, by_address, by_name = map(_digest, _limits(name, address))
    SignInAttempts.objects.filter(subject__in=[both, by_name]).delete()
    SignInAttempts.objects.filter(subject=by_address, count__gt=0).update(count=F("count") - 1)


def _limits(name: str, address: str) -> dict[str, int]:
    """Return the counters that an attempt adds to, with their limits within `WINDOW`."""
    name = normalize("NFKC", name.strip()).casefold()  # spellings that name the same account share a counter
    network = _network(address)
    return {f"both {network} {name}": 5, f"address {network}": 50, f"name {name}": 100}


@transaction.atomic
def _count(subject: str, most: int) -> None:
    row, _ = SignInAttempts.objects.get_or_create(subject=_digest(subject))
    if not SignInAttempts.objects.filter(pk=row.pk, count__lt=most).update(count=F("count") + 1):
        wait = max(1, round((row.since + WINDOW - timezone.now()).total_seconds()))
        minutes = max(1, round(wait / 60))
        sentence = f"Too many attempts. Try again in {minutes} minute{'s' * (minutes > 1)}."
        raise Refused(sentence, status=429, retry_after=wait)


def _network(address: str) -> str:
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:  # a local (Unix) socket has no IP address
        return address
    return str(ipaddress.ip_network((ip, IPV6_NETWORK), strict=False)) if ip.version == 6 else str(ip)


def _digest(subject: str) -> str:
    # Somebody may have typed their password as the name.
    return salted_hmac(
        "kgadmin.accounts.throttle", subject.encode("utf-8", "surrogatepass"), algorithm="sha256"
    ).hexdigest()
