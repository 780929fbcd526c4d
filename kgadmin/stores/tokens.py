"""Counts tokens, without torch."""

from functools import lru_cache
from pathlib import Path

from tokenizers import Tokenizer

BYTES_PER_TOKEN = 4
"""Of text that the tokenizer doesn't know: a rule of thumb of byte-pair encodings."""
REMEMBERED = 4096
"""Texts whose counts are kept: a turn says again much of what the one before it said."""


class TokenCounter:
    """Estimates a language model's tokens by the embedding model's tokenizer, which errs on the high side (3-19 %)."""

    def __init__(self, tokenizer_file: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(tokenizer_file))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._unknown = self._tokenizer.token_to_id("[UNK]")
        self.count = lru_cache(REMEMBERED)(self._count)
        """The number of tokens of a text, special tokens left out."""

    def _count(self, text: str) -> int:
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        if self._unknown not in encoding.ids:
            return len(encoding.ids)
        spans = zip(encoding.ids, encoding.offsets, strict=True)
        # WordPiece makes one unknown token of any long word, 100,000 letters too, and would let it through a budget.
        return sum(1 if id_ != self._unknown else _guess(text[start:end]) for id_, (start, end) in spans)


def _guess(unknown: str) -> int:
    return max(1, -(-len(unknown.encode(errors="replace")) // BYTES_PER_TOKEN))
