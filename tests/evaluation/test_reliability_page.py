"""`docs/reference/compare/reliability.md` on real systems: the script, the commands and the table."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "compare" / "reliability.md").read_text()
PROMPT = "$ "


def block(kind: str, holds: str) -> str:
    """The one block of a kind that has a certain text."""
    (found,) = [text for text in re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.M | re.S) if holds in text]
    return found


def steps() -> list[tuple[str, str]]:
    """Each command, and what stands below it."""
    parts = re.split(r"^\$ (.*)\n", block("console", PROMPT), flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


@pytest.fixture
def folder(collections, tmp_path):
    """Where the reader has put the published matrices and the page's script."""
    for path in (collections / "trec8_scores").glob("*.csv"):
        shutil.copy(path, tmp_path / path.name)
    (tmp_path / "trec8.py").write_text(block("python", "csv.DictReader"))
    return tmp_path


@pytest.mark.slow
def test_every_command_prints_what_the_page_says(folder, installed):
    path = f"{installed / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = os.environ | {"PYTHONPATH": str(installed), "PATH": path}
    assert len(steps()) == 4
    for command, said in steps():
        done = subprocess.run(
            ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), command
        assert done.stdout == said, command


def test_the_table_repeats_what_was_printed():
    """Each cell is found in the line that the commands print for its measure."""
    printed = {
        (row[0], row[1]): row[2:] for row in map(str.split, "".join(said for _, said in steps()).splitlines())
    }
    lines = {
        "minority rate at f = .05": ("0.05", 0),
        "ties at f = .05": ("0.05", 1),
        "ties at 5 % minority": ("-", 1),
        "absolute difference needed": ("absolute", 0),
        "relative difference needed": ("relative", 0),
        "discriminative power": ("power", 0),
    }
    for name, (row, place) in lines.items():
        cells = re.search(rf"^\| {re.escape(name)} \| (.*) \| `\w+` \|$", PAGE, re.MULTILINE)[1].split(" | ")
        for measure, cell in zip(("AP", "P@10", "RR"), cells, strict=True):
            value = printed[measure, row][place]
            assert cell == "none" if value == "-" else float(cell) == float(value), (name, measure)
