"""Whatever is done to what a person is remembered by, the graph says the same afterwards: services in any order."""

import random
from collections.abc import Callable
from datetime import timedelta
from itertools import combinations

import pytest

from characters.conversations import services as conversations
from characters.conversations.models import Message, Person
from characters.memory import entities, erasure, facts
from characters.memory.enrichment import first_pass
from characters.memory.models import Entity, Relation, Similarity, UserFact
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.projection import services as projecting
from kgadmin.rest.actions import Refused
from tests.characters.memory import people
from tests.characters.profiles import sheets

STEPS = 60


class Day:
    """One person's rows, and everything that services do to them."""

    def __init__(self, person: Person, characters: list[Character], choose: random.Random) -> None:
        self.person, self.characters, self.choose = person, characters, choose
        self.conversations = [people.conversation(person, each) for each in characters]
        self.hours = 0

    def one_step(self) -> None:
        steps: tuple[Callable[[], object], ...] = (
            self.talks, self.talks, self.learns, self.learns, self.corrects, self.forgets_fact, self.renames,
            self.merges, self.relates, self.decides, self.links, self.withdraws, self.comes_back,
            self.forgets_conversation, self.is_renamed, projecting.sweep,
        )  # fmt: skip
        self.choose.choice(steps)()

    def any(self, model: type) -> "list[object]":
        """One of the person's rows, or none."""
        rows = list(model.objects.filter(person=self.person).order_by("pk"))  # type: ignore[attr-defined]
        return [self.choose.choice(rows)] if rows else []

    def messages(self, *, remembered: bool) -> list[Message]:
        rows = Message.objects.filter(conversation__person=self.person, place__isnull=not remembered, role="user")
        return list(rows.order_by("pk").select_related("conversation__person", "conversation__character"))

    def talks(self) -> None:
        self.hours += 1
        where = self.choose.choice(self.conversations)
        message = people.message(
            where, f"It is {self.hours}.", answer="So it is.", at=people.BEGIN + timedelta(hours=self.hours)
        )
        known = list(Entity.objects.filter(person=self.person).order_by("pk"))
        people.mentions(message, *self.choose.sample(known, k=min(len(known), self.choose.randint(0, 3))))

    def learns(self) -> None:
        facts.add(
            person=self.person,
            character=self.choose.choice(self.characters),
            predicate=self.choose.choice(["LIKES", "DISLIKES", "LIVES_IN", "HAS_PET"]),
            text=self.choose.choice(["tea", "Oslo", "rain", "Luna", "chess", "the sea"]),
            by=None,
        )

    def corrects(self) -> None:
        for fact in UserFact.objects.filter(pk__in=[each.pk for each in self.any(UserFact)]):  # type: ignore[attr-defined]
            facts.correct(fact=fact, text=self.choose.choice(["Rome", "a cat", "snow"]), by=None)

    def forgets_fact(self) -> None:
        for fact in self.any(UserFact):
            facts.forget(fact=fact, by=None)  # type: ignore[arg-type]

    def renames(self) -> None:
        for entity in self.any(Entity):
            entities.rename(entity=entity, name=f"name {self.choose.randint(1, 99)}", by=None)  # type: ignore[arg-type]

    def merges(self) -> None:
        for into, other in zip(self.any(Entity), self.any(Entity), strict=True):
            entities.merge(into=into, other=other, by=None)  # type: ignore[arg-type]

    def _pair(self) -> list[Message]:
        where = self.choose.choice(self.conversations)
        remembered = [each for each in self.messages(remembered=True) if each.conversation_id == where.pk]
        chosen = self.choose.sample(remembered, k=2) if len(remembered) > 1 else []
        return sorted(chosen, key=lambda each: each.pk)

    def relates(self) -> None:
        pair = self._pair()
        if pair and not Relation.objects.filter(earlier=pair[0], later=pair[1]).exists():
            people.relation(pair[0], pair[1], self.choose.choice(people.CLASS_NAMES))

    def decides(self) -> None:
        for relation in self.any(Relation):
            by, _ = User.objects.get_or_create(username="somebody")
            status = self.choose.choice([Relation.Status.RELABELLED, Relation.Status.REJECTED])
            relation.decide(relation=self.choose.choice(people.CLASS_NAMES), status=status, by=by)  # type: ignore[attr-defined]

    def links(self) -> None:
        """Similarities come, change and go."""
        where = self.choose.choice(self.conversations)
        rows = Message.objects.of(self.person.pk, where.character_id).filter(role="user")
        pairs = list(combinations(rows.order_by("pk").values_list("pk", flat=True), 2))
        chosen = self.choose.sample(pairs, k=min(len(pairs), 4))
        scores = {pair: round(self.choose.random(), 3) for pair in chosen}
        first_pass._write(self.person, where.character_id, scores)

    def withdraws(self) -> None:
        for message in self.messages(remembered=True)[:1]:
            pair = [message.pk, *message.children.values_list("pk", flat=True)]
            erasure.withdraw(message.conversation, pair)

    def comes_back(self) -> None:
        for message in self.messages(remembered=False)[:1]:
            conversations.enqueue_for_memory(
                conversation=message.conversation, messages=[message, *message.children.all()]
            )

    def forgets_conversation(self) -> None:
        place = self.choose.randrange(len(self.conversations))
        erasure.forget_conversation(self.conversations[place], by=None)
        self.conversations[place] = people.conversation(self.person, self.characters[place])

    def is_renamed(self) -> None:
        self.person.rename(f"Mark {self.choose.randint(1, 99)}")


@pytest.mark.parametrize("seed", range(4))
def test_the_graph_follows_whatever_is_done_in_whatever_order(seed: int, mark: Person, ann: Character) -> None:
    choose = random.Random(seed)
    day = Day(mark, [ann, sheets.character("bo")], choose)
    for _ in range(STEPS):
        try:
            day.one_step()
        except Refused:
            continue  # not every order makes sense
    projecting.sweep()
    assert projecting.waiting() == []
    assert projecting.drift() == []
    counts = {each.kind: each.stored.count for each in projecting.compare("graph")}
    assert counts["people"] == 1
    assert Similarity.objects.exists() or Relation.objects.exists() or UserFact.objects.exists()
    erasure.forget_person(mark, by=None)
    projecting.sweep()
    assert (projecting.waiting(), projecting.drift()) == ([], [])
