"""`docs/reference/command-line.md` shows what the commands print; each is run on the page's files."""

import re
import shlex
from pathlib import Path

import pytest

from evaluation.cli import COMMANDS
from tests.support.printed import check_alike

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "command-line.md").read_text()
BLOCK = re.compile(r"^```(text|console)(?: title=\"(\S+)\")?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PROMPT = "$ plumbline "


def sessions() -> list[tuple[str | None, str]]:
    """The page's files, by name, and what stands in its console blocks, in their order."""
    return [(name or None, content) for _, name, content in BLOCK.findall(PAGE)]


def commands(content: str) -> list[tuple[str, str]]:
    """Each command of a console block, and what is shown below it."""
    results = []
    for part in re.split(r"^(?=\$ )", content, flags=re.MULTILINE)[1:]:
        command, _, below = part.partition("\n")
        results.append((command, below))
    return results


def test_the_page_shows_what_the_commands_print(shell, tmp_path):
    tried = set()
    for name, content in sessions():
        if name:
            (tmp_path / name).write_text(content)
            continue
        for command, shown in commands(content):
            assert command.startswith(PROMPT)
            words = shlex.split(command.removeprefix(PROMPT))
            done = shell(*words)
            check_alike(done.stdout + done.stderr, shown, command)
            tried.add(words[0])
    assert tried == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_page_has_every_command(command):
    assert f"\n## `{command}`\n" in PAGE
