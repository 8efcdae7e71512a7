"""The demo as people run it, with data of its own: interrupted, completed, served for real and run again."""

import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from judging.models import Assignment, Judgment, Participation, Study, Unit
from tests.support.databases import as_default, configured
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
    message = ""
    assert process.stdout
    assert process.stderr
    for line in process.stdout:
        message += line
        if words in line:
            return message
    raise AssertionError(f"it ended without saying {words!r}:\n{message}\n{process.stderr.read()}")


@pytest.mark.slow
def test_a_demo_is_interrupted_completed_served_and_run_again(
    tmp_path: Path, transactional_db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_interrupted(tmp_path)
    check_completed_and_served(tmp_path)
    settings.VAR = tmp_path
    with as_default(configured(f"sqlite:///{tmp_path}/plumbline.sqlite3")):
        check_run_again(tmp_path, monkeypatch)


def check_interrupted(folder: Path) -> None:
    with demo(folder, "--no-serve") as process:
        read_until(process, "simulated workers judge study sample")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "Traceback" not in errors


def check_completed_and_served(folder: Path) -> None:
    port = free_port()
    with demo(folder, "--port", str(port)) as process:
        output = read_until(process, "Password:")
        assert re.search(r"(\d+) of \1 units done", output)
        assert "N, M, R, H." in output
        assert re.search(r"^run .*nDCG@10 by magnitudes +nDCG@10 by grades", output, re.MULTILINE)
        assert len(re.findall(r"^Kendall's τ_b .*: (?:0|1)\.\d{4}$", output, re.MULTILINE)) == 2
        site = f"http://127.0.0.1:{port}"
        assert f"{site}/s/try/" in output
        read_until(process, "Quit")
        check_what_is_served(site, output)


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


def check_run_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not computed while it served is computed now, and nothing else has changed."""
    finished: list[str] = []
    monkeypatch.setattr(
        "judging.management.commands.demo.finish_study", lambda study, now: finished.append(study.slug)
    )
    before, password = counts(), (folder / "demo-login").read_text()
    call_command("demo", "--no-serve", stdout=StringIO())
    assert counts() == before
    assert before["Study"] == 2
    assert finished == ["sample"]
    assert (folder / "demo-login").read_text() == password
    assert stat.S_IMODE((folder / "demo-login").stat().st_mode) == 0o600


def counts() -> dict[str, int]:
    models = (Participation, Assignment, Judgment, Unit, Study)
    return {model.__name__: model.objects.count() for model in models}


def test_a_taken_port_is_told_before_any_work_is_done(db: None) -> None:
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(CommandError, match=str(port)):
            call_command("demo", "--port", str(port))
    assert not Study.objects.exists()
