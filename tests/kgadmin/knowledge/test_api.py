"""Knowledge bases and their documents through the API."""

from urllib.parse import urlencode

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from kgadmin.knowledge import services
from kgadmin.knowledge.ingest import embedded_text
from kgadmin.knowledge.models import KnowledgeBase
from tests.kgadmin.knowledge.ingestion import finish, paper
from tests.kgadmin.stores.exact_index import ExactIndex
from tests.rest import Answer, call, get


def upload(client: Client, *files: tuple[str, bytes]) -> Answer:
    sent = {"files": [SimpleUploadedFile(name, content) for name, content in files]}
    answer = client.post("/api/knowledge-bases/reef_notes/documents", sent)
    return Answer(answer.status_code, answer.json())


def test_a_base_is_registered_and_set(operator_client: Client, db: None) -> None:
    made = call(operator_client, "POST", "/knowledge-bases", {"name": "Tide tables", "provenance": "verified"})
    assert (made.status, made.body["slug"], made.body["provenance"]) == (201, "tide_tables", "verified")
    changed = call(operator_client, "PATCH", "/knowledge-bases/tide_tables", {"threshold": 0.5, "enabled": False})
    assert (changed.body["threshold"], changed.body["enabled"]) == (0.5, False)
    assert changed.body["version"] == made.body["version"] + 1
    assert get(operator_client, "/knowledge-bases/tide_tables") == changed.body
    assert get(operator_client, "/knowledge-bases")["items"] == [changed.body]


def test_documents_are_uploaded_and_a_job_is_started(operator_client: Client, reef: KnowledgeBase) -> None:
    answer = upload(operator_client, ("a.md", b"# A\n\nCorals bleach."), ("b.exe", b"MZ"))
    assert (answer.status, [each["state"] for each in answer.body["documents"]]) == (202, ["queued", "queued"])
    assert (answer.body["job"]["kind"], answer.body["job"]["subject"]) == ("ingest", "reef_notes")
    listed = get(operator_client, "/knowledge-bases/reef_notes/documents")
    assert {each["name"] for each in listed["items"]} == {"a.md", "b.exe"}


def test_search_tells_hits_from_near_misses(hashed: ExactIndex, tester_client: Client, reef: KnowledgeBase) -> None:
    services.add_document(base=reef, name="log.md", content=paper("corals", sections=3), by=None)
    finish(reef)
    chunk = reef.chunks.earliest("index")
    asked = urlencode({"q": embedded_text("log.md", chunk)})
    answer = get(tester_client, f"/knowledge-bases/reef_notes/search?{asked}")
    assert (answer["hits"][0]["name"], answer["hits"][0]["text"]) == ("log.md", chunk.text)
    assert all(each["similarity"] < 0.4 for each in answer["below"])
