"""Knowledge bases and their documents through the API."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from kgadmin.knowledge import services
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


def test_failed_documents_are_removed_chunks_previewed_and_a_base_deleted(
    operator_client: Client, reef: KnowledgeBase
) -> None:
    for name in ("a.md", "b.md", "c.md"):
        services.add_document(base=reef, name=name, content=b"# A", by=None)
    reef.documents.exclude(name="c.md").update(state="failed")
    assert call(operator_client, "DELETE", "/knowledge-bases/reef_notes/documents/failed").body == {"removed": 2}
    assert reef.documents.get().name == "c.md"
    assert call(operator_client, "POST", "/knowledge-bases/reef_notes/continue").body["subject"] == "reef_notes"

    path, sent = "/api/knowledge-bases/reef_notes/preview", {"chunk_tokens": "60", "overlap_tokens": "10"}
    answer = operator_client.post(path, sent | {"file": SimpleUploadedFile("log.md", paper("corals", sections=3))})
    shown = answer.json()
    assert (shown["name"], shown["count"], len(shown["chunks"])) == ("log.md", 6, 6)
    assert shown["chunks"][0]["heading"] == "corals > Part 0"
    refused = operator_client.post(path, {"file": SimpleUploadedFile("b.exe", b"MZ")})
    assert (refused.status_code, "b.exe: This kind of file" in refused.json()["detail"]) == (422, True)

    assert call(operator_client, "DELETE", "/knowledge-bases/reef_notes").status == 204
    assert call(operator_client, "DELETE", "/knowledge-bases/reef_notes").status == 404
