"""The engines that the settings name, one of each per process; heavy libraries are imported when first used."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from kgadmin.config import Config
from kgadmin.stores.language_model import LanguageModel

if TYPE_CHECKING:
    from kgadmin.stores.chroma import ChromaIndex
    from kgadmin.stores.embedder import LocalEmbedder
    from kgadmin.stores.graph import Graph
    from kgadmin.stores.index_files import IndexFiles
    from kgadmin.stores.model_files import TokenCounter


def _config() -> Config:
    config: Config = settings.CONFIG
    return config


def embedder() -> "LocalEmbedder":
    """Return the embedder; its model is loaded when it is first needed."""
    return _embedder(_config().embedder_model, _config().data_dir)


@cache
def _embedder(model: str, data_dir: Path) -> "LocalEmbedder":
    from kgadmin.stores.exported import INSTALLED, ExportedEmbedder, data_folder

    return ExportedEmbedder(model, [data_folder(data_dir), INSTALLED])


@cache
def vectors() -> "ChromaIndex":
    """Return the vector store; it connects when first used."""
    from kgadmin.stores.chroma import ChromaIndex

    config = _config()
    return ChromaIndex(config.vectors_url, config.vectors_timeout, token=config.vectors_token.get_secret_value())


def index_files() -> "IndexFiles":
    """Return the index files of the data folder."""
    return _index_files(_config().data_dir)


@cache
def _index_files(data_dir: Path) -> "IndexFiles":
    from kgadmin.stores.index_files import IndexFiles

    return IndexFiles(data_dir / "indexes")


@cache
def graph() -> "Graph":
    """Return the graph; it connects when first used."""
    from kgadmin.stores.graph import Graph

    config = _config()
    return Graph(
        url=config.graph_url,
        user=config.graph_user,
        password=config.graph_password.get_secret_value(),
        database=config.graph_database,
        read_timeout=config.graph_read_timeout,
    )


@cache
def language_model() -> LanguageModel:
    """Return the configured endpoint, or the offline responder."""
    config = _config()
    if not config.llm_base_url:
        from kgadmin.stores.offline import OfflineResponder

        return OfflineResponder()
    from kgadmin.stores.openai_model import OpenAIModel

    return OpenAIModel(
        base_url=config.llm_base_url,
        model=config.llm_model,
        api_key=config.llm_api_key.get_secret_value(),
        timeout=config.llm_timeout,
    )


def count_tokens(text: str) -> int:
    """Return an estimate of a language model's tokens in `text`."""
    return _token_counter().count(text)


@cache
def _token_counter() -> "TokenCounter":
    from kgadmin.stores.model_files import TokenCounter, tokenizer_file

    return TokenCounter(tokenizer_file(_config().embedder_model))


def warm() -> None:
    """Load the libraries and the embedder's weights, for which a first turn would wait. Asks no server."""
    for engine in (vectors, graph, language_model, _token_counter):
        engine()
    embedder().warm()
