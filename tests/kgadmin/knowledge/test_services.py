import pytest

from kgadmin.accounts.models import User
from kgadmin.knowledge import services
from kgadmin.knowledge.models import Document, KnowledgeBase


def add(base: KnowledgeBase, name: str = "urchins.md", content: bytes = b"# Urchins\n\nMany.") -> Document:
    return services.add_document(base=base, name=name, content=content, by=None)


@pytest.mark.engine
def test_a_slug_is_made_of_the_name_and_stays_unique(db: None) -> None:
    slugs = [services.register(name=name, by=None).slug for name in ("Reef notes", "Reef notes", "漢字")]
    assert slugs == ["reef_notes", "reef_notes_2", "base"]


def test_a_document_waits_to_be_ingested_and_the_same_name_replaces_it(reef: KnowledgeBase, operator: User) -> None:
    first = services.add_document(base=reef, name="urchins.md", content=b"Many.", by=operator)
    assert (first.state, first.kind, first.size, first.uploaded_by) == ("queued", "md", 5, operator)
    again = add(reef, "somewhere/urchins.md", content=b"Few.")
    assert (again.pk, again.version, bytes(again.content)) == (first.pk, 2, b"Few.")


def test_names_are_stripped_of_paths_and_of_what_cannot_be_stored() -> None:
    for name, cleaned in {
        "../../etc/passwd.txt": "passwd.txt",
        "C:\\notes\\a.md": "a.md",
        "a\0b\ud800.md": "a_b_.md",
        "x" * 400 + ".md": "x" * 252 + ".md",
    }.items():
        assert services.clean_name(name) == cleaned


def test_reading_again_queues_what_is_finished_all_or_one(reef: KnowledgeBase) -> None:
    for name, state in (("a.md", "done"), ("b.md", "failed"), ("c.md", "embedding")):
        document = add(reef, name)
        Document.objects.filter(pk=document.pk).update(state=state)
    services.ingest_again(base=reef, document=reef.documents.get(name="b.md"), by=None)
    assert list(reef.documents.values_list("state", flat=True)) == ["done", "queued", "embedding"]
    services.ingest_again(base=reef, by=None)
    assert list(reef.documents.values_list("state", flat=True)) == ["queued", "queued", "embedding"]
