"""What one store is asked to do, and how long it took, in ms."""

import random
import time

from django.db import transaction

from characters.conversations import services as conversations
from characters.conversations.models import Acquaintance, Conversation, Message, Person, Turn
from characters.memory.enrichment import first_pass
from characters.memory.projection import PersonProjector
from characters.profiles import services as profiles
from characters.profiles.projection import SheetProjector
from characters.talk import requests
from characters.talk.readers import live_readers, warm_up
from characters.talk.recorder import TurnRecorder
from characters.turn.assemble import assemble
from kgadmin.accounts.models import User
from kgadmin.stores import wiring
from tests import invented
from tests.bench.filling import sentence

Times = dict[str, list[float]]

NAMED = 2
"""Known entities that a measured message names."""


class Bench:
    """One character, one person who talks, and everybody else in the stores."""

    def __init__(self) -> None:
        self.user = User.objects.create_user("bench")
        self.character = profiles.create_character(slug="tomasz", sheet=invented.TOMASZ, by=None)
        wiring.embedder().warm()
        warm_up()
        SheetProjector().project(self.character.graph_id)
        TurnRecorder.strict = True

    def begin(self, person: Person, chance: random.Random) -> None:
        """Let `person` talk; what a process reads only once is read."""
        self.person, self.chance = person, chance
        self.names = list(person.entities.order_by("pk").values_list("name", flat=True)[:500])
        self.conversation = Conversation.objects.create(
            person=person, character=self.character, owner=self.user, title="bench"
        )
        self.answer("turns", 10)

    def answer(self, what: str, count: int) -> Times:
        """`count` of what `WORK` names; the times of each part in ms."""
        return WORK[what](self, count)

    def _turns(self, count: int) -> Times:
        """Whole turns, each with a new message; by stage."""
        found: Times = {}
        for _ in range(count):
            text = " and ".join([*self.chance.sample(self.names, NAMED), sentence(self.chance, 8)])
            turn = self._said(f"How about {text}?")
            recorder = TurnRecorder()
            assemble(requests.request_for(turn), live_readers(), recorder)
            for stage in recorder.stages:
                found.setdefault(stage.name, []).append(stage.elapsed_ms)
            found.setdefault("turn", []).append(recorder.elapsed_ms)
        return found

    def _projections(self, count: int) -> Times:
        """What follows a turn: the projector writes the new message, its embedding included and apart."""
        found: Times = {"project": [], "embed": []}
        PersonProjector().project(self.person.graph_id)
        for _ in range(count):
            turn = self._said(sentence(self.chance))
            began = time.perf_counter()
            wiring.embedder().embed([turn.message.text])
            embedded = time.perf_counter()
            PersonProjector().project(self.person.graph_id)
            found["embed"].append((embedded - began) * 1000)
            found["project"].append((time.perf_counter() - embedded) * 1000)
        return found

    def _first_passes(self, count: int) -> Times:
        """The first pass over `count` messages that nobody embedded, and one embedding of the same texts."""
        person = Person.objects.create(namespace="import", outside_id=f"new {self.chance.random()}", name="New")
        conversation = Conversation.objects.create(person=person, character=self.character, owner=self.user)
        texts = [sentence(self.chance, self.chance.randint(4, 24)) for _ in range(count)]
        Acquaintance.objects.create(person=person, character=self.character, places=count)
        Message.objects.bulk_create(
            Message(conversation=conversation, role=Message.Role.USER, text=text, place=place)
            for place, text in enumerate(texts, start=1)
        )
        began = time.perf_counter()
        first_pass.link(person, self.character.pk, anchors=5, floor=0.3, say=lambda done, total: None)
        linked = time.perf_counter()
        wiring.embedder().embed(texts)
        return {"link": [(linked - began) * 1000], "embed": [(time.perf_counter() - linked) * 1000]}

    def _said(self, text: str) -> Turn:
        """A turn whose message is remembered; the conversation stays short, as the history does."""
        with transaction.atomic():
            message = Message.objects.create(conversation=self.conversation, role=Message.Role.USER, text=text)
            turn = Turn.objects.create(message=message, key=f"bench-{message.pk}")
            conversations.remember(conversation=self.conversation, messages=[message])
        return turn


WORK = {"turns": Bench._turns, "projections": Bench._projections, "first_pass": Bench._first_passes}
