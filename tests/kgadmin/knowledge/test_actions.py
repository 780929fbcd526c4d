import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from kgadmin.knowledge import services
from kgadmin.knowledge.models import Document, KnowledgeBase

HTMX = {"HX-Request": "true"}


@pytest.fixture
def log(reef: KnowledgeBase) -> Document:
    services.add_document(base=reef, name="log.md", content=b"# Log", by=None)
    Document.objects.update(state="done")
    return Document.objects.get()


def file(name: str = "urchins.md", content: bytes = b"Many.") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def test_a_base_is_registered(operator_client: Client, operator: User) -> None:
    refused = operator_client.post("/knowledge/register-a-base/", {"name": "", "description": "Surveys"})
    assert (refused.status_code, 'value="Surveys"' in refused.content.decode()) == (422, True)
    form = {"name": "Reef notes", "description": "Surveys", "provenance": "verified"}
    answer = operator_client.post("/knowledge/register-a-base/", form)
    assert answer.headers["Location"] == "/knowledge/reef_notes/"
    base = KnowledgeBase.objects.get()
    assert (base.name, base.provenance, base.created_by) == ("Reef notes", "verified", operator)


def test_uploaded_files_become_documents_and_are_ingested(
    operator_client: Client, operator: User, reef: KnowledgeBase
) -> None:
    files = [file("a.md"), file("b.txt"), file("c.exe")]
    answer = operator_client.post("/knowledge/reef_notes/upload/", {"files": files})
    assert answer.headers["Location"] == "/knowledge/reef_notes/#ingestion"
    assert list(reef.documents.values_list("name", flat=True)) == ["a.md", "b.txt", "c.exe"]
    assert reef.documents.earliest("pk").uploaded_by == operator
    assert Job.objects.get().created_by == operator


def test_no_files_or_too_many_are_refused_with_a_sentence(operator_client: Client, reef: KnowledgeBase) -> None:
    for count, sentence in ((0, "Choose one or more files"), (201, "These are 201 files")):
        files = [file(f"{number}.md") for number in range(count)]
        answer = operator_client.post("/knowledge/reef_notes/upload/", {"files": files})
        assert answer.status_code == 422
        assert sentence in answer.content.decode()
    assert not Document.objects.exists()


def test_a_document_is_read_again_and_removed_with_script_and_without(operator_client: Client, log: Document) -> None:
    other = services.add_document(base=log.base, name="other.md", content=b"# Other", by=None)
    page = operator_client.post(f"/knowledge/reef_notes/documents/{log.pk}/again/", headers=HTMX).content.decode()
    assert ('id="ingestion"' in page, "Queued" in page) == (True, True)
    answer = operator_client.post(f"/knowledge/reef_notes/documents/{log.pk}/remove/", headers=HTMX)
    assert "Remove log.md" not in answer.content.decode()
    answer = operator_client.post(f"/knowledge/reef_notes/documents/{other.pk}/remove/", follow=True)
    assert "other.md is removed." in answer.content.decode()
    assert not Document.objects.exists()


def test_a_base_is_switched_off_and_on(operator_client: Client, reef: KnowledgeBase) -> None:
    for form, enabled, leads_to in (
        ({}, False, "/knowledge/reef_notes/"),
        ({"enabled": "on", "back": "list"}, True, "/knowledge/"),
    ):
        version = reef.version
        answer = operator_client.post("/knowledge/reef_notes/switch/", form)
        reef.refresh_from_db()
        assert reef.enabled == enabled
        assert reef.version > version
        assert answer.headers["Location"] == leads_to


def test_the_threshold_is_set_to_a_number_from_0_to_1(operator_client: Client, reef: KnowledgeBase) -> None:
    operator_client.post("/knowledge/reef_notes/threshold/", {"threshold": "0.46"})
    before = reef.version
    reef.refresh_from_db()
    assert reef.threshold == 0.46
    assert reef.version > before
    for threshold in ("", "1.5", "-0.1", "nan", "inf", "half"):
        answer = operator_client.post("/knowledge/reef_notes/threshold/", {"threshold": threshold})
        assert answer.status_code == 422, threshold
        assert f'value="{threshold or 0.46}"' in answer.content.decode()  # what was typed
    assert KnowledgeBase.objects.get().threshold == 0.46
