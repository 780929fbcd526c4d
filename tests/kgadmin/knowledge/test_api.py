"""Knowledge bases and their documents through the API."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from kgadmin.knowledge.models import KnowledgeBase
from tests.kgadmin.knowledge.ingestion import finish, paper
from tests.kgadmin.stores.exact_index import ExactIndex
from tests.rest import call, get


def test_a_base_is_registered_set_filled_and_searched(hashed: ExactIndex, operator_client: Client) -> None:
    made = call(operator_client, "POST", "/knowledge-bases", {"name": "Tide tables", "provenance": "verified"})
    assert (made.status, made.body["slug"], made.body["provenance"]) == (201, "tide_tables", "verified")
    changed = call(operator_client, "PATCH", "/knowledge-bases/tide_tables", {"threshold": 0.5, "enabled": False})
    assert (changed.body["threshold"], changed.body["enabled"]) == (0.5, False)
    assert changed.body["version"] == made.body["version"], "its content is the same"
    assert get(operator_client, "/knowledge-bases")["items"] == [changed.body]

    files = [SimpleUploadedFile("log.md", paper("corals", sections=3)), SimpleUploadedFile("b.exe", b"MZ")]
    answer = operator_client.post("/api/knowledge-bases/tide_tables/documents", {"files": files})
    assert (answer.status_code, [each["state"] for each in answer.json()["documents"]]) == (202, ["queued"])
    assert [each["name"] for each in answer.json()["refused"]] == ["b.exe"]
    assert (answer.json()["job"]["kind"], answer.json()["job"]["subject"]) == ("ingest", "tide_tables")
    listed = get(operator_client, "/knowledge-bases/tide_tables/documents")
    assert {each["name"] for each in listed["items"]} == {"log.md"}

    finish(KnowledgeBase.objects.get())
