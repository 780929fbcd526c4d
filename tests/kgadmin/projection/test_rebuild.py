"""`manage.py rebuild`: what it says it would do, what it does, and that no interruption loses anything."""

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from characters.conversations.models import Message
from characters.domain.topics import IDLE
from kgadmin.jobs import runner
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.models import Chunk, KnowledgeBase
from kgadmin.projection import services
from kgadmin.projection.comparison import Difference
from kgadmin.projection.models import Lease
from kgadmin.stores import wiring
from kgadmin.stores.chroma import Connection
from kgadmin.stores.errors import StoreError
from tests.characters.memory import people
from tests.characters.profiles import sheets
from tests.kgadmin.knowledge.ingestion import HashEmbedder, paper
from tests.kgadmin.projection.shelf import Shelf

if TYPE_CHECKING:
    from chromadb import Collection
from characters.conversations.models import Person
from characters.profiles.models import Character
from kgadmin.stores.graph import Graph
from tests import stack
from tests.fixtures.talk import Lead, register_predicates
from tests.servers import GraphServer, VectorServer


def test_a_store_is_emptied_by_all_before_anybody_marks(shelf: type[Shelf]) -> None:
    services.rebuild("graph")
    assert services.waiting() == ["graph", "a", "b", "c"]
    services.sweep()
    assert shelf.calls == ["drop graph", "note graph"]
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
        patch.setattr(Shelf, "note_all", killed)
        with pytest.raises(KeyboardInterrupt):
            services.sweep()
    assert services.waiting_stores() == ["vectors"]
    Lease.objects.update(held_until=None)
    services.sweep()
    assert shelf.calls == ["drop vectors", "drop vectors", "note vectors"]


def rebuild(*arguments: str) -> list[str]:
    """The lines that it says."""
    out = StringIO()
    call_command("rebuild", *arguments, stdout=out)
    return out.getvalue().splitlines()


def test_what_the_workers_shall_do_waits_for_them(shelf: type[Shelf]) -> None:
    assert rebuild("graph", "vectors", "--later") == []
    assert (shelf.calls, services.waiting_stores()) == ([], ["graph", "vectors"])


def test_an_engine_that_is_down_ends_with_a_sentence_and_the_rest_is_done_later(
    shelf: type[Shelf], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kgadmin.projection.management.commands.rebuild.MAX_FAILURES", 1)
    shelf.refused["b"] = StoreError("The graph is down.")
    with pytest.raises(CommandError, match="b: The graph is down") as caught:
        rebuild("graph")
    assert caught.value.returncode == 2
    assert services.waiting() == ["b"]
    shelf.refused.clear()
    assert rebuild("graph")[-1] == "Done: the graph from nothing, as the database says."


def test_a_store_that_cannot_be_compared_or_still_differs_is_no_good_end(shelf: type[Shelf]) -> None:
    for left, sentence in (
        (Difference("a", "books", "3", "2"), "1 differences are left"),
        (StoreError("The graph is down."), "The graph is down"),
    ):
        shelf.differences[:] = [left]
        with pytest.raises(CommandError, match=sentence):
            rebuild("graph")


@pytest.fixture
def populated(transactional_db: None, wired: None, monkeypatch: pytest.MonkeyPatch) -> KnowledgeBase:
    """A sheet, a person and a base, in graph and vectors."""
    embedder = HashEmbedder()
    monkeypatch.setattr(wiring, "embedder", lambda: embedder)
    people.world(people.person(), sheets.character())
    base = knowledge.register(name="Reef", by=None)
    knowledge.add_document(base=base, name="reef.md", content=paper("reef"), by=None)
    runner.run(knowledge.ingest(base, by=None).pk)
    services.sweep()
    assert services.waiting() == []
    assert services.drift() == []
    return base


def test_a_graph_is_the_same_from_nothing_whether_it_had_drifted_or_not(populated: KnowledgeBase) -> None:
    before = [(each.kind, each.stored) for each in services.compare("graph")]
    *kinds, last = rebuild("graph")
    assert [(each.kind, each.stored) for each in services.compare("graph")] == before
    assert last == "Done: the graph from nothing, as the database says."
    assert len(kinds) == len([kind for kind, digest in before if digest.count])
    wiring.graph().write("MATCH (n) DETACH DELETE n")
    assert rebuild("graph")[:-1] == kinds
    assert services.drift() == []
    assert len(wiring.graph().scan("MATCH (m:Message) RETURN m.id AS id")) == Message.objects.count()


def test_emptied_vectors_are_filled_again_without_embedding_them(
    populated: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in wiring.vectors().collections():
        wiring.vectors().drop(name)
    embedded: list[str] = []
    embed = HashEmbedder.embed

    def listening(embedder: HashEmbedder, texts: Sequence[str]) -> Any:
        embedded.extend(texts)
        return embed(embedder, texts)

    monkeypatch.setattr(HashEmbedder, "embed", listening)
    rebuild("vectors")
    assert set(embedded) <= set(IDLE)  # with which a base is compared, not what it holds
    assert services.drift() == []
    populated.refresh_from_db()
    chunks = {str(pk) for pk in Chunk.objects.values_list("pk", flat=True)}
    assert {row.id for row in wiring.vectors().rows(populated.collection)} == chunks
    assert wiring.vectors().collections() == [populated.collection]


def chroma_of(name: str) -> "Collection":
    """A collection as any client of the server sees it."""
    return Connection(settings.CONFIG.vectors_url, 5).client().get_collection(name)


def test_texts_beside_the_vectors_go_with_a_rebuild(populated: KnowledgeBase) -> None:
    collection = chroma_of(populated.collection)
    rows = collection.get(include=["embeddings"])
    texts = ["An anemone."] * len(rows["ids"])
    collection.update(rows["ids"], rows["embeddings"], [{"heading": text} for text in texts], texts)
    services.rebuild("vectors")  # as an upgrade asks
    services.sweep()
    services.sweep()
    for name in wiring.vectors().collections():
        rows = chroma_of(name).get()
        assert not any(rows["documents"] or [])
        assert {key for metadata in rows["metadatas"] or [] for key in metadata or {}} == set()
    assert (services.waiting(), services.drift()) == ([], [])


@pytest.fixture
def waiting(
    transactional_db: None, wire: Lead, graph_server: GraphServer, vector_server: VectorServer
) -> tuple[Character, Person]:
    """A character and a person that nobody has projected, and engines that are empty."""
    register_predicates()
    wire(graph_server, vector_server)
    return sheets.character("ann", ("LIKES", "rain")), people.person()


def test_every_index_is_made_before_anything_is_written_and_what_is_written_is_found_by_its_owner(
    waiting: tuple[Character, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    verbs: list[str] = []
    write = Graph.write_all

    def listening(graph: Graph, statements: Sequence[tuple[str, Any]]) -> Any:
        verbs.extend(cypher.split()[0] for cypher, _ in statements)
        return write(graph, statements)

    monkeypatch.setattr(Graph, "write_all", listening)
    owners = {owner: projector for projector in services.projectors() for owner in projector.waiting()}
    for first in (each.graph_id for each in waiting):
        verbs.clear()
        stack.forget_engines()  # as in a process that has written nothing yet
        assert services.project(owners[first], first)
        made = [place for place, verb in enumerate(verbs) if verb == "CREATE"]
        assert made, first
        assert made == list(range(len(made))), first
    rows = wiring.graph().read("MATCH (e:Entity {owner: $owner}) RETURN e.id AS id", owner=waiting[0].graph_id)
    assert len(rows) == 1
    assert services.drift() == []
