"""What a filled store is asked to do, and how long that took, in ms."""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache, partial
from itertools import pairwise

import numpy as np
from asgiref.sync import sync_to_async
from django.db import transaction
from django.test import Client
from django.utils import timezone

from characters.conversations import services as conversations
from characters.conversations.models import Conversation, Message, Person, Stage, Turn, TurnMetrics
from characters.memory import readers as memory
from characters.memory.models import Mention
from characters.memory.projection import PersonProjector
from characters.profiles import services as profiles
from characters.profiles.models import Character
from characters.profiles.projection import SheetProjector
from characters.review.models import Proposal
from characters.talk import say
from characters.talk.recorder import TurnRecorder
from characters.talk.requests import live_readers, warm_up
from characters.turn.request import Readers, Vectors
from characters.turn.trace import BUDGETS_MS
from kgadmin.accounts.models import User
from kgadmin.asgi import spare_the_collector
from kgadmin.knowledge import ingest
from kgadmin.knowledge import readers as knowledge
from kgadmin.knowledge import services as bases
from kgadmin.knowledge.models import Chunk
from kgadmin.stores import wiring
from kgadmin.stores.language_model import ChatRequest, LanguageModel, Usage
from kgadmin.stores.offline import OfflineResponder
from tests import invented
from tests.bench.figures import times, took
from tests.bench.people import sentence

Times = dict[str, list[float]]

TURNS_A_CONVERSATION = 20
NAMED = 2
"""Known entities that a measured message names."""


class Waiting(OfflineResponder):
    """A language model that answers at once, and notes when it was asked."""

    at = 0.0

    async def stream(self, request: ChatRequest, usage: Usage) -> AsyncGenerator[str, None]:
        self.at = time.perf_counter()
        yield "I see."


class Bench:
    """One character, one person who talks, and everybody else in the stores."""

    def __init__(self) -> None:
        self.user = User.objects.create_user("bench")
        self.character = profiles.create_character(slug="tomasz", sheet=invented.TOMASZ, by=None)
        wiring.embedder().warm()
        assert not wiring.embedder().note, wiring.embedder().note
        warm_up()
        SheetProjector().project(self.character.graph_id)
        TurnRecorder.strict = True

    def begin(self, person: Person, subjects: Sequence[str], chance: random.Random, talk: int) -> None:
        """Let `person` talk, also of the `subjects` of the bases, in a conversation that had `talk` messages; what a
        process reads only once is read.
        """
        self.person, self.subjects, self.chance = person, subjects, chance
        self.embedded: list[str] = []
        self.names = list(person.entities.order_by("pk").values_list("name", flat=True)[:500])
        self.turn_count, self.model, self.is_long = 0, Waiting(), bool(talk)
        self.conversation = self._conversation()
        if talk:
            add_talk(self.conversation, talk)
        setattr(say, "live_readers", self._readers)  # noqa: B010  # imported there
        wiring.language_model = cache(self._model)
        self.answer("turns", 10)
        spare_the_collector()

    def answer(self, what: str, count: int) -> Times:
        """`count` of what `WORK` names; the times of each part in ms."""
        return WORK[what](self, count)

    def _turns(self, count: int) -> Times:
        """Whole turns, each with a new message; by stage."""
        times: Times = {}
        for _ in range(count):
            self._turn(times)
        return times

    def _firsts(self, count: int) -> Times:
        """Whole turns of a process that has read nothing of the person and of the bases yet; models stay loaded."""
        times: Times = {}
        for _ in range(count):
            memory.forget_all()
            knowledge._CALIBRATED.clear()
            wiring.index_files()._open.clear()
            self._turn(times)
        return times

    def _ingestions(self, count: int) -> Times:
        """The ingestion of so many documents in one new base, and the embedding of its chunks alone."""
        base = bases.register(name=f"Ingested {self.chance.random()}", by=None)
        for number in range(count):
            parts = (f"## Part {part}\n\n{sentence(self.chance, 90)}." for part in range(100))
            text = "\n\n".join((f"# Document {number}", *parts)).encode()
            bases.add_document(base=base, name=f"{number}.md", content=text, by=None)
        job = bases.ingest(base, by=None)
        assert job.take()
        elapsed = took(lambda: ingest.run(job))
        texts = [ingest.embedded_text(chunk.document.name, chunk) for chunk in base.chunks.select_related("document")]
        texts.sort(key=len)
        batches = [texts[start : start + ingest.EMBED_BATCH] for start in range(0, len(texts), ingest.EMBED_BATCH)]
        bare = took(lambda: [wiring.embedder().compute(batch) for batch in batches])
        return {"ingest": [elapsed], "bare": [bare], "chunks": [float(len(texts))]}

    def _turn(self, times: Times) -> None:
        if not self.is_long and self.turn_count % TURNS_A_CONVERSATION == 0:
            self.conversation = self._conversation()
        self.turn_count += 1
        turn, took = asyncio.run(self._answered(self._words()))
        for name, elapsed in Stage.objects.filter(turn=turn).exclude(name="reply").values_list("name", "elapsed_ms"):
            times.setdefault(name, []).append(elapsed)
        stages = sum(values[-1] for name, values in times.items() if name in BUDGETS_MS)
        times.setdefault("outside of stages", []).append(took - stages)
        times.setdefault("turn", []).append(took)

    async def _answered(self, text: str) -> tuple[Turn, float]:
        """Say `text` as the playground does; the time until the language model is asked."""
        began = time.perf_counter()
        turn, _ = await sync_to_async(conversations.start_turn)(conversation=self.conversation, text=text)
        await say.start(turn.pk)
        return turn, (self.model.at - began) * 1000

    def _model(self) -> LanguageModel:
        return self.model

    def _conversation(self) -> Conversation:
        return Conversation.objects.create(person=self.person, character=self.character, owner=self.user)

    def _words(self) -> str:
        """A new message, which names what is known, and asks about a base where there is one."""
        about = self.chance.choice(self.subjects) if self.subjects else sentence(self.chance, 8)
        named = " and ".join([*self.chance.sample(self.names, NAMED), about])
        return f"How about {named}?"

    def _readers(self) -> Readers:
        """The live ones, which note what the turn embeds."""

        def embed(texts: Sequence[str]) -> Vectors:
            self.embedded = list(texts)
            return wiring.embedder().embed(texts)

        return replace(live_readers(), embed=embed)

    def _floors(self, count: int) -> Times:
        """Beside each turn what no turn can do without: one embedding of its texts, the exact cosine of them with all
        chunks and messages, one round trip to the graph."""
        times: Times = {"floor": []}
        vectors = self._everything()

        def floor() -> None:
            embedded = wiring.embedder().compute(list(dict.fromkeys(self.embedded)))  # past what it remembers
            np.argsort(-(vectors @ embedded.T), axis=0)[:10]
            wiring.graph().read("RETURN 1 AS one")

        for _ in range(count):
            self._turn(times)
            times["floor"].append(took(floor))
        return times

    def _pages(self, count: int) -> Times:
        """Visits of pages by an administrator, with 100,000 turns and 10,000 proposals stored."""
        admin = User.objects.filter(is_superuser=True).first()
        if admin is None:
            admin = User.objects.create_superuser("admin")
            add_turns(self.person, self.character, self.user)
            add_proposals(self.character)
        return page_times(admin, count)

    def _everything(self) -> Vectors:
        """Shape (chunks + messages, dimensions)."""
        rows = [*Chunk.objects.values_list("vector", flat=True)]
        rows += Message.objects.filter(conversation__person=self.person, vector__isnull=False).values_list(
            "vector", flat=True
        )
        return np.frombuffer(b"".join(bytes(row or b"") for row in rows), dtype=np.float32).reshape(len(rows), -1)

    def _projections(self, count: int) -> Times:
        """What follows a turn: the projector writes the new message, which names two entities; embedding it apart."""
        times: Times = {"project": [], "embed": []}
        PersonProjector().project(self.person.graph_id)
        for _ in range(count):
            message = self._remembered(sentence(self.chance)).message
            named = self.person.entities.filter(name__in=self.chance.sample(self.names, NAMED))
            Mention.objects.bulk_create(Mention(message=message, entity=each) for each in named)
            times["embed"].append(took(partial(wiring.embedder().embed, [message.text])))
            times["project"].append(took(partial(PersonProjector().project, self.person.graph_id)))
        return times

    def _remembered(self, text: str) -> Turn:
        """A turn whose message is remembered."""
        with transaction.atomic():
            message = Message.objects.create(conversation=self._conversation(), role=Message.Role.USER, text=text)
            turn = Turn.objects.create(message=message, key=f"bench-{message.pk}")
            conversations.enqueue_for_memory(conversation=message.conversation, messages=[message])
        return turn


WORK = {
    "ingestions": Bench._ingestions,
    "turns": Bench._turns,
    "firsts": Bench._firsts,
    "floor": Bench._floors,
    "projections": Bench._projections,
    "pages": Bench._pages,
}


def add_talk(conversation: Conversation, count: int) -> None:
    """So many messages in one line, the last of them with its turn."""
    chance = random.Random(5)
    messages = Message.objects.bulk_create(
        (
            Message(conversation=conversation, role=("user", "assistant")[number % 2], text=sentence(chance))
            for number in range(count)
        ),
        batch_size=BATCH,
    )
    _chain(messages)
    Turn.objects.create(message=messages[-2], reply=messages[-1], key="long", state=Turn.State.DONE, assembled_ms=1.0)


CONVERSATIONS, TURNS, PROPOSALS = 2_000, 50, 10_000
BATCH = 1_000


def add_proposals(character: Character) -> None:
    """10,000 statements of the character about itself that wait for an operator."""
    chance = random.Random(4)
    things = {sentence(chance, 2): chance.random() for _ in range(PROPOSALS + 500)}
    Proposal.objects.bulk_create(
        (
            Proposal(character=character, predicate="LIKES", object=thing, meaning=f"LIKES {thing}", priority=priority)
            for thing, priority in list(things.items())[:PROPOSALS]
        ),
        batch_size=BATCH,
    )


def add_turns(person: Person, character: Character, by: User) -> None:
    """100,000 answered turns of the last month, each with its stages."""
    chance, now = random.Random(3), timezone.now()
    for number in range(CONVERSATIONS):
        conversation = Conversation.objects.create(person=person, character=character, owner=by, title=f"No. {number}")
        asked = Message.objects.bulk_create(
            Message(conversation=conversation, role=Message.Role.USER, text=sentence(chance)) for _ in range(TURNS)
        )
        turns = Turn.objects.bulk_create(
            Turn(
                message=message,
                key=f"page-{message.pk}",
                state=Turn.State.DONE,
                text=sentence(chance, 40),
                assembled_ms=chance.uniform(20, 90),
                created_at=now - timedelta(minutes=21 * (CONVERSATIONS - number)) + timedelta(seconds=place),
            )
            for place, message in enumerate(asked)
        )
        _chain(asked)
        Stage.objects.bulk_create(
            (_stage(turn, place, name, chance) for turn in turns for place, name in enumerate(BUDGETS_MS)),
            batch_size=BATCH,
        )
        TurnMetrics.objects.bulk_create(
            TurnMetrics(turn=turn, hour=int(turn.created_at.timestamp()) // 3600, knew=True, ambient=1)
            for turn in turns
        )


def _chain(messages: list[Message]) -> None:
    for before, message in pairwise(messages):
        message.parent = before
    Message.objects.bulk_update(messages, ["parent"], batch_size=BATCH)


def _stage(turn: Turn, place: int, name: str, chance: random.Random) -> Stage:
    return Stage(
        turn=turn, position=place, name=name, status="ok", started_ms=0.0, elapsed_ms=chance.uniform(0, 20), evidence={}
    )


def page_times(user: User, count: int) -> dict[str, list[float]]:
    """Milliseconds of so many visits of each page."""
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(user)
    turn = Turn.objects.filter(key__startswith="page-").last()
    assert turn is not None
    paths = {
        "playground": "/playground/",
        "a conversation of 50 turns": f"/playground/conversations/{turn.conversation.pk}/",
        "a turn": f"/playground/turns/{turn.pk}/",
        "dashboard": "/dashboard/",
        "dashboard of 30 days": "/dashboard/?period=30d",
        "people": "/people/",
        "a person": f"/people/{turn.conversation.person_id}/",
        "review": "/review/",
        "decisions": "/review/decisions/",
        "characters": "/characters/",
        "knowledge": "/knowledge/",
        "a base": "/knowledge/base_0/",
        "audit log": "/audit/",
        "health": "/health/",
    }
    for path in paths.values():
        assert client.get(path, follow=True).status_code == 200, path
    return {name: times(partial(client.get, path, follow=True), count) for name, path in paths.items()}
