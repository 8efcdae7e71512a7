"""A page of the documentation that is walked through: its files, its commands, and what they print."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.main_job.forking import Forks
from tests.support.printed import check_alike

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILE = re.compile(r'^```\w+ title="([^"]*)"\n(.*?)^```$', re.DOTALL | re.MULTILINE)
PYTHON = re.compile(r"python ([^|&;()<>]+)$")
"""A command that starts Python and does nothing else: its arguments."""
TIMES = re.compile(r"Real time: [\d.]+ s, \d+ ms per unit")
"""How long a simulation took: no two runs print the same."""


@dataclass(frozen=True)
class Page:
    path: Path

    def blocks(self, kind: str) -> list[str]:
        """The texts of the fenced blocks of one kind."""
        return [text for found, text in BLOCK.findall(self.path.read_text()) if found == kind]

    def files(self) -> list[tuple[str, str]]:
        """Each block that is a file: its name and its text."""
        return FILE.findall(self.path.read_text())

    def steps(self) -> list[tuple[str, str]]:
        """Each command, and what it prints."""
        parts = re.split(r"^\$ (.*)\n", "".join(self.blocks("console")), flags=re.MULTILINE)[1:]
        return list(zip(parts[::2], parts[1::2], strict=True))

    def check_commands(
        self, var: Path, there: Callable[[str], str], as_written: Callable[[str], str]
    ) -> None:
        """Run all commands in turn on the new database in `var`; each prints what the page says.

        `there` puts the folder of the test into a command, `as_written` takes it out of what is printed.
        """
        environment = os.environ | {
            "PLUMBLINE_VAR": str(var),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        }
        environment.pop("DATABASE_URL", None)
        with closing(Forks(ROOT, environment)) as forks:
            assert self.steps()
            for command, said in self.steps():
                code, printed = run(there(command), forks, environment)
                assert code == 0, printed
                check_alike(TIMES.sub("…", as_written(printed)), TIMES.sub("…", said), command)


def run(command: str, forks: Forks, environment: Mapping[str, str]) -> tuple[int, str]:
    """Run a command as a shell would, and return its exit code and output.

    One that does nothing but start Python runs in a fork.
    """
    if result := PYTHON.match(command):
        words = subprocess.check_output(
            ["bash", "-c", f"printf '%s\\n' {result[1]}"], cwd=ROOT, env=environment, text=True
        )
        return forks.run(words.splitlines())
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout
