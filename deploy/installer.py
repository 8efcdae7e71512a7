"""Fills `.venv` with the packages of the hash-locked requirement files, by uv where that can be, else by pip.

Standard library only, as `deploy/launcher.py`, whose second half this is.
"""

import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
REQUIREMENTS = ROOT / "deploy" / "requirements.txt"
INSTALLER = ROOT / "deploy" / "requirements-uv.txt"
# Of the reader's pip settings only those that say where packages come from are kept: PIP_USER, PIP_TARGET,
# PIP_REQUIRE_VIRTUALENV and their like would send the packages elsewhere or nowhere.
PIP_SOURCES = re.compile(
    r"PIP_(INDEX_URL|EXTRA_INDEX_URL|NO_INDEX|FIND_LINKS|CERT|CLIENT_CERT|TRUSTED_HOST|PROXY|CONFIG_FILE"
    r"|KEYRING_PROVIDER|TIMEOUT|DEFAULT_TIMEOUT|RETRIES)"
)
OUT_OF_REACH = re.compile(
    r"name resolution|dns error|connection|network is unreachable|timed out|failed to fetch|retries exceeded",
    re.IGNORECASE,
)


class SetupError(Exception):
    """What stands in the way, in one sentence for the person at the terminal."""


def install(stamp: IO[str]) -> None:
    """Install the locked packages with uv, itself a locked package; with pip alone where uv cannot.

    Raises SetupError with the reason when neither could.
    """
    pip = [*pip_command(stamp), "install", "--quiet", "--no-cache-dir", "--require-hashes", "-r"]
    failure = run([*pip, str(INSTALLER)], stamp)
    if failure and OUT_OF_REACH.search(failure):
        raise SetupError(explain(failure))
    if not failure:
        # A cache of its own beside the files of .venv: they are links then, and no home is needed.
        cache = VENV / "uv-cache"
        uv = [str(VENV / "bin" / "uv"), "pip", "install", "--quiet", "--cache-dir", str(cache)]
        failure = run([*uv, "--python", str(PYTHON), "--require-hashes", "-r", str(REQUIREMENTS)], stamp)
        shutil.rmtree(cache, ignore_errors=True)
    if failure and "No space left" not in failure:
        say("uv could not install the packages; trying with pip alone, which takes a minute longer.")
        failure = run([*pip, str(REQUIREMENTS)], stamp)
    if failure:
        raise SetupError(explain(failure))


def pip_command(stamp: IO[str]) -> list[str]:
    """Return the command of a pip that installs into `.venv`: the outer Python's, else a bundled one."""
    try:
        version = tuple(int(part) for part in re.findall(r"\d+", metadata.version("pip"))[:2])
    except metadata.PackageNotFoundError:
        version = (0,)
    if version >= (22, 3):  # the first that has --python
        return [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    if run([str(PYTHON), "-I", "-m", "ensurepip"], stamp):
        raise SetupError("pip 22.3 or newer is missing; on Debian and Ubuntu: apt-get install python3-pip")
    return [str(PYTHON), "-I", "-m", "pip"]


def run(command: list[str], stamp: IO[str]) -> str:
    """Run an installing command; return "" when it succeeded, else everything it said.

    The child inherits the lock: should this process be killed, the next launch waits for the child to end.
    """
    kept = {name: value for name, value in os.environ.items() if wanted_by_installer(name)}
    settings = {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", "PIP_NO_INPUT": "1", "PIP_RETRIES": "2"}
    settings |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore"}
    settings |= {"UV_SYSTEM_CERTS": "1"}  # some networks have a certificate of their own
    for ours, theirs in (("UV_DEFAULT_INDEX", "PIP_INDEX_URL"), ("SSL_CERT_FILE", "PIP_CERT")):
        if theirs in kept:  # uv reads no pip settings
            settings[ours] = kept[theirs]
    done = subprocess.run(  # noqa: S603 - our own commands
        command,
        cwd=VENV,
        env=settings | kept,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        pass_fds=[stamp.fileno()],
    )
    return "" if done.returncode == 0 else done.stdout.strip() or f"{command[0]} exit {done.returncode}"


def wanted_by_installer(name: str) -> bool:
    """Whether an environment variable may reach pip and uv."""
    if name in ("PYTHONHOME", "VIRTUAL_ENV"):
        return False
    return not name.startswith("PIP_") or PIP_SOURCES.fullmatch(name) is not None


def explain(output: str) -> str:
    """Return one sentence for what pip or uv said when it failed."""
    if "No space left" in output:
        return "the disk is full; make room (some 1.5 GB) and run the same command again."
    if "hash" in output.lower() and "match" in output.lower():
        return "a fetched package differs from the one locked in deploy/requirements.txt; it was not used."
    if OUT_OF_REACH.search(output):
        return "the package index could not be reached; the first run needs a network."
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    told = next((line for line in lines if line.lower().startswith("error")), lines[-1])
    return f"the packages could not be installed: {told}"


def say(text: str) -> None:
    """Tell the person at the terminal, and leave stdout to the command."""
    sys.stderr.write(f"plumbline: {text}\n")
