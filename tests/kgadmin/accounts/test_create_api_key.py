"""`manage.py create_api_key`, as whoever writes a script runs it."""

from datetime import timedelta
from io import StringIO

from django.core.management import call_command
from django.utils import timezone

from kgadmin.accounts.keys import use
from kgadmin.accounts.models import SCOPES, ApiKey, User


def made(*arguments: str) -> ApiKey:
    """The key of the last line."""
    out = StringIO()
    call_command("create_api_key", *arguments, stdout=out, stderr=StringIO())
    text = out.getvalue().splitlines()[-1]
    return use(text, ApiKey.objects.latest("pk").scopes[0])


def test_a_key_has_every_scope_and_no_end_unless_told(tester: User) -> None:
    key = made("tester")
    assert key.scopes == sorted(SCOPES)
    assert (key.client.name, key.client.owner, key.remembers, key.expires_at) == (
        "tester's programs",
        tester,
        True,
        None,
    )
    told = made("tester", "--client", "A bot", "--scope", "read", "--days", "3", "--per-minute", "7", "--no-memory")
    assert (told.client.name, told.scopes, told.a_minute, told.remembers) == ("A bot", ["read"], 7, False)
    assert told.expires_at is not None
    assert timedelta(days=2) < told.expires_at - timezone.now() <= timedelta(days=3)
