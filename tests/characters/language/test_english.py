"""Clauses of a parse, and how the parser is loaded."""

import subprocess
import sys
from pathlib import Path

import pytest

from characters.language import english
from characters.language.english import Clause, ParserError


def clause(text: str, verb: str) -> Clause:
    (doc,) = english.parse([text])
    return next(each for each in english.clauses(doc) if each.verb.lower_ == verb)


@pytest.mark.parametrize(
    ("text", "verb", "subject"),
    [
        ("I sold my car and bought a bike.", "bought", "I"),
        ("The guy who lives next door is kind.", "lives", "guy"),
        ("My brother works at a bakery.", "works", "brother"),
        ("I'm in the bath, give me a minute.", "give", None),
    ],
)
def test_a_verb_has_the_subject_that_it_shares(text: str, verb: str, subject: str | None) -> None:
    shared = clause(text, verb).subject
    assert (shared.text if shared is not None else None) == subject


@pytest.mark.parametrize(
    ("text", "verb", "is_asserted"),
    [
        ("It's a shame that I don't like jazz.", "like", True),
        ("I was born in Odessa, she told the best stories.", "born", True),
        ("I told you that I live in Oslo.", "live", True),
        ("Do I live in Oslo?", "live", False),
        ("He says I live in Oslo.", "live", False),
        ("I live in Oslo, he thinks.", "live", False),
        ("If I live in Oslo I will ski.", "live", False),
        ("Maybe I live in Oslo.", "live", False),
    ],
)
def test_what_is_asked_supposed_or_reported_is_not_asserted(text: str, verb: str, is_asserted: bool) -> None:
    assert clause(text, verb).is_asserted is is_asserted


def test_time_mood_and_denial_are_told_apart() -> None:
    assert clause("I lived in Oslo.", "lived").happened
    assert not clause("I have lived in Oslo.", "lived").happened
    assert not clause("I was born in Oslo.", "born").happened
    assert clause("I can't stand jazz.", "stand").cannot
    assert clause("I don't live there any more.", "live").over
    assert clause("I no longer live there.", "live").over
    assert not clause("I don't live there.", "live").over
    assert clause("I would love to sail.", "love").mood == "would"


def test_a_model_that_is_not_there_is_named() -> None:
    with pytest.raises(ParserError, match=r"en_nothing can't be loaded.*PARSER_MODEL"):
        english.parser("en_nothing")


def test_files_that_were_not_tried_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(english, "DIGEST", "0" * 64)
    english._loaded.cache_clear()
    with pytest.raises(ParserError, match="not those that were tried"):
        english.parser()


def test_the_parser_needs_no_torch_and_the_web_no_parser() -> None:
    root = Path(english.__file__).parents[2]
    for code, absent in (
        ("from characters.language import english; english.parser()", "torch"),
        ("import kgadmin.asgi", "spacy"),
    ):
        lines = (
            f"import os, sys; os.environ.update(SECRET_KEY='x', DJANGO_SETTINGS_MODULE='kgadmin.settings')\n{code}\n"
        )
        check = f"{lines}assert {absent!r} not in sys.modules"
        subprocess.run([sys.executable, "-c", check], check=True, cwd=root, timeout=60)
