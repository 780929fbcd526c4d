import numpy as np

from characters.conversations.models import Memory, Message
from characters.memory.enrichment import first_pass
from characters.memory.enrichment.first_pass import BLOCK, nearest
from characters.memory.enrichment.second_pass import frontier_pairs
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


def test_blocks_find_what_one_comparison_of_all_finds() -> None:
    vectors = np.random.default_rng(3).standard_normal((BLOCK + 40, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    scores = vectors @ vectors.T
    np.fill_diagonal(scores, -2)
    wanted = {tuple(sorted((row, int(other)))) for row in range(len(scores)) for other in np.argsort(-scores[row])[:2]}
    assert set(nearest(vectors, anchors=2, floor=-1.0)) == wanted


TEXTS = {1: "Yoga", 2: "Stretching", 3: "Pilates", 4: "Running"}


def test_the_frontier_is_what_is_near_to_the_anchors() -> None:
    neighbours = {1: [2], 2: [1, 3], 3: [2, 4], 4: [3]}
    assert (1, 3) in frontier_pairs(neighbours, TEXTS, anchors=1, frontier=2)
    assert (1, 4) not in frontier_pairs(neighbours, TEXTS, anchors=1, frontier=2)


def test_a_text_that_repeats_the_other_is_no_pair() -> None:
    texts = {1: "Hi there!", 2: "hi  THERE!", 3: "Hello"}
    neighbours = {1: [2, 3], 2: [1, 3], 3: [1, 2]}
    assert frontier_pairs(neighbours, texts, anchors=5, frontier=5) == {(1, 3), (2, 3)}
