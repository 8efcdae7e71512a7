"""What the README tells the reader to type is what CI runs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from deploy import suite

ROOT = Path(__file__).resolve().parents[2]
TWO_COMMANDS = ["python3 manage.py demo", "python3 manage.py test"]


def commands_of(section: str, text: str) -> list[str]:
    """Return the commands in the fenced blocks of one section of a Markdown text, comments left out."""
    parts = re.split(r"^## +(.+)$", text, flags=re.MULTILINE)
    body = dict(zip(parts[1::2], parts[2::2], strict=True))[section]
    blocks = re.findall(r"^```\w*\n(.*?)^```", body, flags=re.MULTILINE | re.DOTALL)
    lines = [line.split(" #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def test_the_readme_sets_up_by_exactly_two_commands() -> None:
    assert commands_of("Set-up", (ROOT / "README.md").read_text()) == TWO_COMMANDS


def test_ci_runs_the_readmes_own_test_command(tmp_path: Path) -> None:
    """Run .ci/run with a `python3` that only writes down how it was called, and refuses."""
    recorder = tmp_path / "python3"
    recorder.write_text(f'#!/bin/sh\nprintf "python3 %s" "$*" > "{tmp_path}/called"\nexit 7\n')
    recorder.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run([ROOT / ".ci" / "run"], cwd=tmp_path, env=os.environ | {"PATH": path})
    assert done.returncode == 7
    assert (tmp_path / "called").read_text() == TWO_COMMANDS[1]


def test_ci_finds_the_collections_beside_the_checkout(tmp_path: Path) -> None:
    copy = tmp_path / "a checkout" / ".ci" / "run"
    copy.parent.mkdir(parents=True)
    copy.write_text((ROOT / ".ci" / "run").read_text())
    (tmp_path / "shared" / "data").mkdir(parents=True)
    recorder = tmp_path / "python3"
    recorder.write_text('#!/bin/sh\necho "$PLUMBLINE_COLLECTIONS $CI"\n')
    recorder.chmod(0o755)
    environment = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", copy], env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == f"{tmp_path / 'shared' / 'data'} true"


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["test", "--version"], ["help", "migrate"]])
def test_arguments_pass_through(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=os.environ | {"PLUMBLINE_NO_VENV": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    expected = f"pytest {pytest.__version__}" if arguments[0] == "test" else "usage: manage.py migrate"
    assert (done.stdout + done.stderr).startswith(expected)


def test_compiled_modules_are_kept_apart_where_none_may_lie_beside_their_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suite, "BYTECODE", tmp_path)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", "")
    suite.keep_bytecode()
    subprocess.run([sys.executable, "-c", "import tomllib"], check=True)
    assert list(tmp_path.rglob("tomllib/*.pyc"))
