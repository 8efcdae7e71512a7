"""A restart under systemd keeps connections waiting: systemd holds the socket, and the site takes it over."""

import shutil
import socket
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import httpx
import psutil
import pytest

from tests.jobs.workers import database_url
from tests.support.databases import ON_SQLITE
from tests.support.nginx import Proxy, proxied
from tests.support.ports import free_port
from tests.support.processes import Program

CLIENTS = 8
AS_SYSTEMD = 'exec 3<&"$0"; LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=web exec "$@"'


def start(folder: Path, port: int, listening: socket.socket | None, *through: str) -> Program:
    """The served site, on the socket if there is one."""
    words = ["serve", "--port", str(port), "--workers", "2"]
    site = {"DATABASE_URL": database_url(), "PLUMBLINE_VAR": str(folder), "PLUMBLINE_ALLOWED_HOSTS": "*"}
    if listening is None:
        return Program(folder / "web.log", *words, through=through, **site)
    number = listening.fileno()
    passing = ["bash", "-c", AS_SYSTEMD, str(number)]
    return Program(folder / "web.log", *words, through=passing, pass_fds=[number], **site)


def healthy(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=60).status_code == 200
    except httpx.TransportError:
        return False


@contextmanager
def asking(proxy: Proxy) -> Iterator[Counter[str]]:
    """What becomes of the requests that clients send all the time inside this block."""
    outcomes, over = Counter[str](), Event()

    def ask() -> None:
        with proxy.client() as client:
            while not over.is_set():
                outcomes[str(client.get(f"{proxy.address}/healthz", timeout=60).status_code)] += 1
                time.sleep(0.02)

    with ThreadPoolExecutor(CLIENTS) as pool:
        for _ in range(CLIENTS):
            pool.submit(ask)
        try:
            yield outcomes
        finally:
            over.set()


def restart(folder: Path, listening: socket.socket | None) -> Counter[str]:
    """What becomes of requests while the site ends and starts again, as systemd restarts it."""
    port = listening.getsockname()[1] if listening else free_port()
    program = start(folder, port, listening)
    try:
        program.wait_for(lambda: healthy(port))
        with proxied(folder / "nginx", f"127.0.0.1:{port}", folder) as proxy, asking(proxy) as outcomes:
            time.sleep(0.5)
            served = psutil.Process(program.process.pid).children(recursive=True)
            program.stop()
            assert program.process.returncode == 0
            assert not any(process.is_running() for process in served)
            program = start(folder, port, listening)
            program.wait_for(lambda: healthy(port))
            time.sleep(0.5)
    finally:
        program.stop()
    return outcomes


@ON_SQLITE
def test_no_page_is_refused_while_the_site_restarts(database: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=4096) as listening:
        outcomes = restart(tmp_path, listening)
    assert set(outcomes) == {"200"}, outcomes
    assert outcomes["200"] > CLIENTS


@ON_SQLITE
def test_the_socket_is_taken_over_as_systemd_passes_it(database: str, tmp_path: Path) -> None:
    program = shutil.which("systemd-socket-activate")
    if program is None:
        pytest.skip("there is no systemd-socket-activate")
    port = free_port()
    activated = start(tmp_path, port, None, program, "--listen", f"127.0.0.1:{port}")
    try:
        activated.wait_for(lambda: healthy(port))
        (own,) = {
            line.laddr.port
            for line in psutil.Process(activated.process.pid).net_connections("tcp")
            if line.status == "LISTEN"
        }
        assert own == port
    finally:
        activated.stop()
