"""`manage.py create_api_key`, as whoever writes a script runs it."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from kgadmin.accounts.keys import client_named, use
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


def test_what_does_not_fit_makes_no_key(tester: User, operator: User) -> None:
    client_named("A bot", by=operator)
    for arguments, sentence in (
        (["nobody"], "There is no account “nobody”"),
        (["tester", "--days", "-1"], "--days takes 0 or more"),
        (["tester", "--per-minute", "0"], "--per-minute 1 or more"),
        (["tester", "--client", "A bot"], "belongs to another account"),
    ):
        with pytest.raises(CommandError, match=sentence):
            call_command("create_api_key", *arguments)
    assert not ApiKey.objects.exists()
