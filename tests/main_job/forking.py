"""Runs commands of Python in forks of one process that has imported what they need.

Each command has a process, arguments and output of its own, as from a shell, without the seconds that
Python takes to import Django and numpy. Start it as `python -m tests.main_job.forking` in the environment
that the commands are to have. It reads the arguments of one command per line, as a JSON list, and answers
each with one line, the JSON list of its exit code and its output.
"""

import json
import os
import runpy
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import IO

IMPORTED = (
    "deploy.commandline",
    "deploy.urls",
    "evaluation.cli",
    "judging.understanding.scoring",
    "judging.crowd.simulation",
    "judging.management.study_command",
    "scipy.stats",
)


class Forks:
    """The process that runs commands in its forks, in the folder `root`."""

    def __init__(self, root: Path, environment: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            cwd=root,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, arguments: list[str]) -> tuple[int, str]:
        """Run `python ARGUMENTS…` and return its exit code and what it printed."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(arguments) + "\n")
        self.process.stdin.flush()
        code, output = json.loads(self.process.stdout.readline())
        return code, output

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


def serve() -> None:
    """Run the commands that standard input names until it ends."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    for name in IMPORTED:
        __import__(name)
    for line in sys.stdin:
        with tempfile.TemporaryFile("w+") as output:
            child = os.fork()
            if not child:
                run(json.loads(line), output)
            _, status = os.waitpid(child, 0)
            output.seek(0)
            print(json.dumps([os.waitstatus_to_exitcode(status), output.read()]), flush=True)  # noqa: T201


def run(arguments: list[str], output: IO[str]) -> None:
    """Become `python ARGUMENTS…`, which prints into a file, and end."""
    status: object = 0
    os.dup2(output.fileno(), 1)
    os.dup2(output.fileno(), 2)
    try:
        if arguments[0] == "-m":
            sys.argv = [arguments[1], *arguments[2:]]
            runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = arguments
            runpy.run_path(arguments[0], run_name="__main__")
    except SystemExit as exit_:
        status = exit_.code
        if isinstance(status, str):
            sys.stderr.write(f"{status}\n")
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else int(status is not None))


if __name__ == "__main__":
    serve()
