import numpy as np

from characters.conversations.models import Memory, Message
from characters.memory.enrichment import first_pass
from characters.memory.models import Similarity
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from tests.characters.memory.enrichment.chats import SIZE, YOGA, messages, person


def quiet(done: int, total: int) -> None:
    """Nobody watches."""


def link(character: Character, anchors: int = 5, floor: float = 0.45) -> int:
    return first_pass.link(person(), character.pk, anchors=anchors, floor=floor, say=quiet)


def pairs() -> set[tuple[int, int]]:
    return set(Similarity.objects.values_list("earlier", "later"))


def test_messages_that_are_near_are_linked_the_earlier_one_first(elena: Character, by: User) -> None:
    first, second, third = messages(YOGA, to=elena, by=person(), owner=by)
    assert link(elena) == 3
    assert pairs() == {(first.pk, second.pk), (first.pk, third.pk), (second.pk, third.pk)}


def test_what_was_said_to_another_character_or_by_another_person_is_apart(
    elena: Character, dotty: Character, by: User
) -> None:
    mine = messages(YOGA[:2], to=elena, by=person(), owner=by)
    messages(YOGA, to=dotty, by=person(), owner=by)
    messages(YOGA, to=elena, by=person("Noor", "noor"), owner=by)
    link(elena)
    assert pairs() == {(mine[0].pk, mine[1].pk)}


def test_replies_and_what_is_not_remembered_are_left_out(elena: Character, by: User) -> None:
    _, second, third = messages(YOGA, to=elena, by=person(), owner=by)
    Message.objects.filter(pk=second.pk).update(role="assistant")
    Message.objects.filter(pk=third.pk).become(Memory.NONE, place=None)
    assert link(elena) == 0


def test_only_differences_are_written(elena: Character, by: User) -> None:
    messages(YOGA, to=elena, by=person(), owner=by)
    link(elena)
    before, gone = set(Similarity.objects.values_list("pk", "score")), Similarity.objects.latest("pk")
    Message.objects.filter(pk=gone.later_id).update(vector=np.eye(SIZE, dtype=np.float32)[SIZE - 1].tobytes())
    link(elena)
    assert len(pairs()) == 1
    assert set(Similarity.objects.values_list("pk", "score")) < before
