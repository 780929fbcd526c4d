"""Pages of knowledge bases: what they show, and what an operator does there."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job, JobStoppedError
from kgadmin.knowledge import services
from kgadmin.knowledge.chunking import chunk
from kgadmin.knowledge.models import Chunk, Document, KnowledgeBase
from kgadmin.knowledge.reading.kinds import Kind
from kgadmin.knowledge.reading.reader import read
from kgadmin.rest import archives
from kgadmin.stores import wiring
from tests.kgadmin.knowledge.ingestion import paper
from tests.pages import HTMX, text_of


@pytest.fixture
def log(reef: KnowledgeBase) -> Document:
    document = services.add_document(base=reef, name="log.md", content=b"# Log", by=None)
    for index in range(30):
        Chunk.objects.create(base=reef, document=document, index=index, heading="Log", text=f"Entry {index}.", tokens=4)
    return document


@pytest.mark.engine
def test_the_list_shows_figures_and_state(operator_client: Client, log: Document) -> None:
    text = text_of(operator_client, "/knowledge/")
    assert "1 base, 1 document, 30 chunks" in text
    assert "1 not ingested" in text
    services.ingest(log.base, by=None)
    assert "Ingesting" in text_of(operator_client, "/knowledge/")
    Job.objects.update(state="done")
    Document.objects.update(state="failed")
    assert "1 failed" in text_of(operator_client, "/knowledge/")
    Document.objects.update(state="done")
    assert "Up to date" in text_of(operator_client, "/knowledge/")


def test_a_running_ingestion_is_asked_for_until_it_is_finished(operator_client: Client, log: Document) -> None:
    job = services.ingest(log.base, by=None)
    assert job.take()
    job.progress(done=8, total=30, note="Embedding log.md, 8 of 30 chunks")
    text = operator_client.get("/knowledge/reef_notes/ingestion/", headers=HTMX).content.decode()
    assert "Embedding log.md, 8 of 30 chunks" in text
    assert 'max="30" value="8"' in text
    assert 'hx-trigger="every 1s"' in text
    assert 'hx-swap-oob="true"' in text
    job.finish()
    text = operator_client.get("/knowledge/reef_notes/ingestion/", headers=HTMX).content.decode()
    assert "hx-trigger" not in text
    assert "<progress" not in text
    without_script = operator_client.get("/knowledge/reef_notes/ingestion/")
    assert without_script.headers["Location"] == "/knowledge/reef_notes/"


def test_an_ingestion_that_stopped_and_a_document_that_failed_say_why(operator_client: Client, log: Document) -> None:
    Job.objects.create(
        kind="ingest", subject="reef_notes", state="failed", error="Chroma is down.", finished_at=timezone.now()
    )
    assert "Ingestion stopped: Chroma is down." in text_of(operator_client, "/knowledge/reef_notes/")
    Document.objects.update(state="failed", error="The file is empty.")
    assert "The file is empty." in text_of(operator_client, "/knowledge/reef_notes/")
    assert "The file is empty." in text_of(operator_client, f"/knowledge/reef_notes/documents/{log.pk}/")


def test_names_and_texts_are_shown_as_they_are_never_as_markup(operator_client: Client, reef: KnowledgeBase) -> None:
    document = services.add_document(base=reef, name="<b>{{ x }}.md", content=b"text", by=None)
    Chunk.objects.create(base=reef, document=document, index=0, text="<script>alert(1)</script>{{ x }}", tokens=1)
    page = text_of(operator_client, f"/knowledge/reef_notes/documents/{document.pk}/")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;{{ x }}" in page
    assert "&lt;b&gt;{{ x }}.md" in text_of(operator_client, "/knowledge/reef_notes/")


def test_chunks_come_in_pages_and_a_chunk_leads_to_its_own(operator_client: Client, log: Document) -> None:
    path = f"/knowledge/reef_notes/documents/{log.pk}/"
    first, second = text_of(operator_client, path), text_of(operator_client, path + "?page=2")
    assert "Entry 19." in first
    assert "Entry 20." not in first
    assert "Entry 20." in second
    assert 'id="chunk-25"' in text_of(operator_client, Chunk.objects.get(index=25).get_absolute_url())
    assert "Entry 0." in text_of(operator_client, path + "?chunk=-1&page=none")
    assert f'action="{path}remove/"' in first


@pytest.fixture
def done(reef: KnowledgeBase) -> Document:
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
    clutter = dict.fromkeys(("__MACOSX/a.md", "dives/._a.md", "dives/.DS_Store"), b"# A")
    packed = archives.write(
        {"dives/a.md": b"# A", "dives/run.exe": b"MZ", "more/c.md": b"# C", "b.json": b"[1]"} | clutter
    )
    files = [file("a.md"), file("b.txt"), file("c.exe"), file("._b.txt"), SimpleUploadedFile("more.zip", packed)]
    paths = ["notes/a.md", "notes/b.txt", "notes/c.exe", "notes/._b.txt", "notes/more.zip"]
    form = {"files": files, "paths": paths}
    answer = operator_client.post("/knowledge/reef_notes/upload/", form, follow=True)
    assert answer.redirect_chain[0][0] == "/knowledge/reef_notes/#ingestion"
    page = answer.content.decode()
    assert "5 documents taken" in page
    assert page.count("This kind of file can") == 2
    assert all(f"{name}: This kind of file can" in page for name in ("notes/c.exe", "notes/more/dives/run.exe"))
    assert list(reef.documents.values_list("name", flat=True)) == [
        "notes/a.md",
        "notes/b.txt",
        "notes/more/b.json",
        "notes/more/c.md",
        "notes/more/dives/a.md",
    ]
    assert reef.documents.earliest("pk").uploaded_by == operator
    assert Job.objects.get().created_by == operator


def test_names_of_other_files_than_those_sent_are_refused(operator_client: Client, reef: KnowledgeBase) -> None:
    form = {"files": [file("a.md"), file("b.md")], "paths": ["", "one/a.md", "one/b.md"]}
    answer = operator_client.post("/knowledge/reef_notes/upload/", form)
    assert (answer.status_code, reef.documents.count()) == (422, 0)
    again = {"files": [file("a.md"), file("a.md")]}
    page = operator_client.post("/knowledge/reef_notes/upload/", again, follow=True).content.decode()
    assert "1 document taken, 1 in place of one of the same name." in page


def test_an_upload_of_which_nothing_can_be_taken_is_refused(operator_client: Client, reef: KnowledgeBase) -> None:
    nested = archives.write({"inner.zip": archives.write({"a.md": b"# A"})})
    for name, content, sentence in (
        ("c.exe", b"MZ", "c.exe: This kind of file can"),
        ("nested.zip", nested, "inner.zip: A zip in a zip isn&#x27;t read"),
        ("broken.zip", b"PK\x03\x04", "The archive is damaged"),
    ):
        answer = operator_client.post("/knowledge/reef_notes/upload/", {"files": SimpleUploadedFile(name, content)})
        assert (answer.status_code, sentence in answer.content.decode()) == (422, True), name
    assert not Document.objects.exists()


def test_no_files_or_too_many_are_refused_with_a_sentence(operator_client: Client, reef: KnowledgeBase) -> None:
    for count, sentence in ((0, "Choose one or more files"), (201, "These are 201 files")):
        files = [file(f"{number}.md") for number in range(count)]
        answer = operator_client.post("/knowledge/reef_notes/upload/", {"files": files})
        assert answer.status_code == 422
        assert sentence in answer.content.decode()
    assert not Document.objects.exists()


def test_a_document_is_read_again_and_removed_with_script_and_without(operator_client: Client, done: Document) -> None:
    other = services.add_document(base=done.base, name="other.md", content=b"# Other", by=None)
    page = operator_client.post(f"/knowledge/reef_notes/documents/{done.pk}/again/", headers=HTMX).content.decode()
    assert ('id="ingestion"' in page, "Queued" in page) == (True, True)
    answer = operator_client.post(f"/knowledge/reef_notes/documents/{done.pk}/remove/", headers=HTMX)
    assert "Remove log.md" not in answer.content.decode()
    answer = operator_client.post(f"/knowledge/reef_notes/documents/{other.pk}/remove/", follow=True)
    assert "other.md is removed." in answer.content.decode()
    assert not Document.objects.exists()


def test_documents_that_failed_are_removed_together(operator_client: Client, done: Document) -> None:
    page = text_of(operator_client, "/knowledge/reef_notes/")
    assert "Remove failed" not in page
    for name in ("a.md", "b.md"):
        services.add_document(base=done.base, name=name, content=b"# A", by=None)
    done.base.documents.exclude(pk=done.pk).update(state="failed")
    assert "2 documents couldn’t be read." in text_of(operator_client, "/knowledge/reef_notes/")
    answer = operator_client.post("/knowledge/reef_notes/documents/remove-failed/", headers=HTMX).content.decode()
    assert ("2 failed documents removed." in answer, "Remove failed" in answer) == (True, False)
    assert Document.objects.get() == done
    assert not Job.objects.exists(), "there is nothing to read"


def test_a_cancelled_ingestion_goes_on_with_what_waits_alone(operator_client: Client, done: Document) -> None:
    services.add_document(base=done.base, name="next.md", content=b"# Next", by=None)
    job = services.ingest(done.base, by=None)
    assert job.take()
    Document.objects.filter(name="next.md").update(state="embedding")
    operator_client.post(f"/jobs/{job.pk}/cancel/", {"next": "/knowledge/reef_notes/"})
    with pytest.raises(JobStoppedError):
        job.progress(done=0, total=1)
    job.stop()
    page = text_of(operator_client, "/knowledge/reef_notes/")
    assert "Cancelled. What was read stays; 1 document waits to be ingested." in page
    assert ("Queued" in page, "Embedding" in page) == (True, False)
    answer = operator_client.post("/knowledge/reef_notes/continue/", headers=HTMX).content.decode()
    assert 'hx-trigger="every 1s"' in answer
    assert Job.objects.open().exists()
    done.refresh_from_db()
    assert done.state == "done"


def test_a_base_is_deleted(operator_client: Client, done: Document) -> None:
    answer = operator_client.post("/knowledge/reef_notes/delete/", follow=True)
    assert answer.redirect_chain[0][0] == "/knowledge/"
    assert "Reef notes is deleted." in answer.content.decode()
    assert not KnowledgeBase.objects.exists()


def test_chunks_are_previewed_with_what_was_typed_and_nothing_is_saved(
    operator_client: Client, reef: KnowledgeBase
) -> None:
    path, content = "/knowledge/reef_notes/preview/", paper("urchins", sections=30)
    form = {"files": [file(content=content), file("b.md")], "chunk_tokens": "60", "overlap_tokens": "10"}
    part = " ".join(operator_client.post(path, form, headers=HTMX).content.decode().split())
    count = len(chunk(read(Kind.MARKDOWN, content).sections, count=wiring.count_tokens, max_tokens=60))
    assert f"<b>urchins.md</b>: {count} chunks" in part
    assert (part.count("<article"), "urchins &gt; Part 1" in part, "1 more file chosen" in part) == (20, True, True)
    assert f"The first 20 of {count} chunks." in part
    assert "<html" in operator_client.post(path, form | {"files": file(content=content)}).content.decode()
    packed = SimpleUploadedFile("notes.zip", archives.write({"dives/a.md": b"# A\n\nDeep."}))
    assert "<b>notes/dives/a.md</b>" in operator_client.post(path, {"files": packed}, headers=HTMX).content.decode()
    for wrong, sentence in (
        ({"files": file("c.exe", b"MZ")}, "c.exe: This kind of file can"),
        ({"files": file(), "chunk_tokens": "60", "overlap_tokens": "40"}, "by at most 29"),
        ({}, "Choose one or more files"),
    ):
        refused = operator_client.post(path, wrong)
        assert (refused.status_code, sentence in refused.content.decode()) == (422, True), wrong
    assert not Document.objects.exists()


def test_a_base_is_switched_off_and_on(operator_client: Client, reef: KnowledgeBase) -> None:
    for form, enabled, leads_to in (
        ({}, False, "/knowledge/reef_notes/"),
        ({"enabled": "on", "back": "list"}, True, "/knowledge/"),
    ):
        answer = operator_client.post("/knowledge/reef_notes/switch/", form)
        reef.refresh_from_db()
        assert reef.enabled == enabled
        assert answer.headers["Location"] == leads_to


def test_the_threshold_is_set_to_a_number_from_0_to_1(operator_client: Client, reef: KnowledgeBase) -> None:
    operator_client.post("/knowledge/reef_notes/threshold/", {"threshold": "0.46"})
    reef.refresh_from_db()
    assert reef.threshold == 0.46
    for threshold in ("1.5", "-0.1", "nan", "inf", "half"):
        answer = operator_client.post("/knowledge/reef_notes/threshold/", {"threshold": threshold})
        assert answer.status_code == 422, threshold
        assert f'value="{threshold}"' in answer.content.decode()  # what was typed
    assert KnowledgeBase.objects.get().threshold == 0.46


def test_a_threshold_that_an_operator_set_stays_and_is_stale_once_the_content_has_changed(
    operator_client: Client, reef: KnowledgeBase
) -> None:
    reef.change(measured_threshold=0.31, content="as it was")
    operator_client.post("/knowledge/reef_notes/threshold/", {"threshold": "0.46"})
    assert "Set by an operator" in operator_client.get("/knowledge/reef_notes/").content.decode()
    reef.change(measured_threshold=0.35, content="as it is")
    page = operator_client.get("/knowledge/reef_notes/").content.decode()
    assert (reef.threshold, "Set before the content" in page) == (0.46, True)
    operator_client.post("/knowledge/reef_notes/threshold/", {"threshold": ""})
    reef.refresh_from_db()
    assert (reef.threshold, reef.is_threshold_stale) == (0.35, False)
