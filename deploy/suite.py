"""`python3 manage.py test`: the suite, with the browser and the servers that its tests need.

Without arguments it tests every rule. `--quick` and `--changed` run less, `--full` runs more, and `--times`
shows where the time goes. With any other argument this command is pytest.
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
"""Where Debian's packages are unpacked that are not installed."""
BYTECODE = Path(sys.prefix) / "bytecode"
"""Where compiled modules are kept while Python is told to write none beside their sources."""
SPEEDS = {"--quick", "--changed", "--full", "--times"}
"""Arguments that choose the tests by themselves; with these alone the suite runs on several cores."""
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first has no windows to draw: a page costs half the time of the others."""
LOOKING_ON = {"-h", "--help", "-V", "--version", "--co", "--collect-only", "--fixtures", "--markers"}
MOST_WORKERS = 4


def run(arguments: list[str]) -> int:
    """Run pytest with these arguments; without any, everything, on several cores. Returns the exit code."""
    keep_bytecode()
    import pytest

    os.chdir(ROOT)
    if not LOOKING_ON.intersection(arguments):
        provide_programs()
    if SPEEDS.issuperset(arguments):
        # Neighbours stay in one process, where they share what their module has set up.
        waits = "--quick" not in arguments
        arguments = [*arguments, "-n", str(worker_count(waits=waits)), "--dist", "worksteal"]
    # Each skipped test is listed by its name, not counted by its line.
    return int(pytest.main(["--no-fold-skipped", *arguments]))


def keep_bytecode() -> None:
    """Let this process and all that it starts keep what they compile: without that, each compiles it anew."""
    if sys.dont_write_bytecode:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        sys.dont_write_bytecode = False
        sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(BYTECODE)


def worker_count(*, waits: bool) -> int:
    """Return how many test processes to start: one per core that this process may use, within reason.

    Where tests wait for browsers and servers, one more uses the time in which others wait.
    """
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min(cores + waits, MOST_WORKERS)


def find_chromium() -> str | None:
    """Return the path of an installed Chromium, or None."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def find_nginx() -> str | None:
    """Return the path of an nginx, installed or unpacked by us, or None."""
    places = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", str(UNPACKED / "usr" / "sbin")])
    return shutil.which("nginx", path=places)


def find_faketime() -> str | None:
    """Return the path of the library that lends a program another clock, or None."""
    places = (Path("/usr/lib"), UNPACKED / "usr" / "lib")
    return next((str(path) for place in places for path in place.glob("*/faketime/libfaketime.so.1")), None)


def provide_programs() -> None:
    """Install the programs beside Python that tests run; where they cannot be had, those tests skip."""
    began = time.monotonic()
    programs: list[tuple[Callable[[], str | None], Callable[[], str]]] = [
        (lambda: shutil.which(BROWSERS[0]), _provide_browser),
        (lambda: shutil.which("systemd-analyze"), lambda: _install("systemd")),
        (lambda: shutil.which("xgettext"), lambda: _install("gettext")),
        (find_faketime, lambda: _unpack("libfaketime")),
        # Installing it would start a web server here.
        (find_nginx, lambda: _unpack("nginx", "nginx-common")),
    ]
    faults = [provide() for is_there, provide in programs if not is_there()]
    for fault in filter(None, faults):
        say(f"{fault}; the tests that need it will be skipped.")
    if faults:
        say(f"programs for the tests: {time.monotonic() - began:.0f} s.")


def _provide_browser() -> str:
    fault = _install(BROWSERS[0])
    return _install("chromium") if fault and not find_chromium() else ""


def _install(package: str) -> str:
    """Install a package of Debian's; return "" or what stood in the way."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return f"no {package} here and no right to install it"
    say(f"no {package} here: installing Debian's package with apt-get.")
    fault = _apt("update") or _apt("install", "-y", "--no-install-recommends", package)
    return f"{package} could not be installed ({fault})" if fault else ""


def _unpack(*packages: str) -> str:
    """Fetch packages of Debian's and unpack them beside Python; return "" or what stood in the way."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _apt("update")
    UNPACKED.mkdir(parents=True, exist_ok=True)
    fault = _apt("download", *packages)
    for archive in UNPACKED.glob("*.deb"):
        fault = fault or _said(["dpkg", "-x", str(archive), str(UNPACKED)])
        archive.unlink()
    return f"no {packages[0]} here, and none could be fetched ({fault})" if fault else ""


def _apt(*words: str) -> str:
    return _said(["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300", *words])


def _said(command: list[str]) -> str:
    """Run a command; return "" when it succeeded, else the last line it said."""
    try:
        done = subprocess.run(  # noqa: S603 - fixed arguments
            command,
            cwd=UNPACKED if UNPACKED.exists() else ROOT,
            env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
    except FileNotFoundError:
        return f"there is no {command[0]}"
    return "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["no reason given"])[-1]
