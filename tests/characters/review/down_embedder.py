"""For tests without an embedder."""

from collections.abc import Sequence
from typing import NoReturn

from kgadmin.stores.errors import StoreError


class Down:
    """An embedder that doesn't answer."""

    def embed(self, texts: Sequence[str]) -> NoReturn:
        raise StoreError("The embedder does not answer.")
