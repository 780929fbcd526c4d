"""A connection to a Chroma server that always ends in time, and knows its collections."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
from chromadb.api.client import Client
from chromadb.api.collection_configuration import CreateCollectionConfiguration
from chromadb.auth import UserIdentity
from chromadb.config import Settings
from chromadb.errors import NotFoundError
from overrides import override

if TYPE_CHECKING:
    from chromadb import Collection

CONFIGURATION: CreateCollectionConfiguration = {"hnsw": {"space": "cosine"}}


class BoundedClient(Client):
    """Chroma's client with a time-out for every call, those of its own construction included.

    It has no setting for one, so its HTTP session gets it here, in the first call that the constructor makes.
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
        """No lock: threads that arrive together connect twice, but none waits for another's time-out."""
        if self._client is None:
            self._client = _connect(self._url, self._timeout, self._token)
        return self._client

    def call(self, name: str, act: "Callable[[Collection], Any]", *, make: bool = False) -> Any:
        """`act` on the collection `name`; None if it isn't there and `make` is off.

        A handle names a collection by an id of the server, so it is looked up again when another process dropped
        the collection and made a new one of that name.
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
        """Delete the collection, if it is there."""
        self._handles.pop(name, None)
        try:
            self.client().delete_collection(name)
        except NotFoundError:
            return


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
    except ValueError as error:  # it hides what went wrong on the wire behind one
        raise error.__context__ if isinstance(error.__context__, httpx.HTTPError) else error from None


def _refuse(response: httpx.Response) -> None:
    """Raise for an error that isn't Chroma's own; its client would raise a bare Exception with the page's text."""
    if response.is_error:
        response.read()
        if '"error"' not in response.text or response.is_server_error:
            response.raise_for_status()
