"""`python3 manage.py test`: the whole suite, with a real browser where there is or can be one."""

import os
import shutil
import subprocess
from pathlib import Path

from deploy.installer import say

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LOOKING_ON = {"-h", "--help", "-V", "--version", "--co", "--collect-only", "--fixtures", "--markers"}
MOST_WORKERS = 4


def run(arguments: list[str]) -> int:
    """Run pytest with these arguments; without any, everything, on several cores. Returns the exit code."""
    import pytest

    os.chdir(ROOT)
    if not LOOKING_ON.intersection(arguments):
        provide_chromium()
    # Each skipped test is listed by its name, not counted by its line.
    return int(pytest.main(["--no-fold-skipped", *(arguments or ["-n", str(worker_count())])]))


def worker_count() -> int:
    """Return how many test processes to start: one per core that this process may use, within reason."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min(cores, MOST_WORKERS)


def find_chromium() -> str | None:
    """Return the path of an installed Chromium, or None."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def provide_chromium() -> None:
    """Install Debian's Chromium where there is none and this user may; else tests in a browser skip."""
    if find_chromium():
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        say("no Chromium here and no right to install it: tests in a browser will be skipped.")
        return
    say("no Chromium here: installing Debian's package `chromium` with apt-get, for the tests in a browser.")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    apt = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300"]
    for step in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
        done = subprocess.run(  # noqa: S603 - fixed arguments
            [*apt, *step],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
    if done.returncode or not find_chromium():
        told = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        say(f"Chromium could not be installed ({told}): tests in a browser will be skipped.")
