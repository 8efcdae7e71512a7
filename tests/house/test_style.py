"""The tree is linted, formatted, typed, and its imports run one way."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    "command",
    [
        pytest.param([sys.executable, "-m", "ruff", "check", "--no-cache", "."], id="lint"),
        pytest.param([sys.executable, "-m", "ruff", "format", "--no-cache", "--check", "."], id="format"),
        pytest.param([sys.executable, "-m", "mypy"], id="types"),
        pytest.param(
            [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"],
            id="imports",
        ),
    ],
)
def test_the_tree_satisfies(command: list[str]) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
