"""`manage.py rebuild`: what it says it would do, what it does, and that no interruption loses anything."""

from collections.abc import Sequence
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from characters.conversations.models import Message, Person
from characters.domain.words import idle
from characters.profiles.models import Character
from kgadmin.jobs import runner
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.models import Chunk, KnowledgeBase
from kgadmin.projection import services
from kgadmin.projection.models import Lease, Tombstone
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from kgadmin.stores.graph import Graph
from tests.characters.memory import people
from tests.characters.profiles import sheets
from tests.kgadmin.knowledge.ingesting import HashEmbedder, paper
from tests.kgadmin.projection.shelf import Shelf


def test_a_store_is_emptied_by_all_before_anybody_marks(shelf: type[Shelf]) -> None:
    services.rebuild("graph")
    assert services.waiting() == ["graph", "a", "b", "c"]
    services.sweep()
    assert shelf.calls == ["drop graph", "mark graph"]
    assert shelf.written == ["a", "b", "c"]
    assert services.waiting() == []


def test_a_store_that_is_down_keeps_the_wish(shelf: type[Shelf]) -> None:
    shelf.refused["graph"] = StoreError("The graph is down.")
    services.rebuild("graph")
    services.sweep()
    assert services.waiting_stores() == ["graph"]
    assert Lease.objects.get(owner="graph").error == "The graph is down."
    shelf.refused.clear()
    Lease.objects.update(retry_at=None)
    services.sweep()
    assert services.waiting() == []


def test_a_rebuild_that_was_interrupted_begins_again(shelf: type[Shelf], monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(self: Shelf, store: str) -> None:
        raise KeyboardInterrupt

    services.rebuild("vectors")
    with monkeypatch.context() as patch:
        patch.setattr(Shelf, "mark_all", killed)
        with pytest.raises(KeyboardInterrupt):
            services.sweep()
    assert services.waiting_stores() == ["vectors"]
    Lease.objects.update(held_until=None)
    services.sweep()
    assert shelf.calls == ["drop vectors", "drop vectors", "mark vectors"]


def test_a_rebuild_that_one_worker_does_is_left_to_it(shelf: type[Shelf]) -> None:
    services.rebuild("graph")
    Lease.take("graph")
    services.sweep()
    assert shelf.calls == []


@pytest.fixture
def populated(
    transactional_db: None, wired: None, monkeypatch: pytest.MonkeyPatch
) -> tuple[Character, Person, KnowledgeBase]:
    """A sheet, a person and a base, in graph and vectors."""
    embedder = HashEmbedder()
    monkeypatch.setattr(wiring, "embedder", lambda: embedder)
    ann, mark = sheets.character(), people.person()
    people.world(mark, ann)
    base = knowledge.register(name="Reef", by=None)
    knowledge.add_document(base=base, name="reef.md", content=paper("reef"), by=None)
    runner.run(knowledge.ingest(base, by=None).pk)
    services.sweep()
    assert services.waiting() == []
    assert services.drift() == []
    base.refresh_from_db()
    return ann, mark, base


Populated = tuple[Character, Person, KnowledgeBase]


def rebuild(*arguments: str) -> str:
    out = StringIO()
    call_command("rebuild", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("store", services.STORES)
def test_a_store_that_had_not_drifted_is_the_same_afterwards(populated: Populated, store: services.Store) -> None:
    before = [(each.kind, each.found) for each in services.compare(store)]
    told = rebuild(store)
    assert [(each.kind, each.found) for each in services.compare(store)] == before
    assert services.drift() == []
    lines = told.splitlines()
    assert lines[-1] == f"Done: the {store} from nothing, as the database says."
    assert all(line.endswith("unchanged") for line in lines[:-1])
    assert len(lines) == 1 + len([kind for kind, digest in before if digest.count])


def test_an_emptied_graph_is_filled_again(populated: Populated) -> None:
    wiring.graph().write("MATCH (n) DETACH DELETE n")
    told = rebuild("graph")
    assert services.drift() == []
    assert "changed" in told
    assert len(wiring.graph().scan("MATCH (m:Message) RETURN m.id AS id")) == Message.objects.count()


def test_emptied_vectors_are_filled_again_without_embedding_them(
    populated: Populated, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = populated[2]
    for name in wiring.vectors().collections():
        wiring.vectors().drop(name)
    embedded: list[str] = []
    embed = HashEmbedder.embed

    def listening(embedder: HashEmbedder, texts: Sequence[str]) -> Any:
        embedded.extend(texts)
        return embed(embedder, texts)

    monkeypatch.setattr(HashEmbedder, "embed", listening)
    rebuild("vectors")
    assert set(embedded) <= set(idle.TEXTS)  # with which a base is compared, not what it holds
    assert services.drift() == []
    base.refresh_from_db()
    assert wiring.vectors().ids(base.collection) == {str(pk) for pk in Chunk.objects.values_list("pk", flat=True)}
    assert wiring.vectors().collections() == [base.collection, "messages"]


@pytest.mark.parametrize("store", services.STORES)
def test_a_dry_run_says_what_it_would_do_and_does_nothing(populated: Populated, store: services.Store) -> None:
    told = rebuild(store, "--dry-run")
    kind = "messages" if store == "graph" else "vectors of messages"
    assert f"Would delete 24 {kind}, and write 24." in told.splitlines()
    assert told.splitlines()[-1] == "Nothing was changed."
    assert not Tombstone.objects.exists()
    assert services.waiting() == []


def test_an_engine_that_is_down_ends_with_a_sentence_and_the_rest_is_done_later(
    populated: Populated, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(self: Graph, statements: object) -> None:
        raise StoreError("The graph is down.")

    monkeypatch.setattr("kgadmin.projection.management.commands.rebuild.MAX_FAILURES", 1)
    with monkeypatch.context() as patch:
        patch.setattr(Graph, "write_all", down)
        with pytest.raises(CommandError, match="The graph is down") as caught:
            rebuild("graph")
    assert caught.value.returncode == 2
    assert services.waiting()
    Lease.objects.update(retry_at=None)
    while services.waiting():
        services.sweep()
        Lease.objects.update(retry_at=None)
    assert services.drift() == []


def test_a_store_that_does_not_exist_is_refused() -> None:
    with pytest.raises(CommandError, match="invalid choice"):
        rebuild("files")
