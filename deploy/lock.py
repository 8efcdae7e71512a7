"""Write the hash-locked requirement files from pyproject.toml: `.venv/bin/python deploy/lock.py`.

- `requirements.txt` lists the packages of a checkout, including those for tests and docs.
- `requirements-server.txt` lists the packages of a running site, at the same versions.
- `requirements-uv.txt` lists uv, which installs the packages in the first file.

The files contain versions and hashes for every platform and for Python 3.11 or newer. They do not name a
package index. Pass `--upgrade` to move every package to its newest version. Otherwise, a version changes only
if it no longer meets the requirements.
"""

import subprocess
import sys
from pathlib import Path

DEPLOY = Path(__file__).resolve().parent
ROOT = DEPLOY.parent
COMPILE = ["uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes"]
PLAIN = ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]


def main() -> None:
    """Compile the three files with the uv of this environment, or else with the uv on the PATH."""
    uv = Path(sys.executable).with_name("uv")
    command = [str(uv) if uv.exists() else "uv", *COMPILE[1:], *PLAIN, *sys.argv[1:]]
    extras = ["--extra", "figures", "--extra", "report"]
    checkout = [*extras, "--group", "server", "--group", "test", "--group", "docs"]
    checkout.append("pyproject.toml")
    compile_lock([*command, *checkout, "-o", "deploy/requirements.txt"])
    same_versions = ["--constraint", "deploy/requirements.txt"]
    server = ["--group", "server", "pyproject.toml", *same_versions]
    compile_lock([*command, *server, "-o", "deploy/requirements-server.txt"])
    compile_lock([*command, "-", "-o", "deploy/requirements-uv.txt"], stdin="uv\n")


def compile_lock(command: list[str], stdin: str = "") -> None:
    """Run a uv command in the project's root. If it fails, exit with its exit code."""
    completed = subprocess.run(command, cwd=ROOT, input=stdin, text=True)  # noqa: S603 - fixed arguments
    if completed.returncode:
        sys.exit(completed.returncode)


if __name__ == "__main__":
    main()
