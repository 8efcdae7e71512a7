"""A wrong setting is named in one line, whatever the command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WRONG = [
    ("DATABASE_URL", "foo"),
    ("DATABASE_URL", "mysql://a/b"),
    ("DATABASE_URL", "sqlite:////nosuch/x.db"),
    ("DATABASE_URL", "postgres://u:p@127.0.0.1:1/x"),
    ("REDIS_URL", "foo"),
    ("REDIS_URL", "http://127.0.0.1:6379/0"),
    ("REDIS_URL", "redis://127.0.0.1:port/0"),
    ("REDIS_URL", "redis://127.0.0.1/first"),
    ("PLUMBLINE_SECRET_KEY", "short"),
    ("PLUMBLINE_DEBUG", "maybe"),
    ("PLUMBLINE_HTTPS", "yes"),
    ("PLUMBLINE_VAR", "/proc/nope"),
    ("PLUMBLINE_VAR", "README.md"),
    ("PLUMBLINE_STATIC", "/proc/nope"),
    ("PLUMBLINE_NO_VENV", "yes"),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_setting_is_named_in_one_line(name: str, value: str, tmp_path: Path) -> None:
    inherited = {key: text for key, text in os.environ.items() if key != "DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, "manage.py", "check_study", "any"],
        cwd=ROOT,
        env=inherited | {"PLUMBLINE_VAR": str(tmp_path)} | {name: value},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("plumbline: ")
    assert done.stderr.count("\n") == 1
    assert name in done.stderr


def test_a_full_disk_is_told_in_one_line(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "manage.py", "help"],
            cwd=ROOT,
            env=os.environ | {"PLUMBLINE_VAR": str(tmp_path)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "disk is full" in done.stderr
