"""The site of the documents, built once for all processes of a run."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.support.run import sole
from tests.support.tree import ROOT


def build(folder: Path, configuration: Path = ROOT / "mkdocs.yml") -> "subprocess.CompletedProcess[str]":
    """Build a site as `manage.py docs` does, into `folder`."""
    call = f"build(Path({str(folder)!r}), Path({str(configuration)!r}))"
    program = f"import sys; from pathlib import Path; from deploy.documents import build; sys.exit({call})"
    return subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)


@pytest.fixture(scope="session")
def site(run_folder: Path) -> Path:
    """The folder of the built site."""
    for path in filter(Path.is_file, [ROOT / "mkdocs.yml", *(ROOT / "docs").rglob("*")]):
        path.read_bytes()  # another process builds the site; so --changed knows what it depends on
    folder = run_folder / "documents"
    with sole(run_folder, "documents") as is_first:
        if is_first:
            done = build(folder)
            assert done.returncode == 0, done.stdout + done.stderr
    return folder


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and prints nothing."""

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on a free port while the block lasts. Yield the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """The address at which the built site is served."""
    with served(site) as address:
        yield address
