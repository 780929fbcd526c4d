import json

from characters.domain.relations import CLASSES
from characters.memory.enrichment import by_model
from characters.memory.enrichment.by_model import relation_named
from characters.memory.enrichment.pairs import MAX_TEXT, MessageText, Pair
from tests.characters.memory.enrichment.chats import BEGIN


def test_a_long_message_is_shown_in_part() -> None:
    pair = Pair(MessageText("Hello", 1, BEGIN), MessageText("word " * 2000, 2, BEGIN))
    (source,) = json.loads(by_model.batch_json([pair]))["batch"]
    assert len(source["source_message"]["text"]) == MAX_TEXT + 2


def test_a_class_is_known_however_it_is_spelled() -> None:
    for name in CLASSES:
        assert relation_named(name) == name
    for spelled, meant in {
        "Follow up": "Follow-up",
        "Correction": "Reframe/Correction",
        "reframe / correction": "Reframe/Correction",
        "Meta prompting": "Meta-Prompting",
        "Contrasts": "Contrast",
        "none": "Unrelated",
        "Friendship": "Friendship",
        3: 3,
    }.items():
        assert relation_named(spelled) == meant
