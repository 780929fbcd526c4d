"""YAML that its author wrote stays as it is, but for what changed."""

from typing import Any

import pytest

from characters.profiles import documents, folder
from characters.profiles.drafts import parts, yaml_text

TEXT = """\
# Ann, the keeper
name: Ann Holm   # of Odense

facts:
  # what she does
  - predicate: IS_A
    object: "lighthouse keeper"
  - I have never seen a desert  # a plain one
  # two lines
  # about rain
  - {predicate: LIKES, object: Rain on a tin roof}

  - predicate: LIKES
    object: |
      plums
      # no comment

# light comes first
anchors:
  - light
  - weather
"""


def sheet(text: str = TEXT) -> parts.Document:
    return documents.dump(folder.parse("You are {{char}}.", text, name="Ann").sheet)


def with_fact(document: parts.Document, fact_id: str, **values: Any) -> parts.Document:
    return parts.put(document, f"fact:{fact_id}", parts.get(document, f"fact:{fact_id}") | values)


def test_without_a_change_not_a_letter_changes() -> None:
    assert yaml_text.updated(TEXT, sheet(), sheet()) == TEXT


def test_a_changed_fact_alone_is_written_anew_and_keeps_its_comments() -> None:
    after = with_fact(sheet(), "f3", object="Fog")
    assert yaml_text.updated(TEXT, sheet(), after) == TEXT.replace(
        "  - {predicate: LIKES, object: Rain on a tin roof}", "  - predicate: LIKES\n    object: Fog"
    )


def test_a_deleted_fact_takes_its_comments_along() -> None:
    gone = "  # two lines\n  # about rain\n  - {predicate: LIKES, object: Rain on a tin roof}\n\n"
    assert gone in TEXT
    after = parts.put(sheet(), "fact:f3", None)
    assert yaml_text.updated(TEXT, sheet(), after) == TEXT.replace(gone, "")


def test_a_new_fact_comes_behind_the_others() -> None:
    fact = {"id": "f9", "predicate": "HAS_PET", "object": "a gull", "questions": ["Do you have a pet?"]}
    told = yaml_text.updated(TEXT, sheet(), parts.put(sheet(), "fact:f9", fact))
    assert "      # no comment\n  - predicate: HAS_PET\n    object: a gull\n    questions:\n" in told
    assert told.endswith("\n# light comes first\nanchors:\n  - light\n  - weather\n")


def test_facts_move_with_their_comments() -> None:
    told = yaml_text.updated(TEXT, sheet(), parts.put(sheet(), parts.ORDER, ["f3", "f1", "f2", "f4"]))
    assert told.index("# about rain") < told.index("# what she does") < told.index("never seen a desert")
    assert [fact["object"] for fact in sheet(told)["facts"]][:2] == ["Rain on a tin roof", "lighthouse keeper"]


def test_another_part_is_written_anew_alone() -> None:
    told = yaml_text.updated(TEXT, sheet(), parts.put(sheet(), "anchors", ["light", "fog"]))
    assert told == TEXT.replace("- weather", "- fog")


def test_a_part_that_was_not_there_comes_last_and_one_that_is_empty_goes() -> None:
    persona = {"slug": "day", "name": "By day", "instructions": "Be brief.", "default": True}
    after = documents.dump(documents.load(parts.put(sheet(), "persona:day", persona)))
    told = yaml_text.updated(TEXT, sheet(), after)
    assert told.startswith(TEXT)
    assert "personas:\n  - slug: day\n" in told
    assert yaml_text.updated(told, after, sheet()) == TEXT


@pytest.mark.parametrize(
    "text",
    [
        "name: Ann\nfacts: [One., Two.]\n",
        "name: Ann\n",
        "name: Ann\nfacts:\n- One.\n- Two.\n",
        "name: Ann\nfacts:\n    - One.\n    - predicate: LIKES\n      object: fog\n# the end\n",
        "facts:\n  - One.\ncore_facts:\n  - Two.\nname: Ann\n",
        "",
    ],
)
def test_however_it_was_written_the_text_says_what_the_sheet_says(text: str) -> None:
    before = sheet(text or "name: Ann\n")
    for after in (
        parts.put(before, "fact:f9", {"id": "f9", "predicate": "LIKES", "object": "no", "questions": []}),
        before | {"facts": []},
        before | {"facts": list(reversed(before["facts"]))},
        before | {"name": "Bo", "anchors": ["sea"]},
    ):
        told = sheet(yaml_text.updated(text, before, after))
        assert [fact["object"] for fact in told["facts"]] == [fact["object"] for fact in after["facts"]]
        assert (told["name"], told["anchors"]) == (after["name"], after["anchors"])
