from kgadmin.stores.model_files import PACKAGED, TokenCounter, tokenizer_file


def test_words_are_counted_to_the_end_and_one_that_the_tokenizer_does_not_know_by_its_length() -> None:
    counter = TokenCounter(tokenizer_file(PACKAGED))
    counts = {"": 0, "The ocean raised me.": 5, "reef " * 3000: 3000, "x" * 100_000: 25_000}
    assert {text: counter.count(text) for text in counts} == counts
