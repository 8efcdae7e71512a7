"""The demo as people run it: in a process of its own, with data of its own, served for real."""

import os
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.support.ports import free_port
from tests.support.visitor import Visitor, through_http

ROOT = Path(__file__).resolve().parents[2]


def environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return kept | {"PLUMBLINE_VAR": str(folder), "PLUMBLINE_NO_VENV": "1", "PYTHONUNBUFFERED": "1"}


@contextmanager
def demo(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """`manage.py demo` while the block lasts."""
    process = subprocess.Popen(
        [sys.executable, "manage.py", "demo", *arguments],
        cwd=ROOT,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def read_until(process: subprocess.Popen[str], words: str) -> str:
    """What the process says up to the line with these words."""
    said = ""
    assert process.stdout
    assert process.stderr
    for line in process.stdout:
        said += line
        if words in line:
            return said
    raise AssertionError(f"it ended without saying {words!r}:\n{said}\n{process.stderr.read()}")


def counts(folder: Path) -> dict[str, int]:
    tables = ("participation", "assignment", "judgment", "unit", "study")
    with closing(sqlite3.connect(folder / "plumbline.sqlite3")) as database:
        return {
            table: database.execute(f"SELECT count(*) FROM judging_{table}").fetchone()[0] for table in tables
        }


def test_a_demo_is_interrupted_completed_served_and_run_again(tmp_path: Path) -> None:
    check_interrupted(tmp_path)
    check_completed_and_served(tmp_path)
    check_run_again(tmp_path)


def check_interrupted(folder: Path) -> None:
    with demo(folder, "--no-serve") as process:
        read_until(process, "simulated workers judge study sample")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "Traceback" not in errors
    assert errors.splitlines()[-1] == "Interrupted. The same command goes on where it stopped."


def check_completed_and_served(folder: Path) -> None:
    port = free_port()
    with demo(folder, "--port", str(port)) as process:
        said = read_until(process, "Password:")
        assert re.search(r"(\d+) of \1 units done", said)
        assert "The medians ascend: N, M, R, H." in said
        assert re.search(r"^run .*nDCG@10 by magnitudes +nDCG@10 by grades", said, re.MULTILINE)
        assert len(re.findall(r"^Kendall's τ_b .*: (?:0|1)\.\d{4}$", said, re.MULTILINE)) == 2
        site = f"http://127.0.0.1:{port}"
        assert f"{site}/s/try/" in said
        read_until(process, "Quit")
        check_what_is_served(site, said)


def check_what_is_served(site: str, said: str) -> None:
    """What the demo promises: the way into `try`, and the console for who logs in as told."""
    visitor = Visitor(through_http(site))
    assert visitor.open("/s/try/").form_with("consent").offers("consent")
    password = re.search(r"Password: +(\S+)", said)
    assert password
    visitor.open("/console/studies/sample/")
    page = visitor.send(username="demo", password=password[1])
    assert page.status == 200
    assert page.path == "/console/studies/sample/"


def check_run_again(folder: Path) -> None:
    before, password = counts(folder), (folder / "demo-login").read_text()
    with demo(folder, "--no-serve") as process:
        said, _ = process.communicate(timeout=300)  # what was not computed while it served is computed now
    assert process.returncode == 0
    assert "Study sample stands already." in said
    assert "The medians ascend" in said
    assert counts(folder) == before
    assert before["study"] == 2
    with closing(sqlite3.connect(folder / "plumbline.sqlite3")) as database:
        kinds = {kind for (kind,) in database.execute("SELECT DISTINCT kind FROM judging_report")}
    assert {"grades", "scores", "figure"} <= kinds
    assert (folder / "demo-login").read_text() == password
    assert stat.S_IMODE((folder / "demo-login").stat().st_mode) == 0o600


def test_a_taken_port_is_told_in_one_line(tmp_path: Path) -> None:
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with demo(tmp_path, "--port", str(port)) as process:
            said, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert said == ""
    assert errors.startswith(f"Port {port} is taken or not allowed; choose another: python3 manage.py demo")
    assert len(errors.splitlines()) == 1
