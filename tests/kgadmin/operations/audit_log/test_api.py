"""The audit log through the API."""

import pytest
from django.test import Client

from kgadmin.accounts.models import User
from kgadmin.audit.services import Act, record
from tests.characters.profiles import sheets
from tests.rest import get

pytestmark = pytest.mark.django_db


def test_entries_are_listed_newest_first_and_filtered(operator_client: Client, operator: User) -> None:
    sheets.character("ann", ("HAS_FATHER", "Built boats"))
    record(Act("rejected", "proposal:7", reason="led", note="He asked."), actor=operator, batch="b")
    found = get(operator_client, "/audit")
    assert [(row["verb"], row["who"]) for row in found["items"]] == [("rejected", "operator"), ("published", "kgadmin")]
    assert found["items"][0]["reason"] == "Put in her mouth"
    for query, verbs in {
        "?character=ann": ["published"],
        "?q=asked": ["rejected"],
        "?batch=b&subject=proposal:7": ["rejected"],
        "?limit=1&offset=1": ["published"],
    }.items():
        assert [row["verb"] for row in get(operator_client, f"/audit{query}")["items"]] == verbs, query
