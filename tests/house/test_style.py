"""The tree is linted, formatted, typed, its lines are short, and its imports run one way."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support.tree import ROOT, tree

MOST_CHARACTERS = 120
TOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
LEFT_OUT = TOOLS["ruff"]["extend-exclude"]
"""Generated migrations."""

KEEPS_WHITE_SPACE = r"""<(?:pre\b|[^>]*\bclass="typed")[^>]*>"""
ADDED_WHITE_SPACE = {
    "before a text that keeps it": re.compile(KEEPS_WHITE_SPACE + r"(?!\n?\{\{)"),  # HTML takes one line end
    "after a text that keeps it": re.compile(KEEPS_WHITE_SPACE + r"[^<]*\s</"),
    "before a comma": re.compile(r"\s(\{% (if|for|with)\b[^%]*%\})+[,.;:!?)]"),
}
"""What the formatter gets wrong: texts of the class `typed`, and a comma at the beginning of a condition."""


@pytest.mark.parametrize(
    "command",
    [
        pytest.param([sys.executable, "-m", "ruff", "check", "--no-cache", "."], id="lint"),
        pytest.param([sys.executable, "-m", "ruff", "format", "--no-cache", "--check", "."], id="format"),
        pytest.param(
            [Path(sys.executable).with_name("djangofmt"), "--check", "templates", "deploy/nginx/pages"],
            id="templates",
        ),
        pytest.param([sys.executable, "-m", "mypy"], id="types"),
        pytest.param(
            [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"],
            id="imports",
        ),
    ],
)
def test_the_tree_satisfies(command: list[str | Path]) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def hand_written(*kinds: str) -> dict[str, str]:
    """Return path → text of the files with these endings, without generated files and vendored libraries."""
    return {
        path: file.read_text(encoding="utf-8")
        for file in tree()
        for path in [str(file.relative_to(ROOT))]
        if file.suffix in kinds and not path.startswith((*LEFT_OUT, "static/vendor/"))
    }


def test_lines_are_short() -> None:
    long = [
        f"{path}:{number}: {len(line)} characters"
        for path, text in hand_written(".py", ".html", ".css", ".js").items()
        for number, line in enumerate(text.splitlines(), start=1)
        if len(line) > MOST_CHARACTERS
    ]
    assert not long, "\n".join(long)


@pytest.mark.parametrize("where", ADDED_WHITE_SPACE)
def test_templates_add_no_white_space_that_shows(where: str) -> None:
    results = [
        f"{path}: {match[0]!r}"
        for path, text in hand_written(".html").items()
        for match in ADDED_WHITE_SPACE[where].finditer(text)
    ]
    assert not results, "\n".join(results)
