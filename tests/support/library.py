"""The library on the command line, as a researcher types it."""

import subprocess
import sys


def library(*arguments: object) -> str:
    """`python -m evaluation …`, which must succeed; its standard output."""
    done = subprocess.run(
        [sys.executable, "-m", "evaluation", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
