"""`docs/how-to-cranfield.md` says the truth: its files are written, its commands run, its output compared."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HOW_TO = ROOT / "docs" / "how-to-cranfield.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
TIMES = re.compile(r"[\d.]+ s by ours, \d+ ms a unit")


def blocks(kind: str) -> list[str]:
    return [text for found, text in BLOCK.findall(HOW_TO.read_text()) if found == kind]


def steps() -> list[tuple[str, str]]:
    """Each command, and what it prints."""
    text = "".join(blocks("console"))
    parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


@pytest.fixture
def folder(collections: Path, tmp_path: Path) -> Path:
    """The reader's folder `cranfield`, with the collection and the two files that the page gives."""
    folder = tmp_path / "cranfield"
    folder.mkdir()
    for name in ("cran.all.1400", "cran.qry", "cranqrel"):
        shutil.copy(collections / "cranfield" / name, folder / name)
    (script,), (study,) = blocks("python"), blocks("toml")
    (folder / "rank.py").write_text(script)
    (folder / "study.toml").write_text(study)
    return folder


def test_every_command_prints_what_the_page_says(folder: Path) -> None:
    environment = os.environ | {
        "PLUMBLINE_VAR": str(folder.parent / "var"),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    environment.pop("DATABASE_URL", None)

    def printed(command: str) -> str:
        done = subprocess.run(
            ["bash", "-c", command.replace("cranfield/", f"{folder}/")],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout.replace(f"{folder}/", "cranfield/")

    printed("python manage.py migrate --verbosity 0")
    assert len(steps()) > 15
    for command, said in steps():
        assert TIMES.sub("…", printed(command)) == TIMES.sub("…", said), command
