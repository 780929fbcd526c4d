"""Vectors in a Chroma server, by connections with time-outs that cache its collections."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import httpx
import numpy as np
from chromadb.api.client import Client
from chromadb.api.collection_configuration import CreateCollectionConfiguration
from chromadb.auth import UserIdentity
from chromadb.config import Settings
from chromadb.errors import ChromaError, NotFoundError
from overrides import override

from kgadmin.stores.embedder import Vectors
from kgadmin.stores.errors import Breaker, StoreError
from kgadmin.stores.values import Match, VectorRow

if TYPE_CHECKING:
    from chromadb import Collection, GetResult, QueryResult

WRITE_TIMEOUT_SECONDS = 10.0
ROWS_PER_CALL = 500
CONFIGURATION: CreateCollectionConfiguration = {"hnsw": {"space": "cosine"}}

Item = TypeVar("Item")


class BoundedClient(Client):
    """Chroma's client, which has no setting for a time-out: its session gets one during the constructor's first
    call.
    """

    def __init__(self, settings: Settings, timeout: float) -> None:
        self._timeout = timeout
        super().__init__(settings=settings)

    @override
    def get_user_identity(self) -> UserIdentity:
        session: httpx.Client = self._server._session  # type: ignore[attr-defined]  # private: keep the pin
        session.timeout = httpx.Timeout(self._timeout)
        session.event_hooks = {"response": [_refuse]}
        return super().get_user_identity()


class Connection:
    """A client that connects when first used, and the handles of the collections that it looked up."""

    def __init__(self, url: str, timeout: float, token: str = "") -> None:
        self._url = url
        self._timeout = timeout
        self._token = token
        self._client: BoundedClient | None = None
        self._handles: dict[str, Collection] = {}

    def client(self) -> BoundedClient:
        """Return the client. Without a lock, two threads may connect at once, but none waits for another's time-out."""
        if self._client is None:
            self._client = _connect(self._url, self._timeout, self._token)
        return self._client

    def call(self, name: str, act: "Callable[[Collection], Any]", *, make: bool = False) -> Any:
        """Run `act` on the collection `name`, looked up again if another process recreated it; None if there is
        none.
        """
        if name in self._handles:
            try:
                return act(self._handles[name])
            except NotFoundError:
                self._handles.pop(name, None)
        try:
            client = self.client()
            if make:
                handle = client.get_or_create_collection(name, configuration=CONFIGURATION, embedding_function=None)
            else:
                handle = client.get_collection(name, embedding_function=None)
        except NotFoundError:
            return None
        self._handles[name] = handle
        return act(handle)

    def drop(self, name: str) -> None:
        """Delete the collection, if it exists."""
        self._handles.pop(name, None)
        try:
            self.client().delete_collection(name)
        except NotFoundError:
            return


class ChromaIndex:
    """Vectors of unit length by collection. Every call ends in time and raises `StoreError`; queries skip a server that
    just failed.
    """

    def __init__(self, url: str, read_timeout: float, *, token: str = "") -> None:
        self._url = url
        self._reads = Connection(url, read_timeout, token)
        self._writes = Connection(url, WRITE_TIMEOUT_SECONDS, token)
        self.breaker = Breaker("The vector store")

    def upsert(self, collection: str, rows: Sequence[VectorRow]) -> None:
        """Write rows by id; the collection is made if it doesn't exist."""
        with self._errors():
            for batch in _batches(rows):
                self._writes.call(collection, partial(_upsert, batch), make=True)

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Delete rows by id; unknown ids are no error."""
        with self._errors():
            for batch in _batches(ids):
                self._writes.call(collection, partial(_delete, batch))

    def query(self, collection: str, vectors: Vectors, limit: int) -> list[list[Match]]:
        """Return the nearest `limit` rows per row of `vectors`, best first. A missing collection has no rows."""
        if not len(vectors):
            return []
        with self.breaker.guard(), self._errors():
            answer = self._reads.call(
                collection, lambda c: c.query(query_embeddings=vectors, n_results=limit, include=["distances"])
            )
            return _matches(answer) if answer else [[] for _ in vectors]

    def rows(self, collection: str) -> Iterator[VectorRow]:
        """Yield all rows as they were written, for comparing and exporting."""
        for start in count(0, ROWS_PER_CALL):
            with self._errors():
                page = self._writes.call(collection, partial(_page, start))
            if not page:
                return
            for id_, vector in zip(page["ids"], page["embeddings"], strict=True):
                yield VectorRow(id_, np.asarray(vector, dtype=np.float32).tolist())
            if len(page["ids"]) < ROWS_PER_CALL:
                return

    def collections(self) -> list[str]:
        """Return the names of all collections."""
        with self._errors():
            return sorted(each.name for each in self._writes.client().list_collections())

    def drop(self, collection: str) -> None:
        """Delete the collection; a missing one is no error."""
        with self._errors():
            self._writes.drop(collection)

    def ping(self) -> str:
        """Return the server's version, past the breaker."""
        with self._errors():
            version = str(self._reads.client().get_version())
        self.breaker.reset()
        return version

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except httpx.TimeoutException as error:
            raise StoreError(f"The vector store at {self._url} did not answer in time.") from error
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            sentence = f"The vector store at {self._url} refused the call ({status})."
            raise StoreError(sentence, retryable=status >= 500) from error
        except httpx.HTTPError as error:
            raise StoreError(f"The vector store does not answer at {self._url}.") from error
        except (ChromaError, ValueError) as error:
            raise StoreError(
                f"The vector store at {self._url} did not take the call: {error}", retryable=False
            ) from error


def _batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    return (items[start : start + ROWS_PER_CALL] for start in range(0, len(items), ROWS_PER_CALL))


def _upsert(rows: Sequence[VectorRow], collection: "Collection") -> None:
    collection.upsert(
        ids=[row.id for row in rows],
        embeddings=np.asarray([row.vector for row in rows], dtype=np.float32),
    )


def _delete(ids: Sequence[str], collection: "Collection") -> None:
    collection.delete(ids=list(ids))


def _page(start: int, collection: "Collection") -> "GetResult":
    return collection.get(limit=ROWS_PER_CALL, offset=start, include=["embeddings"])


def _matches(answer: "QueryResult") -> list[list[Match]]:
    rows = zip(answer["ids"], answer["distances"] or [], strict=True)
    return [
        [Match(id_, 1.0 - distance) for id_, distance in zip(ids, distances, strict=True)] for ids, distances in rows
    ]


def _connect(url: str, timeout: float, token: str) -> BoundedClient:
    address = urlsplit(url)
    encrypted = address.scheme == "https"
    settings = Settings(
        chroma_api_impl="chromadb.api.fastapi.FastAPI",
        chroma_client_auth_provider="chromadb.auth.token_authn.TokenAuthClientProvider" if token else None,
        chroma_client_auth_credentials=token or None,
        chroma_server_host=address.hostname,
        chroma_server_http_port=address.port or (443 if encrypted else 80),
        chroma_server_ssl_enabled=encrypted,
        chroma_server_ssl_verify=None if encrypted else False,  # reading certificates takes 0.1 s of a turn's 0.5
        anonymized_telemetry=False,
    )
    try:
        return BoundedClient(settings, timeout)
    except ValueError as error:  # Chroma's client hides a connection's error behind it
        raise error.__context__ if isinstance(error.__context__, httpx.HTTPError) else error from None


def _refuse(response: httpx.Response) -> None:
    """Raise for an error that isn't Chroma's own; its client would raise a bare Exception with the page's text."""
    if response.is_error:
        response.read()
        if '"error"' not in response.text or response.is_server_error:
            response.raise_for_status()
