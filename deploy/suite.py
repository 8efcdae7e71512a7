"""`python3 manage.py test`: the whole suite, with a real browser and nginx where there are or can be any."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from deploy.installer import say

ROOT = Path(__file__).resolve().parent.parent
UNPACKED = Path(sys.prefix) / "nginx"
"""Where nginx is unpacked if none is installed."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LOOKING_ON = {"-h", "--help", "-V", "--version", "--co", "--collect-only", "--fixtures", "--markers"}
MOST_WORKERS = 4


def run(arguments: list[str]) -> int:
    """Run pytest with these arguments; without any, everything, on several cores. Returns the exit code."""
    import pytest

    os.chdir(ROOT)
    if not LOOKING_ON.intersection(arguments):
        provide_programs()
    # Each skipped test is listed by its name, not counted by its line.
    # Neighbours stay in one process, where they share what their module has set up.
    everything = ["-n", str(worker_count()), "--dist", "worksteal"]
    return int(pytest.main(["--no-fold-skipped", *(arguments or everything)]))


def worker_count() -> int:
    """Return how many test processes to start: one per core that this process may use, within reason."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min(cores, MOST_WORKERS)


def find_chromium() -> str | None:
    """Return the path of an installed Chromium, or None."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def find_nginx() -> str | None:
    """Return the path of an nginx, installed or unpacked by us, or None."""
    places = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", str(UNPACKED / "usr" / "sbin")])
    return shutil.which("nginx", path=places)


def find_faketime() -> str | None:
    """Return the path of the library that lends a program another clock, or None."""
    return next(map(str, Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), None)


def provide_programs() -> None:
    """See to the programs beside Python that tests run; where they cannot be had, those tests skip."""
    if not find_chromium():
        _install("chromium", "Chromium", "tests in a browser")
    if not shutil.which("systemd-analyze"):
        _install("systemd", "systemd-analyze", "tests of the units of systemd")
    if not find_faketime():
        _install("faketime", "libfaketime", "the test of a clock that jumps")
    if not find_nginx():
        _unpack_nginx()


def _install(package: str, program: str, tests: str) -> None:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        say(f"no {program} here and no right to install it: {tests} will be skipped.")
        return
    say(f"no {program} here: installing Debian's package `{package}` with apt-get, for {tests}.")
    fault = _apt("update") or _apt("install", "-y", "--no-install-recommends", package)
    if fault:
        say(f"{program} could not be installed ({fault}): {tests} will be skipped.")


def _unpack_nginx() -> None:
    """Fetch Debian's nginx and unpack it, instead of installing it: that would start a web server here."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _apt("update")
    UNPACKED.mkdir(parents=True, exist_ok=True)
    fault = _apt("download", "nginx", "nginx-common")
    for package in UNPACKED.glob("*.deb"):
        fault = fault or _said(["dpkg", "-x", str(package), str(UNPACKED)])
    if fault:
        say(f"no nginx here, and none could be fetched ({fault}): tests of its site will be skipped.")


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
