import pytest
from django.test import Client
from django.utils import timezone

from kgadmin.jobs.models import Job
from kgadmin.knowledge import services
from kgadmin.knowledge.models import Chunk, Document, KnowledgeBase
from tests.kgadmin.knowledge.ingestion import finish, paper
from tests.kgadmin.stores.exact_index import ExactIndex

HTMX = {"HX-Request": "true"}


@pytest.fixture
def log(reef: KnowledgeBase) -> Document:
    document = services.add_document(base=reef, name="log.md", content=b"# Log", by=None)
    for index in range(30):
        Chunk.objects.create(base=reef, document=document, index=index, heading="Log", text=f"Entry {index}.", tokens=4)
    return document


def text_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


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


def test_a_search_shows_hits_and_folds_what_is_below_the_threshold(hashed: ExactIndex, operator_client: Client) -> None:
    base = services.register(name="Reef notes", by=None)
    services.add_document(base=base, name="paper.md", content=paper("urchins", 3), by=None)
    finish(base)
    chunk = base.chunks.get(index=1)
    question = f"paper > {chunk.heading}\n{chunk.text}"
    answer = operator_client.get("/knowledge/reef_notes/", {"q": question})
    result = answer.context["search"]
    assert [hit.chunk for hit in result.hits] == [chunk]
    assert len(result.below) == 2
    page = "".join(answer.content.decode().split())
    assert "--value:1.00;--threshold:0.40" in page
    assert "2belowthethreshold" in page
