"""An HTTP client that is closed when the tests of a file are over, also where nobody does it."""

from collections.abc import Iterator
from typing import Any
from weakref import WeakSet

import httpx
import pytest

WITHOUT_CERTIFICATES: dict[str, Any] = {"verify": False}
"""Reading the certificates of this machine takes 30 ms, and the sites of most tests speak plain HTTP."""
_made: WeakSet["HttpClient"] = WeakSet()


class HttpClient(httpx.Client):
    """httpx's client; a socket left open would be told of as a fault of some later test."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**WITHOUT_CERTIFICATES | settings)
        _made.add(self)


def get(address: str, **settings: Any) -> httpx.Response:
    """One request by a connection of its own."""
    return httpx.get(address, **WITHOUT_CERTIFICATES | settings)


@pytest.fixture(scope="module", autouse=True)
def _close_clients() -> Iterator[None]:
    yield
    for client in list(_made):
        client.close()
