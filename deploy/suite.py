"""`python3 manage.py test` installs the programs that the tests need, and runs the test suite.

Without arguments, the command tests every rule of the site and of the library. `--quick` and `--changed` run
fewer tests, and `--full` also runs the long tests. `--times` shows how long the tests take. The command
passes all arguments on to pytest.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from deploy.installer import say

ROOT = Path(__file__).resolve().parent.parent
UNPACKED = Path(sys.prefix) / "programs"
"""The folder into which the suite unpacks Debian packages without installing them."""
BYTECODE = Path(sys.prefix) / "bytecode"
"""The folder for compiled modules if Python must not write them next to their sources."""
SPEEDS = {"--quick", "--changed", "--full", "--times"}
"""The suite's own arguments. If a command has no other arguments, the tests run on several cores."""
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Names of Chromium, in order of preference.

The first program draws no windows, so it loads pages twice as fast.
"""
INFORMATION_ONLY = {"-h", "--help", "-V", "--version", "--co", "--collect-only", "--fixtures", "--markers"}
MOST_PROCESSES = 4


def run(arguments: list[str]) -> int:
    """Run pytest with these arguments. Return the exit code."""
    keep_bytecode()
    import pytest

    os.chdir(ROOT)
    if not INFORMATION_ONLY.intersection(arguments):
        install_programs()
    if SPEEDS.issuperset(arguments):
        # "worksteal" keeps neighbouring tests in one process, so that they share their module's fixtures.
        tests_wait = "--quick" not in arguments
        arguments = [*arguments, "-n", str(worker_count(tests_wait=tests_wait)), "--dist", "worksteal"]
    # List each skipped test by its name instead of counting skips per line.
    return int(pytest.main(["--no-fold-skipped", *arguments]))


def keep_bytecode() -> None:
    """Let this process and its children share compiled modules, so that each module is compiled only once."""
    if sys.dont_write_bytecode:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        sys.dont_write_bytecode = False
        sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(BYTECODE)


def worker_count(*, tests_wait: bool) -> int:
    """Return how many test processes to start: one for each core that this process can use, up to a limit.

    If the tests wait for browsers and servers, add one process, which can run while others wait.
    """
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min(cores + tests_wait, MOST_PROCESSES)


def find_chromium() -> str | None:
    """Return the path of an installed Chromium, or None."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def find_nginx() -> str | None:
    """Return the path of nginx, or None. The suite uses an installed nginx, or else one that it unpacked."""
    folders = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", str(UNPACKED / "usr" / "sbin")])
    return shutil.which("nginx", path=folders)


def find_faketime() -> str | None:
    """Return the path of libfaketime, or None. This library changes the clock that a program sees."""
    folders = (Path("/usr/lib"), UNPACKED / "usr" / "lib")
    return next(
        (str(path) for folder in folders for path in folder.glob("*/faketime/libfaketime.so.1")), None
    )


def install_programs() -> None:
    """Install the programs that tests run.

    If a program cannot be installed, warn that the tests that need it will be skipped.
    """
    started = time.monotonic()
    programs: list[tuple[Callable[[], str | None], Callable[[], str]]] = [
        (lambda: shutil.which(BROWSERS[0]), _install_browser),
        (lambda: shutil.which("systemd-analyze"), lambda: _install("systemd")),
        (lambda: shutil.which("xgettext"), lambda: _install("gettext")),
        (find_faketime, lambda: _unpack("libfaketime")),
        # Installing nginx would start a web server, so the suite only unpacks it.
        (find_nginx, lambda: _unpack("nginx", "nginx-common")),
    ]
    errors = [install() for find, install in programs if not find()]
    for error in filter(None, errors):
        say(f"{error}. Tests that need it will be skipped.")
    if errors:
        say(f"looked for the programs that tests need: {time.monotonic() - started:.0f} s.")


def _install_browser() -> str:
    error = _install(BROWSERS[0])
    return _install("chromium") if error and not find_chromium() else ""


def _install(package: str) -> str:
    """Install a Debian package. Return "" if that succeeds, otherwise an error."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return f"{package} is not installed, and only root can install it, with apt-get"
    say(f"{package} is not installed. Installing the Debian package with apt-get.")
    error = _apt("update") or _apt("install", "-y", "--no-install-recommends", package)
    return f"cannot install {package} ({error})" if error else ""


def _unpack(*packages: str) -> str:
    """Download Debian packages and unpack them. Return "" if that succeeds, otherwise an error."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _apt("update")
    UNPACKED.mkdir(parents=True, exist_ok=True)
    error = _apt("download", *packages)
    for archive in UNPACKED.glob("*.deb"):
        error = error or _run(["dpkg", "-x", str(archive), str(UNPACKED)])
        archive.unlink()
    return f"{packages[0]} is not installed, and apt-get cannot download it ({error})" if error else ""


def _apt(*arguments: str) -> str:
    return _run(["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300", *arguments])


def _run(command: list[str]) -> str:
    """Run a command. Return "" if it succeeds, otherwise the last line of its errors."""
    try:
        completed = subprocess.run(  # noqa: S603 - fixed arguments
            command,
            cwd=UNPACKED if UNPACKED.exists() else ROOT,
            env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
    except FileNotFoundError:
        return f"{command[0]} is not installed"
    if completed.returncode == 0:
        return ""
    return (completed.stderr.strip().splitlines() or ["no reason given"])[-1]
