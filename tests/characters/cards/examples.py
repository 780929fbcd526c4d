"""Cards for tests, of nobody who exists."""

import base64
import json
from typing import Any

from characters.cards import imports, plan
from characters.cards.card import Card
from characters.cards.exports import FORMATS
from characters.cards.merge import Origin
from characters.domain.sheet import Predicate, Sheet
from kgadmin.rest import archives
from tests.characters.cards.test_png import chunk, picture

Json = dict[str, Any]

BOOK: Json = {
    "name": "Sønderklint",
    "description": "The island",
    "scan_depth": 2,
    "token_budget": 400,
    "recursive_scanning": True,
    "extensions": {"mine/a": {"b": [1, None]}},
    "entries": [
        {
            "keys": ["fog", "mist"],
            "content": "@@somebody_elses 4\n@@@scan_depth 1\n\nFog comes at four. Ask {{char}}.",
            "extensions": {"x": 1},
            "enabled": True,
            "insertion_order": 10,
            "case_sensitive": False,
            "use_regex": False,
            "name": "Fog",
            "priority": 3,
            "id": 77,
            "comment": "weather",
            "unknown_here": {"kept": True},
        },
        {
            "keys": [],
            "content": "The lamp hums.",
            "extensions": {},
            "enabled": True,
            "insertion_order": 1,
            "constant": True,
            "use_regex": False,
            "position": "before_char",
        },
        {
            "keys": ["harbour"],
            "secondary_keys": ["boat"],
            "selective": True,
            "content": "The harbour takes six boats.",
            "extensions": {},
            "enabled": False,
            "insertion_order": 5,
            "use_regex": False,
        },
    ],
}
DATA: Json = {
    "name": "Ann Holm",
    "description": "Ann Holm keeps the lighthouse of Sønderklint. 灯台",
    "personality": "quiet, exact",
    "scenario": "{{user}} comes up the stairs.",
    "first_mes": "Mind the third step.",
    "mes_example": "<START>\n{{user}}: Hi\n{{char}}: Ahoy.",
    "creator_notes": "Not for prompts.",
    "system_prompt": "Answer as {{char}}. {{original}}",
    "post_history_instructions": "Stay with the lamp.",
    "alternate_greetings": ["You again.", "<script>alert(1)</script>"],
    "tags": ["sea"],
    "creator": "somebody",
    "character_version": "4",
    "extensions": {"depth_prompt": {"prompt": "x", "depth": 4}, "a/b": [1.5, "ü", None]},
    "character_book": BOOK,
    "future_field": {"kept": [1]},
}
V1: Json = {name: DATA[name] for name in "name description personality scenario first_mes mes_example".split()} | {
    "mine": [1]
}
V2: Json = {"spec": "chara_card_v2", "spec_version": "2.0", "data": DATA, "top": 1}
V3: Json = {
    "spec": "chara_card_v3",
    "spec_version": "3.0",
    "data": DATA
    | {
        "nickname": "Annie",
        "group_only_greetings": ["All of you?"],
        "assets": [{"type": "icon", "uri": "embeded://assets/icon/images/ann.png", "name": "main", "ext": "png"}],
        "creator_notes_multilingual": {"en": "x", "da": "y"},
        "source": ["https://example.com/ann"],
        "creation_date": 1_700_000_000,
    },
}
WORLD: Json = {
    "name": "Isles",
    "extensions": {},
    "entries": {
        "0": {"uid": 0, "key": ["gull"], "keysecondary": [], "comment": "Gulls", "content": "Gulls steal.", "order": 5},
        "3": {"uid": 3, "key": ["seal"], "content": "Seals don't.", "constant": False, "disable": False, "x": [1]},
    },
}
REGISTRY = {"IS_A": Predicate("IS_A", sentence="I am {a object}")}


def as_json(card: Any) -> bytes:
    return json.dumps(card, ensure_ascii=False).encode()


def as_picture(**texts: Any) -> bytes:
    return picture(*(chunk(b"tEXt", name.encode() + b"\0" + base64.b64encode(as_json(c))) for name, c in texts.items()))


def as_charx(card: Any, **files: bytes) -> bytes:
    return archives.write({"card.json": as_json(card), "assets/icon/images/ann.png": picture(), **files})


def with_data(**changed: Any) -> bytes:
    """A card of version 2 with this in its data."""
    return as_json(V2 | {"data": DATA | changed})


def card_in(content: bytes) -> Card:
    card = imports.read(content)
    assert isinstance(card, Card)
    return card


def sheet_in(content: bytes) -> Sheet:
    return plan.of_card(card_in(content)).sheet


def origin_of(content: bytes) -> Origin:
    return Origin(card_in(content), sheet_in(content))


def sent_out(form: str, content: bytes, sheet: Sheet | None = None) -> bytes:
    """The file of what was imported from `content`, as it was taken or with this sheet."""
    origin = origin_of(content)
    return FORMATS[form].write(sheet or origin.taken, origin, REGISTRY)


def exported(form: str, content: bytes, sheet: Sheet | None = None) -> Card:
    return card_in(sent_out(form, content, sheet))
