"""Releases in folders of their own: the switch, the way back, and processes that keep what they started with.

The scripts run for real. A stand-in for `systemctl` writes down what it was asked and where the link led.
"""

import os
import subprocess
import venv
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from shutil import copytree
from threading import Thread

import pytest

from tests.support.processes import ROOT

MANAGE = """
import sys
print(flush=True)
input()
import later
print(later.RELEASE, sys.prefix)
"""
SYSTEMCTL = """#!/bin/sh
echo "$* $(basename "$(readlink "$PLUMBLINE_LINK")")" >> "$SYSTEMCTL_LOG"
[ "$2" != "$SYSTEMCTL_FAILS" ]
"""
RESTARTED = [
    f"restart {unit}.service" for unit in ("plumbline-worker@*", "plumbline-web", "plumbline-scheduler")
]


class Ready(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.headers["Host"] == "judging.example.org" else 400)
        self.end_headers()

    def log_message(self, *words: object) -> None:
        """Say nothing."""


class Machine:
    """A machine with releases in folders, and a link to the one that runs."""

    def __init__(self, folder: Path, port: int) -> None:
        self.link, self.log, self.folder = folder / "plumbline", folder / "log", folder
        (folder / "bin").mkdir()
        (folder / "bin" / "systemctl").write_text(SYSTEMCTL)
        (folder / "bin" / "systemctl").chmod(0o755)
        (folder / "plumbline.env").write_text("PLUMBLINE_ALLOWED_HOSTS=judging.example.org\nEMAIL_URL=\n")
        self.variables = {
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "PLUMBLINE_LINK": str(self.link),
            "PLUMBLINE_ENV": str(folder / "plumbline.env"),
            "PLUMBLINE_PORT": str(port),
            "PLUMBLINE_PATIENCE": "1",
            "SYSTEMCTL_LOG": str(self.log),
        }

    def release(self, name: str) -> Path:
        """A folder with a release of that name and its packages."""
        folder = self.folder / name
        copytree(ROOT / "deploy", folder / "deploy", ignore=lambda *_: ["__pycache__"])
        venv.create(folder / ".venv", symlinks=True)
        (folder / "manage.py").write_text(MANAGE)
        (folder / "later.py").write_text(f"RELEASE = {name!r}")
        return folder

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [ROOT / "deploy" / "release.sh", *words],
            cwd=self.folder,
            env=self.variables | variables,
            capture_output=True,
            text=True,
        )

    def asked(self) -> list[str]:
        """What systemctl was asked since the last time, each with the release that the link led to."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return lines


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with HTTPServer(("127.0.0.1", 0), Ready) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield Machine(tmp_path, server.server_port)
        server.shutdown()


def order(release: str) -> list[str]:
    return [f"{verb} {release}" for verb in ("start plumbline-migrate.service", *RESTARTED)]


def test_a_switch_and_the_way_back(machine: Machine) -> None:
    first, second = machine.release("first"), machine.release("second")
    for release in (first, second):
        done = machine.run("switch", str(release))
        assert (done.returncode, done.stderr) == (0, "")
        assert machine.link.resolve() == release
        assert machine.asked() == order(release.name)
    for release in (first, second):  # and back from going back
        assert machine.run("back").returncode == 0
        assert machine.link.resolve() == release
        assert machine.asked() == order(release.name)
    assert not list(machine.folder.glob("*.new.*"))


def test_a_process_keeps_its_release_until_it_is_restarted(machine: Machine) -> None:
    first, second = machine.release("first"), machine.release("second")
    machine.run("switch", str(first))

    def start() -> subprocess.Popen[str]:
        command = [machine.link / "deploy" / "run", "serve"]
        pipe = subprocess.PIPE
        started = subprocess.Popen(command, cwd=machine.link, stdin=pipe, stdout=pipe, text=True)
        assert started.stdout
        assert started.stdout.readline() == "\n"
        return started

    running = start()
    assert machine.run("switch", str(second)).returncode == 0
    restarted = start()
    assert running.communicate("\n")[0] == f"first {first / '.venv'}\n"
    assert restarted.communicate("\n")[0] == f"second {second / '.venv'}\n"


def test_a_failed_migration_leaves_the_old_release(machine: Machine) -> None:
    first, second = machine.release("first"), machine.release("second")
    machine.run("switch", str(first))
    machine.asked()
    done = machine.run("switch", str(second), SYSTEMCTL_FAILS="plumbline-migrate.service")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert machine.link.resolve() == first
    assert machine.asked() == ["start plumbline-migrate.service second"]


def test_a_site_that_is_not_ready_is_told(machine: Machine) -> None:
    (machine.folder / "plumbline.env").write_text("PLUMBLINE_ALLOWED_HOSTS=elsewhere.example.org\n")
    done = machine.run("switch", str(machine.release("first")))
    assert done.returncode == 1
    assert "release.sh back" in done.stderr


@pytest.mark.parametrize(
    "words", [[], ["switch"], ["switch", "none"], ["switch", "."], ["back"], ["forward"]]
)
def test_what_cannot_be_switched_to_is_refused_in_a_line(machine: Machine, words: list[str]) -> None:
    done = machine.run(*words)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert machine.asked() == []
    assert not machine.link.is_symlink()


def test_a_folder_in_the_place_of_the_link_is_left_alone(machine: Machine) -> None:
    machine.link.mkdir()
    assert machine.run("switch", str(machine.release("first"))).returncode == 1
    assert machine.link.is_dir()
    assert machine.asked() == []
