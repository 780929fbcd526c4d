"""People and knowledge bases for the benchmark: texts of common words, vectors of chance or near to known ones."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import TypeVar

import numpy as np
from django.utils import timezone

from characters.conversations.models import Acquaintance, Conversation, Memory, Message, Person
from characters.domain.entities import key
from characters.memory import message_index
from characters.memory.models import Entity, Mention, Similarity, UserFact
from characters.memory.projection import rows, statements
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.config import ROOT
from kgadmin.knowledge import base_index, ingest
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.models import Chunk, Document, KnowledgeBase
from kgadmin.projection.models import Change
from kgadmin.stores import wiring
from kgadmin.stores.embedder import Vectors
from kgadmin.stores.values import VectorRow

CONVERSATIONS = 10
PREDICATES = ("LIKES", "OWNS", "INTERESTED_IN", "DISLIKES", "PLAYS")
GRAPH_ROWS = 250
"""The embedded server ends a statement after 1.5 s."""

# The projector merges these, since it may write them twice; in empty stores they are simply made.
LINK_MESSAGES = """
MATCH (u:User {id: $person})
UNWIND $ids AS id
MATCH (m:Message {id: id})
CREATE (u)-[:SAID {character: $character}]->(m)
"""

Item = TypeVar("Item")

COMMON = (ROOT / "characters/domain/words/common.txt").read_text().splitlines()
WORDS = [word for word in COMMON if word.isalpha() and 4 <= len(word) <= 9]


@dataclass(frozen=True)
class Size:
    """How much is remembered of one person."""

    messages: int
    facts: int
    edges: int = 0
    """From each message to entities that it names, and between messages."""


def add_person(number: int, size: Size, character: Character, by: User) -> Person:
    """A person with everything in the database and in the graph; nothing waits."""
    chance = random.Random(number)
    person = Person.objects.create(namespace="import", outside_id=str(number), name=f"Person {number}")
    _add_facts(person, size.facts, character, chance)
    messages = _add_messages(person, size.messages, character, by, chance)
    mentions, similarities = _add_edges(person, size.edges, messages, chance)
    acquaintance = Acquaintance.objects.create(person=person, character=character, places=size.messages)
    message_index.renew(acquaintance)
    _project(person, messages)
    _project_edges(mentions, similarities)
    Change.objects.filter(owner=person.graph_id).delete()
    return person


def sentence(chance: random.Random, length: int = 12) -> str:
    """A message of common words."""
    return " ".join(chance.choice(WORDS) for _ in range(length))


def _add_facts(person: Person, count: int, character: Character, chance: random.Random) -> None:
    names = dict.fromkeys(f"{chance.choice(WORDS)} {chance.choice(WORDS)}" for _ in range(count))
    entities = Entity.objects.bulk_create(
        Entity(person=person, key=key(name), name=name, kind="topic") for name in names
    )
    now = timezone.now()
    UserFact.objects.bulk_create(
        UserFact(
            person=person,
            character=character,
            predicate=chance.choice(PREDICATES),
            object=entity,
            text=entity.name,
            confidence=0.9,
            origin="pattern",
            mentions=chance.randint(1, 9),
            first_seen=now - timedelta(days=400),
            last_seen=now - timedelta(days=chance.randint(0, 90)),
            vector=_vector(chance),
            embedder=wiring.embedder().id,
        )
        for entity in entities
    )


def _add_messages(
    person: Person, count: int, character: Character, by: User, chance: random.Random
) -> Sequence[Message]:
    conversations = [
        Conversation.objects.create(person=person, character=character, owner=by) for _ in range(CONVERSATIONS)
    ]
    now = timezone.now()
    return Message.objects.bulk_create(
        (
            Message(
                conversation=conversations[place * CONVERSATIONS // count],
                role=Message.Role.USER,
                text=sentence(chance),
                at=now - timedelta(hours=count - place),
                place=place + 1,
                memory=Memory.QUOTABLE,
                facts_read_at=now,
                vector=_vector(chance),
                embedder=wiring.embedder().id,
            )
            for place in range(count)
        ),
        batch_size=1_000,
    )


def _add_edges(
    person: Person, count: int, messages: Sequence[Message], chance: random.Random
) -> tuple[Sequence[Mention], Sequence[Similarity]]:
    """Two thirds of them mentions, one third similarities."""
    entities = list(person.entities.values_list("pk", flat=True))
    named = {(message.pk, chance.choice(entities)) for _ in range(2) for message in messages[: count // 3]}
    mentions = Mention.objects.bulk_create(
        (Mention(message_id=message, entity_id=entity) for message, entity in sorted(named)), batch_size=1_000
    )
    pairs = pairwise(messages[: count // 3 + 1])
    similarities = Similarity.objects.bulk_create(
        (Similarity(person=person, earlier=one, later=other, score=chance.random()) for one, other in pairs),
        batch_size=1_000,
    )
    return mentions, similarities


def _vector(chance: random.Random) -> bytes:
    vector = np.random.default_rng(chance.getrandbits(32)).standard_normal(384).astype(np.float32)
    return bytes((vector / np.linalg.norm(vector)).tobytes())


def _project(person: Person, messages: Sequence[Message]) -> None:
    """With the projector's own statements, in larger batches."""
    graph = wiring.graph()
    graph.write(statements.WRITE_USER, **rows.user(person))
    for batch in _batches(list(person.entities.all())):
        graph.write(statements.WRITE_ENTITIES, rows=[rows.entity(entity) for entity in batch])
    for facts in _batches(list(person.facts.select_related("subject", "object"))):
        graph.write(statements.CREATE_FACTS_OF_USER, rows=[rows.fact(fact) for fact in facts])
    for remembered in _batches(messages):
        values = [rows.message(message) for message in remembered]
        ids, character = [value["id"] for value in values], values[0]["character"]
        graph.write(statements.WRITE_MESSAGES, rows=values)
        graph.write(LINK_MESSAGES, person=person.graph_id, ids=ids, character=character)


def _project_edges(mentions: Sequence[Mention], similarities: Sequence[Similarity]) -> None:
    graph = wiring.graph()
    for named in _batches(mentions):
        ends = [{"start": f"message:{each.message_id}", "end": f"entity:{each.entity_id}"} for each in named]
        graph.write(statements.CREATE_MENTIONS, rows=ends)
    for near in _batches(similarities):
        graph.write(statements.CREATE_SIMILAR, rows=[rows.similarity(each) for each in near])


def _batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    return (items[start : start + GRAPH_ROWS] for start in range(0, len(items), GRAPH_ROWS))


CHUNKS_A_DOCUMENT = 100
SUBJECTS = 60
"""Sentences of each base that a message may ask about."""
NEARNESS = 0.6
"""About the cosine of a chunk and the sentence it lies around: the threshold of a base is 0.40."""
WRITE_BATCH = 500


def add_bases(count: int, chunks: int, chance: random.Random) -> list[str]:
    """Fill so many bases, and give the sentences by which their chunks are found."""
    sentences: list[str] = []
    for number in range(count):
        subjects = [sentence(chance, 8) for _ in range(SUBJECTS)]
        _add_base(f"base_{number}", subjects, chunks, chance)
        sentences += subjects
    return sentences


def _add_base(slug: str, subjects: Sequence[str], count: int, chance: random.Random) -> None:
    embedder = wiring.embedder()
    base = knowledge.register(slug=slug, name=slug, by=None)
    base.change(embedder=embedder.id, for_everyone=True)
    around = embedder.embed(subjects)
    chunks = _chunks(base, count, chance)
    for chunk in chunks:
        chunk.vector = _near(around[chance.randrange(len(subjects))], chance).tobytes()
    Chunk.objects.bulk_create(chunks, batch_size=WRITE_BATCH)
    rows = [VectorRow(str(chunk.pk), chunk.values.tolist()) for chunk in chunks]
    for start in range(0, len(rows), WRITE_BATCH):
        wiring.vectors().upsert(base.collection, rows[start : start + WRITE_BATCH])
    ingest.measure(base, embedder)
    base_index.write(base)


def _chunks(base: KnowledgeBase, count: int, chance: random.Random) -> list[Chunk]:
    made: list[Chunk] = []
    for number in range(count // CHUNKS_A_DOCUMENT):
        document = Document.objects.create(
            base=base, name=f"{number}.md", kind="md", size=1, sha256="", content=b"", state=Document.State.DONE
        )
        made += [
            Chunk(base=base, document=document, index=index, text=sentence(chance, 60), tokens=80)
            for index in range(CHUNKS_A_DOCUMENT)
        ]
    return made


def _near(vector: Vectors, chance: random.Random) -> Vectors:
    noise = np.random.default_rng(chance.getrandbits(32)).standard_normal(len(vector)).astype(np.float32)
    mixed: Vectors = NEARNESS * vector + (1 - NEARNESS**2) ** 0.5 * noise / np.linalg.norm(noise)
    return (mixed / np.linalg.norm(mixed)).astype(np.float32)
