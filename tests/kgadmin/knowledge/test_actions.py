import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from kgadmin.knowledge import services
from kgadmin.knowledge.models import Document, KnowledgeBase

HTMX = {"HX-Request": "true"}


@pytest.fixture
def reef(db: None) -> KnowledgeBase:
    return services.register(name="Reef notes", by=None)


@pytest.fixture
def log(reef: KnowledgeBase) -> Document:
    services.add_document(base=reef, name="log.md", content=b"# Log", by=None)
    Document.objects.update(state="done")
    return Document.objects.get()


def file(name: str = "urchins.md", content: bytes = b"Many.") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


ACTIONS = [
    "reef_notes/upload/",
    "reef_notes/again/",
    "reef_notes/switch/",
    "reef_notes/threshold/",
    "reef_notes/documents/{pk}/again/",
    "reef_notes/documents/{pk}/remove/",
]


@pytest.mark.parametrize("path", ["register-a-base/", *ACTIONS])
@pytest.mark.parametrize("people", ["author", "tester", "outsider"])
def test_only_operators_change_bases(request: pytest.FixtureRequest, log: Document, path: str, people: str) -> None:
    client: Client = request.getfixturevalue(f"{people}_client")
    assert client.post(f"/knowledge/{path.format(pk=log.pk)}").status_code == 403


@pytest.mark.parametrize("path", ACTIONS)
def test_changes_are_posted(operator_client: Client, log: Document, path: str) -> None:
    assert operator_client.get(f"/knowledge/{path.format(pk=log.pk)}").status_code == 405


@pytest.mark.parametrize("path", ACTIONS)
def test_what_is_not_there_cannot_be_changed(operator_client: Client, path: str) -> None:
    assert operator_client.post(f"/knowledge/{path.format(pk=1)}").status_code == 404


def test_a_base_is_registered(operator_client: Client, operator: User) -> None:
    assert operator_client.get("/knowledge/register-a-base/").status_code == 200
    form = {"name": "Reef notes", "description": "Surveys", "provenance": "verified"}
    answer = operator_client.post("/knowledge/register-a-base/", form)
    assert answer.headers["Location"] == "/knowledge/reef_notes/"
    base = KnowledgeBase.objects.get()
    assert (base.name, base.provenance, base.created_by) == ("Reef notes", "verified", operator)


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 101])
def test_a_base_needs_a_proper_name(operator_client: Client, name: str) -> None:
    answer = operator_client.post("/knowledge/register-a-base/", {"name": name, "provenance": "curated"})
    assert answer.status_code == 400
    assert answer.context["form"].errors["name"]
    assert not KnowledgeBase.objects.exists()


def test_uploaded_files_become_documents_and_are_ingested(
    operator_client: Client, operator: User, reef: KnowledgeBase
) -> None:
    files = [file("a.md"), file("b.txt"), file("c.exe")]
    answer = operator_client.post("/knowledge/reef_notes/upload/", {"files": files})
    assert answer.headers["Location"] == "/knowledge/reef_notes/#ingestion"
    assert list(reef.documents.values_list("name", flat=True)) == ["a.md", "b.txt", "c.exe"]
    assert reef.documents.earliest("pk").uploaded_by == operator
    assert Job.objects.get().created_by == operator


def test_a_file_too_large_gets_its_row_without_its_content(operator_client: Client, reef: KnowledgeBase) -> None:
    operator_client.post("/knowledge/reef_notes/upload/", {"files": [file("large.txt", b"x" * 10_000_001)]})
    document = Document.objects.get()
    assert (document.size, document.content) == (10_000_001, b"")


@pytest.mark.parametrize(("count", "sentence"), [(0, "Choose one or more files"), (201, "These are 201 files")])
def test_no_files_or_too_many_are_refused_with_a_sentence(
    operator_client: Client, reef: KnowledgeBase, count: int, sentence: str
) -> None:
    answer = operator_client.post("/knowledge/reef_notes/upload/", {"files": [file(f"{n}.md") for n in range(count)]})
    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert not Document.objects.exists()


def test_all_documents_are_read_again(operator_client: Client, log: Document) -> None:
    answer = operator_client.post("/knowledge/reef_notes/again/")
    assert answer.headers["Location"] == "/knowledge/reef_notes/#ingestion"
    log.refresh_from_db()
    assert log.state == "queued"
    assert Job.objects.open().count() == 1


def test_one_document_is_read_again(operator_client: Client, log: Document) -> None:
    answer = operator_client.post(f"/knowledge/reef_notes/documents/{log.pk}/again/", headers=HTMX)
    assert 'id="ingestion"' in answer.content.decode()
    assert "Queued" in answer.content.decode()


def test_a_document_is_removed(operator_client: Client, log: Document) -> None:
    answer = operator_client.post(f"/knowledge/reef_notes/documents/{log.pk}/remove/", headers=HTMX)
    assert "log.md" not in answer.content.decode()
    assert not Document.objects.exists()


def test_removing_without_script_leads_back_to_the_base(operator_client: Client, log: Document) -> None:
    answer = operator_client.post(f"/knowledge/reef_notes/documents/{log.pk}/remove/", follow=True)
    assert "log.md is removed." in answer.content.decode()


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


def test_the_threshold_is_set(operator_client: Client, reef: KnowledgeBase) -> None:
    operator_client.post("/knowledge/reef_notes/threshold/", {"threshold": "0.46"})
    before = reef.version
    reef.refresh_from_db()
    assert reef.threshold == 0.46
    assert reef.version > before


@pytest.mark.parametrize("threshold", ["", "1.5", "-0.1", "nan", "inf", "half"])
def test_a_threshold_is_a_number_from_0_to_1(operator_client: Client, reef: KnowledgeBase, threshold: str) -> None:
    answer = operator_client.post("/knowledge/reef_notes/threshold/", {"threshold": threshold})
    assert answer.status_code == 400
    assert answer.context["threshold_form"].errors["threshold"]
    assert KnowledgeBase.objects.get().threshold == 0.40
