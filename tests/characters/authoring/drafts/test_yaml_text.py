"""YAML that its author wrote stays as it is, but for what changed."""

import re
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

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


def test_the_blank_line_below_a_row_goes_with_it() -> None:
    text = "facts:\n  - One.\n\n  - Two.\n\n  - Three.\n"
    after = parts.put(sheet(text), "fact:f2", None)
    assert yaml_text.updated(text, sheet(text), after) == "facts:\n  - One.\n\n  - Three.\n"


def test_a_text_that_changed_keeps_the_comments_above_it() -> None:
    text = "anchors:\n  # dear\n  - light\n  - sea\n"
    told = yaml_text.updated(text, sheet(text), sheet(text) | {"anchors": ["fog", "sea"]})
    assert told == text.replace("light", "fog")


def test_of_an_emptied_list_the_key_stays_with_what_is_nobodys() -> None:
    told = yaml_text.updated(COMMENTED, BEFORE, BEFORE | {"facts": []})
    assert "# about facts\nfacts: []\n\n  # nobody's\n\n  # below the facts\n# foot comment\nanchors: [a," in told


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
            told = yaml_text.updated(text, before, after)
            assert without_ids(sheet(told)) == without_ids(documents.dump(documents.load(after))), text
            assert "# Ann" in told or not text.startswith("# Ann"), text


STYLES = ("{}", '"{}"', "'{}'")
WORDS = st.sampled_from(
    ["fog", "26", "yes", "a: b", "# no", "- x", "[a", "it's", 'say "hi"', "two\nlines", " in", "ö 🌊"]
)


Draw = Callable[[st.SearchStrategy[Any]], Any]


class Written:
    """A commented YAML; by fact, anchor and persona its lines with the comments that are its own."""

    def __init__(self, draw: Draw) -> None:
        self.draw, self.count, self.lines = draw, 0, [f"# c0.{'x' * draw(st.integers(0, 3))}"]
        self.owned: dict[str, list[str]] = {}
        self.add("name: Ann")
        column = " " * draw(st.sampled_from([0, 2, 4]))
        self.add("facts:")
        for number in range(1, 1 + draw(st.integers(1, 4))):
            self.add_fact(f"f{number}", column)
        self.gap("")
        self.add("anchors:")
        for anchor in ("light", "sea"):
            self.gap("", anchor)
            self.add(f"- {anchor}", owner=anchor)
        self.add("personas:")
        for slug in ("p", "q"):
            self.gap("  ", slug)
            self.add(f"  - slug: {slug}", owner=slug)
            self.add(f"    name: '{slug}'", owner=slug)
            self.gap("    ", slug)
            style = draw(st.sampled_from(["|", ">-"]))
            self.add(f"    instructions: {style}", "\n      Hello\n      # no comment", slug)
            self.gap("    ", slug)
        self.gap("")

    def comment(self) -> str:
        self.count += 1
        return f"# c{self.count}."

    def add(self, line: str, rest: str = "", owner: str = "") -> None:
        comment = f"  {self.comment()}" if self.draw(st.booleans()) else ""
        self.put(f"{line}{comment}{rest}", owner)

    def gap(self, margin: str, owner: str = "") -> None:
        for _ in range(self.draw(st.integers(0, 2))):
            self.put(margin + self.comment(), owner)

    def put(self, line: str, owner: str = "") -> None:
        self.owned.setdefault(owner, []).append(line)
        self.lines.append(line)

    def add_fact(self, fact_id: str, column: str) -> None:
        if self.draw(st.booleans()):
            self.gap(column)  # nobody's
            self.put("")
        self.gap(column, fact_id)
        text = self.draw(st.sampled_from(STYLES)).format(f"thing {fact_id}")
        match self.draw(st.integers(0, 3)):
            case 0:
                self.add(f"{column}- {text}", owner=fact_id)
            case 1:
                self.add(f"{column}- {{predicate: LIKES, object: {text}}}", owner=fact_id)
            case 2:
                self.add(f"{column}- predicate: LIKES", owner=fact_id)
                self.gap(f"{column}  ", fact_id)
                self.add(f"{column}  object: {text}", owner=fact_id)
                self.add(f"{column}  questions: [How?, Why?]", owner=fact_id)
            case _:
                self.add(f"{column}- predicate: LIKES", owner=fact_id)
                self.add(f"{column}  object: |-", f"\n{column}     thing {fact_id}\n{column}     # no comment", fact_id)


def edits(draw: Draw, document: parts.Document) -> list[tuple[str, Any]]:
    """Edits of one part each."""
    word, other = draw(WORDS), draw(WORDS)
    new = {"id": f"f{draw(st.integers(90, 99))}", "predicate": "NOTE", "object": word.strip(), "questions": []}
    found: list[tuple[str, Any]] = [
        ("fact:" + new["id"], new),
        (parts.ORDER, draw(st.permutations([each["id"] for each in document["facts"]]))),
        ("name", word),
        (
            "anchors",
            draw(
                st.sampled_from(
                    [[], ["light"], ["sea", "light"], ["light", other], ["light", word, "sea", other], [word]]
                )
            ),
        ),
        ("persona:p", parts.get(document, "persona:p") | {"instructions": word, "keywords": [other]}),
        ("persona:q", None),
        (parts.DEFAULT, "p"),
        ("nickname", other),
    ]
    for fact in document["facts"]:
        part = f"fact:{fact['id']}"
        found += [(part, fact | {"object": word.strip()}), (part, fact | {"questions": [word.strip()]}), (part, None)]
    return found


def rows_of(document: parts.Document) -> dict[str, Any]:
    facts, personas = document["facts"], document["personas"]
    named = {row["id"]: row for row in facts} | {row["slug"]: row for row in personas}
    return named | {anchor: anchor for anchor in document["anchors"]}


def without_ids(document: parts.Document) -> parts.Document:
    return document | {"facts": [fact | {"id": ""} for fact in document["facts"]]}


def comments(lines: list[str]) -> list[str]:
    return re.findall(r"# c\d+\.", "\n".join(lines))


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_a_row_that_stays_is_copied_one_that_goes_takes_its_comments_alone_and_all_says_what_it_should(
    data: st.DataObject,
) -> None:
    written = Written(data.draw)
    text = "\n".join(written.lines) + "\n"
    before = after = sheet(text)
    for _ in range(data.draw(st.integers(1, 3))):
        after = parts.put(after, *data.draw(st.sampled_from(edits(data.draw, after))))
    told = yaml_text.updated(text, before, after)
    assert without_ids(sheet(told)) == without_ids(documents.dump(documents.load(after)))
    old, new = rows_of(before), rows_of(after)
    for owner, lines in written.owned.items():
        if owner and old[owner] == new.get(owner):
            assert "\n".join(lines) + "\n" in told
        elif not owner or owner in new or (owner in before["anchors"] and len(after["anchors"]) == 2):
            assert [each for each in comments(lines) if each not in told] == []
        else:
            assert [each for each in comments(lines) if each in told] == []
    assert yaml_text.updated(told, after, after) == told != yaml_text.write(after)
