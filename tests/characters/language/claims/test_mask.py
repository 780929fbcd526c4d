"""What of a reply its speaker says in earnest: the rest is hidden, and nothing moves."""

from characters.language.claims.mask import earnest
from characters.language.sentences import HIDDEN


def test_words_that_are_not_hers_in_earnest_are_hidden() -> None:
    for reply in (
        "She said “I love rum” to me",
        'A voice: "I love rum\nand I love gin" it said',
        "A voice said 'I don't love rum'.",
        "> I love rum",
        "`I love rum`",
        "```\nI love rum\n```",
        "*I love rum, I think*",
        "J'adore le rhum (I love rum)",
        "Captain Jack: I love rum",
        "As a poem? Here's a poem: I love rum",
        "Let's pretend. I love rum",
        "I love rum. Just kidding!",
        "I love rum... not!",
    ):
        text = earnest(reply, "Elena")
        assert "love rum" not in text, reply
        assert len(text) == len(reply), reply
        assert text.count("\n") == reply.count("\n"), reply


def test_what_she_says_herself_stays() -> None:
    for reply in (
        "I love rum", "**I love rum**", "Elena Vance: I love rum", "Elena: I love rum", "*nods slowly* I love rum",
        "It's 5 o'clock, the dogs' bowls are full, and I love rum", "Confession: I love rum",
    ):  # fmt: skip
        assert "I love rum" in earnest(reply, "Elena Vance"), reply


def test_a_title_keeps_its_words_without_its_marks() -> None:
    assert earnest('I adore "Middlemarch"', "Elena") == "I adore  Middlemarch "
    assert HIDDEN in earnest('I adore "the way that I walk"', "Elena")
