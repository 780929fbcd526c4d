import pytest

from kgadmin.stores.model_files import PACKAGED, tokenizer_file
from kgadmin.stores.tokens import TokenCounter


@pytest.fixture(scope="module")
def counter() -> TokenCounter:
    return TokenCounter(tokenizer_file(PACKAGED))


def test_words_are_counted_to_the_end(counter: TokenCounter) -> None:
    counted = {text: counter.count(text) for text in ("", "The ocean raised me.", "reef " * 3000)}
    assert counted == {"": 0, "The ocean raised me.": 5, "reef " * 3000: 3000}


def test_a_word_that_the_tokenizer_does_not_know_is_guessed_by_its_length(counter: TokenCounter) -> None:
    assert counter.count("x" * 100_000) == 25_000
