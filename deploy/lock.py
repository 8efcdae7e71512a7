"""Writes the hash-locked requirement files anew from pyproject.toml: `.venv/bin/python deploy/lock.py`.

`requirements.txt` is what a checkout has, tests and all; `requirements-server.txt`, at the very same
versions, what a site needs to run; `requirements-uv.txt` what installs the first.

They name no host and no address, only versions and hashes, for every platform and for Python 3.11 upwards.
Pass `--upgrade` to move every package to its newest version; without it, versions stay where they can.
"""

import subprocess
import sys
from pathlib import Path

DEPLOY = Path(__file__).resolve().parent
ROOT = DEPLOY.parent
COMPILE = ["uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes"]
PLAIN = ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]


def main() -> None:
    """Compile the three files with the uv beside this Python."""
    uv = Path(sys.executable).with_name("uv")
    command = [str(uv) if uv.exists() else "uv", *COMPILE[1:], *PLAIN, *sys.argv[1:]]
    everything = ["--extra", "server", "--extra", "figures", "--group", "test", "--group", "docs"]
    everything.append("pyproject.toml")
    compile_lock([*command, *everything, "-o", "deploy/requirements.txt"])
    same = ["--constraint", "deploy/requirements.txt"]
    server = ["--extra", "server", "pyproject.toml", *same]
    compile_lock([*command, *server, "-o", "deploy/requirements-server.txt"])
    compile_lock([*command, "-", "-o", "deploy/requirements-uv.txt"], stdin="uv\n")


def compile_lock(command: list[str], stdin: str = "") -> None:
    """Run one compilation in the project's root; exit with uv's own words where it fails."""
    done = subprocess.run(command, cwd=ROOT, input=stdin, text=True)  # noqa: S603 - fixed arguments
    if done.returncode:
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
