"""YAML that its author wrote stays as it is, but for what changed."""

from typing import Any

from characters.authoring.drafts import parts, yaml_text
from characters.profiles import documents, folder


def sheet(text: str) -> parts.Document:
    return documents.dump(folder.parse("You are {{char}}.", text, name="Ann").sheet)


COMMENTED = """\
# top comment
name: Yam  # trailing name

# about facts
facts:
  # her age
  - predicate: HAS_AGE
    object: "26"   # quoted
  - She likes fog.   # a sentence
  # father block
  # in two lines
  - predicate: HAS_FATHER
    object: >-   # folded
      a fisherman
      # of La Jolla

  # nobody's

  # last
  - {predicate: LIKES, object: tea}  # row in braces
    # still the row's
  # below the facts
# foot comment
anchors: [a,  # flow anchor
  b]
personas:
  - slug: q
    name: 'Q'  # single
    instructions: Short.
settings:
  learning: propose
# end
"""
BEFORE = sheet(COMMENTED)


def put(part: str, **values: Any) -> parts.Document:
    return parts.put(BEFORE, part, parts.get(BEFORE, part) | values)


AGE = '  # her age\n  - predicate: HAS_AGE\n    object: "26"   # quoted\n'
TEA = "  # last\n  - {predicate: LIKES, object: tea}  # row in braces\n    # still the row's\n"
REPLACED = (
    (put("fact:f1", object="27"), AGE, "  # her age\n  # quoted\n  - predicate: HAS_AGE\n    object: '27'\n"),
    (put("fact:f2", object="Yes: no"), "  - She likes fog.   # a sentence\n", "  # a sentence\n  - 'Yes: no'\n"),
    (parts.put(BEFORE, "fact:f1", None), AGE, ""),
    (parts.put(BEFORE, "fact:f4", None), TEA, ""),
    (
        parts.put(BEFORE, "fact:f9", {"id": "f9", "predicate": "NOTE", "object": "New.", "questions": []}),
        TEA,
        f"{TEA}  - New.\n",
    ),
    (parts.put(BEFORE, "name", "Bo"), "name: Yam  # trailing name", "# trailing name\nname: Bo"),
    (
        parts.put(BEFORE, "anchors", ["a", "c"]),
        "anchors: [a,  # flow anchor\n  b]",
        "# flow anchor\nanchors:\n  - a\n  - c",
    ),
    (
        put("persona:q", instructions="One\nTwo", bases=["sea"]),
        "  - slug: q\n    name: 'Q'  # single\n    instructions: Short.",
        "  # single\n  - slug: q\n    name: Q\n    instructions: |-\n      One\n      Two\n    bases:\n      - sea",
    ),
    (
        put("settings", stages_off=["ambient"]),
        "settings:\n",
        "settings:\n  stages_off:\n    - ambient\n",
    ),
    (parts.put(BEFORE, "nickname", "Y"), "# end", "nickname: Y\n# end"),
)


def test_what_changed_is_written_anew_with_its_comments_above_and_nothing_else_is() -> None:
    for after, was, now in REPLACED:
        assert yaml_text.updated(COMMENTED, BEFORE, after) == COMMENTED.replace(was, now)
    rows = "facts:\n  - One.\n\n  - Two.\n\n  - Three.\n"
    less = parts.put(sheet(rows), "fact:f2", None)
    assert yaml_text.updated(rows, sheet(rows), less) == rows.replace("  - Two.\n\n", "")
    anchors = "anchors:\n  # dear\n  - light\n  - sea\n"
    foggy = sheet(anchors) | {"anchors": ["fog", "sea"]}
    assert yaml_text.updated(anchors, sheet(anchors), foggy) == anchors.replace("light", "fog")


def test_of_an_emptied_list_the_key_stays_with_what_is_nobodys() -> None:
    text_now = yaml_text.updated(COMMENTED, BEFORE, BEFORE | {"facts": []})
    assert "# about facts\nfacts: []\n\n  # nobody's\n\n  # below the facts\n# foot comment\nanchors: [a," in text_now


WRITTEN = (
    "name: Ann\nfacts: [One., Two.]\n",
    "name: Ann\n",
    "name: Ann\nfacts:\n",
    "name: Ann\nfacts:\n- One.\n-\n  Two.",
    "# Ann\n{name: Ann, facts: [One.]}\n",
    "# Ann\n---\nfacts:\n  - One.\n...\n",
    "? name\n: Ann\n? facts\n: - One.\n  - Two.\n",
    "name: Ann\nfacts:\n    - One.\n    - predicate: LIKES\n      object: |+\n        fog\n\n# the end\n",
    "facts:\n  - One.\n# Ann\ncore_facts:\n  - Two.\nname: Ann\n",
    "name: Ann\r\nfacts:\r\n  - One.\r\n  # Ann\r\n  - Two.\r\n",
    "name: Ann\rfacts:\r  - One.\r\n",
    "name: Ann\nfacts:\n  - One.\nnickname: |",
    "",
)


def test_however_it_was_written_the_text_says_what_the_sheet_says_and_comments_at_the_top_stay() -> None:
    for text in WRITTEN:
        before = sheet(text or "name: Ann\n")
        for after in (
            parts.put(before, "fact:f9", {"id": "f9", "predicate": "LIKES", "object": "no", "questions": []}),
            before | {"facts": []},
            before | {"facts": list(reversed(before["facts"]))},
            before | {"name": "Bo", "anchors": ["sea"], "greetings": ["Hi\n\n  you \n", "#\n", "a\r\nb"]},
        ):
            text_now = yaml_text.updated(text, before, after)
            assert without_ids(sheet(text_now)) == without_ids(documents.dump(documents.load(after))), text
            assert "# Ann" in text_now or not text.startswith("# Ann"), text


def without_ids(document: parts.Document) -> parts.Document:
    return document | {"facts": [fact | {"id": ""} for fact in document["facts"]]}
