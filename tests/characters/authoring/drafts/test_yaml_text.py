"""YAML that its author wrote stays as it is, but for what changed."""

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from characters.authoring.drafts import parts, yaml_text
from characters.profiles import documents, folder

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


def test_without_a_change_not_a_letter_changes() -> None:
    assert yaml_text.updated(TEXT, sheet(), sheet()) == TEXT


def test_of_a_changed_fact_only_what_changed_is_written_anew() -> None:
    after = parts.put(sheet(), "fact:f3", parts.get(sheet(), "fact:f3") | {"object": "Fog"})
    assert yaml_text.updated(TEXT, sheet(), after) == TEXT.replace(
        "  - {predicate: LIKES, object: Rain on a tin roof}", "  - {predicate: LIKES, object: Fog}"
    )


WRITTEN = (
    "name: Ann\nfacts: [One., Two.]\n",
    "name: Ann\n",
    "name: Ann\nfacts:\n- One.\n- Two.\n",
    "name: Ann\nfacts:\n    - One.\n    - predicate: LIKES\n      object: fog\n# the end\n",
    "facts:\n  - One.\ncore_facts:\n  - Two.\nname: Ann\n",
    "",
)


def test_however_it_was_written_the_text_says_what_the_sheet_says() -> None:
    for text in WRITTEN:
        before = sheet(text or "name: Ann\n")
        for after in (
            parts.put(before, "fact:f9", {"id": "f9", "predicate": "LIKES", "object": "no", "questions": []}),
            before | {"facts": []},
            before | {"facts": list(reversed(before["facts"]))},
            before | {"name": "Bo", "anchors": ["sea"]},
        ):
            told = sheet(yaml_text.updated(text, before, after))
            assert [fact["object"] for fact in told["facts"]] == [fact["object"] for fact in after["facts"]], text
            assert (told["name"], told["anchors"]) == (after["name"], after["anchors"]), text


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
  - predicate: HAS_FATHER
    object: >-   # folded
      a fisherman
      of La Jolla
    questions:
      - Who is he? # q comment
      # below the question

  # last
  - {predicate: LIKES, object: tea}  # row in braces
  # below the facts
# foot comment
anchors: [a, b]  # flow anchors
personas:
  # persona comment
  - slug: p  # its slug
    name: P
    instructions: |  # block
      Hello
      # not a comment
    # below the block
  - slug: q
    name: 'Q'  # single
    instructions: Short.  # short
    keywords: [  # opening
      one,  # inside
      two
    ]  # closing
# end
"""
COMMENTS = re.findall(r"# (?!not).*", COMMENTED)


def lost(told: str) -> list[str]:
    return [comment for comment in COMMENTS if not re.search(rf"{re.escape(comment)}$", told, re.MULTILINE)]


def put(part: str, **values: Any) -> parts.Document:
    there = parts.get(sheet(COMMENTED), part)
    return parts.put(sheet(COMMENTED), part, there | values)


REPLACED = [
    (put("fact:f1", object="27"), '"26"', '"27"'),
    (put("fact:f2", object="She likes: fog"), "She likes fog.", "'She likes: fog'"),
    (put("fact:f3", questions=["Who was he?"]), "Who is he?", "Who was he?"),
    (put("fact:f3", object="old"), ">-   # folded\n      a fisherman\n      of La Jolla", "old  # folded"),
    (put("fact:f4", object="a, b"), "object: tea", 'object: "a, b"'),
    (
        put("fact:f1", questions=["How old?"]),
        "# quoted\n",
        "# quoted\n    questions:\n      - How old?\n",
    ),
    (
        put("persona:p", instructions="One\nTwo"),
        "|  # block\n      Hello\n      # not a comment",
        "|-  # block\n      One\n      Two",
    ),
    (put("persona:q", name="R", bases=["sea"]), "'Q'", "'R'"),
    (parts.put(sheet(COMMENTED), parts.DEFAULT, "p"), "", ""),
    (parts.put(sheet(COMMENTED), "name", "Yam Two"), "Yam ", "Yam Two "),
    (parts.put(sheet(COMMENTED), "anchors", ["a", "b", "c: d"]), "[a, b]", '[a, b, "c: d"]'),
    (put("settings", stages_off=["ambient"]), "# end", "settings:\n  stages_off:\n    - ambient\n# end"),
]


def test_a_value_is_replaced_where_it_stands_and_no_comment_goes() -> None:
    for after, was, now in REPLACED:
        told = yaml_text.updated(COMMENTED, sheet(COMMENTED), after)
        assert lost(told) == [], now
        if was and "sea" not in str(after):
            assert told == COMMENTED.replace(was, now)


STYLES = ("{}", '"{}"', "'{}'")
WORDS = st.sampled_from(
    ["fog", "26", "yes", "a: b", "# no", "- x", "[a", "it's", 'say "hi"', "two\nlines", " in", "ö 🌊"]
)


class Written:
    """A commented YAML, and by row or part the comments that may go with it."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw, self.count, self.lines = draw, 0, [f"# c0{'x' * draw(st.integers(0, 3))}"]
        self.owned: dict[str, list[str]] = {}
        self.add("name: Ann")
        column = " " * draw(st.sampled_from([0, 2, 4]))
        self.add("facts:")
        for number in range(1, 1 + draw(st.integers(1, 4))):
            self.add_fact(f"f{number}", column)
        self.gap(column)
        if draw(st.booleans()):
            self.add("anchors: [light, sea]")
        else:
            self.add("anchors:")
            self.gap("", "anchors")
            self.add("- light", owner="anchors")
            self.add("- sea", owner="anchors")
        self.add("personas:")
        for slug in ("p", "q"):
            self.gap("  ", slug)
            self.add(f"  - slug: {slug}", owner=slug)
            self.add(f"    name: '{slug}'", owner=slug)
            self.gap("    ", slug)
            self.add(
                "    instructions: |" if draw(st.booleans()) else "    instructions: >-",
                "\n      Hello\n      # no comment",
                slug,
            )
        self.gap("")

    def comment(self) -> str:
        self.count += 1
        return f"# c{self.count}."

    def add(self, line: str, rest: str = "", owner: str = "") -> None:
        comment = self.comment() if self.draw(st.booleans()) else ""
        self.owned.setdefault(owner, []).append(comment)
        self.lines.append(f"{line}  {comment}{rest}" if comment else line + rest)

    def gap(self, margin: str, owner: str = "") -> None:
        for _ in range(self.draw(st.integers(0, 2))):
            comment = self.comment()
            self.owned.setdefault(owner, []).append(comment)
            self.lines.append(margin + comment)

    def add_fact(self, fact_id: str, column: str) -> None:
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
        self.lines += [""] * self.draw(st.integers(0, 1))


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, parts.Document, list[str]]:
    """A text, the document after an edit of one part, and the comments that have to be there still."""
    written = Written(draw)
    text = "\n".join(written.lines) + "\n"
    before = sheet(text)
    number = draw(st.integers(1, len(before["facts"])))
    fact = before["facts"][number - 1]
    word, other = draw(WORDS), draw(WORDS)
    new = {"id": "f90", "predicate": "NOTE", "object": word.strip(), "questions": []}
    edits: list[tuple[str, Any]] = [
        (f"fact:f{number}", fact | {"object": word.strip()}),
        (f"fact:f{number}", fact | {"predicate": "FEARS", "questions": [word.strip(), "Else?"]}),
        (f"fact:f{number}", None),
        ("fact:f90", new),
        (parts.ORDER, draw(st.permutations([each["id"] for each in before["facts"]]))),
        ("name", word),
        ("anchors", draw(st.sampled_from([["light"], ["sea", "light"], ["light", word, "sea", other], [word]]))),
        ("persona:p", parts.get(before, "persona:p") | {"instructions": word, "keywords": [other]}),
        ("persona:q", None),
        (parts.DEFAULT, "q"),
    ]
    part, value = draw(st.sampled_from(edits))
    fewer = value is None or (part == "anchors" and len(value) == 1)
    gone = part.rpartition(":")[2] if fewer else None
    kept = [each for owner, owned in written.owned.items() if owner != gone for each in owned if each]
    return text, parts.put(before, part, value), kept


def without_ids(document: parts.Document) -> parts.Document:
    return document | {"facts": [fact | {"id": ""} for fact in document["facts"]]}


@given(edited())
@settings(max_examples=50, deadline=None)
def test_any_edit_of_one_part_says_what_it_should_and_keeps_every_other_comment(
    made: tuple[str, parts.Document, list[str]],
) -> None:
    text, after, kept = made
    told = yaml_text.updated(text, sheet(text), after)
    assert without_ids(sheet(told)) == without_ids(documents.dump(documents.load(after)))
    assert [comment for comment in kept if f"{comment}\n" not in told] == []
    assert told != yaml_text.write(after)
