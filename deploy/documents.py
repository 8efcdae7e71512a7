"""`python3 manage.py docs`: the site of the documents, built into `var/site`.

The build is strict: a broken link, a broken anchor or a page that is not in the navigation ends it with an
error. `--serve` shows the site while you write, and builds it again after each change.
"""

import argparse
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONFIGURATION = ROOT / "mkdocs.yml"
ADDRESS = "127.0.0.1:8001"
"""Not the port of the demo, so that both can run."""


def run(arguments: list[str]) -> int:
    """Build the site, or serve it until it is interrupted. Return the exit code."""
    parser = argparse.ArgumentParser(prog="manage.py docs", description="Build the site of the documents.")
    parser.add_argument(
        "--serve",
        action="store_true",
        help=f"show the site on {ADDRESS} and build it again after each change",
    )
    parser.add_argument(
        "--output", type=Path, metavar="FOLDER", default=ROOT / "var" / "site", help="default: var/site"
    )
    options = parser.parse_args(arguments)
    if options.serve:
        with suppress(KeyboardInterrupt):
            mkdocs("serve", "--livereload", "--dev-addr", ADDRESS, "--watch", str(ROOT / "evaluation"))
        return 0
    code = build(options.output.absolute())
    if code == 0:
        sys.stdout.write(f"Open {options.output / 'index.html'} in a browser.\n")
    return code


def build(folder: Path, configuration: Path = CONFIGURATION) -> int:
    """Build the site into a folder, strictly. Return the exit code."""
    return mkdocs("build", "--strict", "--clean", "--site-dir", str(folder), configuration=configuration)


def mkdocs(command: str, *arguments: str, configuration: Path = CONFIGURATION) -> int:
    """Run MkDocs on this project, or on another configuration. Return the exit code."""
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "mkdocs", command, "--config-file", str(configuration), *arguments],
        cwd=configuration.parent,
        # Material's advertisement of its successor is no fault of a page.
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        check=False,
    )
    return done.returncode
