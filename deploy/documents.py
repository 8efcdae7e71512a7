"""`python3 manage.py docs` builds the documentation site into `var/site`.

The build is strict: it fails on a broken link, a broken anchor or a page that is not in the navigation.
`--serve` shows the site while you write, and rebuilds it after each change. `--tables` writes the tables that
come from the code into the pages in `docs/`, and builds nothing.
"""

import argparse
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
CONFIGURATION = ROOT / "mkdocs.yml"
ADDRESS = "127.0.0.1:8001"
"""A different port from the demo's, so that both can run at the same time."""


def run(arguments: list[str]) -> int:
    """Build the site, serve it until the user interrupts it, or write the tables. Return the exit code."""
    parser = argparse.ArgumentParser(prog="manage.py docs", description="Build the documentation site.")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument(
        "--serve",
        action="store_true",
        help=f"serve the site on {ADDRESS} and rebuild it after each change",
    )
    mode.add_argument(
        "--tables",
        action="store_true",
        help="write the tables that come from the code into the pages in docs/, and build nothing",
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FOLDER",
        default=ROOT / "var" / "site",
        help="where to build the site (default: var/site)",
    )
    options = parser.parse_args(arguments)
    if options.tables:
        return write_tables()
    if options.serve:
        with suppress(KeyboardInterrupt):
            mkdocs("serve", "--livereload", "--dev-addr", ADDRESS, "--watch", str(ROOT / "evaluation"))
        return 0
    code = build(options.output.absolute())
    if code == 0:
        sys.stdout.write(f"Open {options.output / 'index.html'} in a browser.\n")
    return code


def write_tables(folder: Path = DOCS) -> int:
    """Write the generated tables into the pages of a folder. Return the exit code."""
    import django  # Imported here, because a build needs neither Django nor the site.

    django.setup()
    from deploy import tables

    try:
        pages = tables.rewrite(folder)
    except tables.MarkerError as error:
        sys.stderr.write(f"plumbline: {error}\n")
        return 1
    sys.stdout.writelines(f"{page}\n" for page in pages)
    return 0


def build(folder: Path, configuration: Path = CONFIGURATION) -> int:
    """Build the site into a folder in strict mode. Return the exit code."""
    return mkdocs("build", "--strict", "--clean", "--site-dir", str(folder), configuration=configuration)


def mkdocs(command: str, *arguments: str, configuration: Path = CONFIGURATION) -> int:
    """Run an MkDocs command with a configuration. Return the exit code."""
    with TemporaryDirectory() as folder:
        # The pages show the library under the name that its wheel installs.
        Path(folder, "plumbline_ir").symlink_to(ROOT / "evaluation")
        completed = subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-m", "mkdocs", command, "--config-file", str(configuration), *arguments],
            cwd=configuration.parent,
            # The theme Material warns about MkDocs 2, and a strict build fails on warnings.
            env=os.environ | {"NO_MKDOCS_2_WARNING": "1", "LIBRARY": folder},
            check=False,
        )
    return completed.returncode
