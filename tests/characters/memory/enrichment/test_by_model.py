import json

import pytest

from characters.domain.relations import CLASSES
from characters.memory.enrichment import by_model
from characters.memory.enrichment.by_model import PAIRS_A_CALL, relation_named
from characters.memory.enrichment.pairs import MAX_TEXT, MessageText, Pair
from tests.characters.memory.enrichment.chats import BEGIN


def pair(earlier: int, later: int, text: str = "Hello") -> Pair:
    return Pair(MessageText("Hello", earlier, BEGIN), MessageText(text, later, BEGIN))


def test_a_long_message_is_shown_in_part() -> None:
    (source,) = json.loads(by_model.batch_json([pair(1, 2, "word " * 2000)]))["batch"]
    assert len(source["source_message"]["text"]) == MAX_TEXT + 2


def test_batches_hold_every_pair_once_and_keep_a_source_together() -> None:
    pairs = [pair(earlier, later) for later in range(40, 46) for earlier in range(1, 7)]
    batches = by_model.batches(pairs)
    assert [each for batch in batches for each in batch] == pairs
    assert all(len(batch) <= PAIRS_A_CALL for batch in batches)
    assert sum(len({each.later.id for each in batch}) for batch in batches) == 6


@pytest.mark.parametrize(
    ("spelled", "name"),
    [
        *((name, name) for name in CLASSES),
        ("Follow up", "Follow-up"),
        ("Correction", "Reframe/Correction"),
        ("reframe / correction", "Reframe/Correction"),
        ("Meta prompting", "Meta-Prompting"),
        ("Contrasts", "Contrast"),
        ("none", "Unrelated"),
        ("Friendship", "Friendship"),
        (3, 3),
    ],
)
def test_a_class_is_known_however_it_is_spelled(spelled: object, name: object) -> None:
    assert relation_named(spelled) == name
