"""What patterns read out of whole texts, and what they leave alone. How well they do: tests/quality."""

from characters.language.suggestions import patterns
from tests.characters.turn.world import REGISTRY


def read(text: str, name: str = "Kaelen Thorn") -> list[tuple[str, str]]:
    return [(each.predicate, each.object) for each in patterns.extract(text, names=[name], registered=list(REGISTRY))]


def test_each_style_of_a_card_is_read() -> None:
    text = """[{{char}}: Kaelen; Species("elf") Likes("rain" + "old songs")]
Age: 312 | Occupation: ranger
- Terrified of fire
**Hobbies:** whittling and chess"""
    assert read(text) == [
        ("IS_A", "elf"), ("LIKES", "rain"), ("LIKES", "old songs"), ("HAS_AGE", "312"), ("HAS_JOB", "ranger"),
        ("HAS_FEAR", "fire"), ("HAS_HOBBY", "whittling"), ("HAS_HOBBY", "chess"),
    ]  # fmt: skip


def test_a_span_is_the_sentence_or_the_label_that_says_it() -> None:
    text = "Some words. Kaelen was born in Fen Hollow and loves mead.\nAge: 26; Race: elf"
    suggestions = patterns.extract(text, names=["Kaelen"], registered=list(REGISTRY))
    assert [text[each.start : each.end] for each in suggestions] == [
        "Kaelen was born in Fen Hollow and loves mead.",
        "Kaelen was born in Fen Hollow and loves mead.",
        "Age: 26",
        "Race: elf",
    ]


def test_a_pronoun_follows_whom_the_text_speaks_of() -> None:
    assert read("He hates cities. His sister Maren is a nun. She loves roses. He speaks Elvish.") == [
        ("HATES", "cities"), ("HAS_SISTER", "Maren"), ("SPEAKS", "Elvish"),
    ]  # fmt: skip
    assert read("He hates cities. His apprentice was born in Velm. He loves roses.") == [("HATES", "cities")]
    assert read("Queen Asta rules the valley. She is a sorceress.\n\nShe is a spy.") == [("IS_A", "spy")]


def test_she_is_somebody_else_where_the_text_speaks_to_the_character() -> None:
    assert read("You live in a cave. She loves roses.") == [("LIVES_IN", "a cave")]


def test_an_object_is_said_as_she_would_say_it_herself() -> None:
    assert read("You love old books with their covers missing.") == [("LOVES", "old books with their covers missing")]
    assert read("You love your sister. Your father taught you to fish.") == [
        ("LOVES", "my sister"), ("HAS_FATHER", "taught me to fish"),
    ]  # fmt: skip


def test_example_dialogue_and_what_others_say_are_left_alone() -> None:
    assert read("<START>\n{{user}}: Hi\n{{char}}: I am a spy.\nI love tea.") == []
    assert read('{{char}}: I am a spy.\nKaelen: I hate tea.\n"I live in Rome," he says. *He loves her deeply.*') == []


def test_the_same_fact_comes_once_and_an_unregistered_one_never() -> None:
    assert read("He loves mead. Kaelen loves Mead. His favorite composer is Verdi.") == [("LOVES", "mead")]
    assert patterns.extract("He loves mead.", names=["Kaelen"], registered=["HATES"]) == []


def test_a_text_that_is_no_prose_says_nothing() -> None:
    marks = ("\n" * 50_000, '"' * 50_000, "* a" * 16_000, "Likes(" * 8_000, "a:" * 25_000)
    for text in ("", "She loves " + "a, " * 16_000, *marks):
        assert read(text) == [], text[:20]
