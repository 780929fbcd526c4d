"""The audit log through the API."""

import pytest
from django.test import Client

from kgadmin.accounts import keys
from kgadmin.accounts.models import Client as Program
from kgadmin.accounts.models import User
from kgadmin.audit.services import Act, record
from tests.characters.profiles import sheets
from tests.rest import call, get, with_key

pytestmark = pytest.mark.django_db


def test_entries_are_listed_newest_first_and_filtered(operator_client: Client, operator: User) -> None:
    sheets.character("ann", ("HAS_FATHER", "Built boats"))
    record(Act("rejected", "proposal:7", reason="led", note="He asked."), actor=operator, batch="b")
    found = get(operator_client, "/audit")
    assert [(row["verb"], row["who"]) for row in found["items"]] == [("rejected", "operator"), ("published", "kgadmin")]
    assert found["items"][0]["reason"] == "Put in her mouth"
    for query, verbs in {
        "?character=ann": ["published"],
        "?character=bo": [],
        "?who=kgadmin": ["published"],
        "?q=asked": ["rejected"],
        "?batch=b&subject=proposal:7": ["rejected"],
        "?last_day=2020-01-01": [],
        "?limit=1&offset=1": ["published"],
    }.items():
        assert [row["verb"] for row in get(operator_client, f"/audit{query}")["items"]] == verbs, query


def test_only_operators_read_it_by_session_or_key(
    author_client: Client, operator_client: Client, operator: User
) -> None:
    assert call(author_client, "GET", "/audit").status == 403
    assert call(Client(), "GET", "/audit").status == 401
    assert call(operator_client, "POST", "/audit").status == 405
    assert call(operator_client, "GET", "/audit?first_day=soon").status == 422
    program = Program.objects.create(name="a bot", owner=operator)
    reader, writer = (with_key(keys.create_key(program, scopes=[scope])[1]) for scope in ("read", "write"))
    assert get(reader, "/audit")["total"] == 0
    assert call(writer, "GET", "/audit").status == 403
