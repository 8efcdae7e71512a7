"""Install the packages from the hash-locked files into `.venv`, with uv, or with pip if uv fails.

This module uses only the standard library, like `deploy/launcher.py`, which calls it.
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
# pip gets only the user's settings that say where packages come from. Other settings, such as PIP_USER and
# PIP_TARGET, would install the packages elsewhere or stop the installation.
PIP_SOURCES = re.compile(
    r"PIP_(INDEX_URL|EXTRA_INDEX_URL|NO_INDEX|FIND_LINKS|CERT|CLIENT_CERT|TRUSTED_HOST|PROXY|CONFIG_FILE"
    r"|KEYRING_PROVIDER|TIMEOUT|DEFAULT_TIMEOUT|RETRIES)"
)
OUT_OF_REACH = re.compile(
    r"name resolution|dns error|connection|network is unreachable|timed out|failed to fetch|retries exceeded",
    re.IGNORECASE,
)


class SetupError(Exception):
    """A problem with the set-up, described in one line for the person at the terminal."""


def install(stamp: IO[str]) -> None:
    """Install the locked packages with uv, or with pip if uv fails. The version of uv is locked too.

    Raise SetupError with the reason if the packages cannot be installed.
    """
    pip = [*pip_command(stamp), "install", "--quiet", "--no-cache-dir", "--require-hashes", "-r"]
    failure = run([*pip, str(INSTALLER)], stamp)
    if failure and OUT_OF_REACH.search(failure):
        raise SetupError(explain(failure))
    if not failure:
        # With its cache inside .venv, uv can link files instead of copying them, and needs no home folder.
        cache = VENV / "uv-cache"
        uv = [str(VENV / "bin" / "uv"), "pip", "install", "--quiet", "--cache-dir", str(cache)]
        failure = run([*uv, "--python", str(PYTHON), "--require-hashes", "-r", str(REQUIREMENTS)], stamp)
        shutil.rmtree(cache, ignore_errors=True)
    if failure and "No space left" not in failure:
        say("uv could not install the packages. Trying pip, which takes a minute longer.")
        failure = run([*pip, str(REQUIREMENTS)], stamp)
    if failure:
        raise SetupError(explain(failure))


def pip_command(stamp: IO[str]) -> list[str]:
    """Return the command that runs pip.

    Use the pip of the Python outside `.venv`. If this pip is missing or too old, use the pip that Python
    bundles. Raise SetupError if Python bundles no pip.
    """
    try:
        version = tuple(int(part) for part in re.findall(r"\d+", metadata.version("pip"))[:2])
    except metadata.PackageNotFoundError:
        version = (0,)
    if version >= (22, 3):  # the first version with --python
        return [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    if run([str(PYTHON), "-I", "-m", "ensurepip"], stamp):
        raise SetupError(
            f"{sys.executable} has no pip 22.3 or newer."
            " Install pip. On Debian and Ubuntu: apt-get install python3-pip"
        )
    return [str(PYTHON), "-I", "-m", "pip"]


def run(command: list[str], stamp: IO[str]) -> str:
    """Run an installation command. Return "" if it succeeds, otherwise its whole output.

    The child process inherits the lock on the launcher's stamp file. If the launcher is killed, the next
    launch therefore waits until the child has finished.
    """
    inherited = {name: value for name, value in os.environ.items() if is_for_installer(name)}
    settings = {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", "PIP_NO_INPUT": "1", "PIP_RETRIES": "2"}
    settings |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore"}
    settings |= {"UV_SYSTEM_CERTS": "1"}  # Some networks use their own certificates.
    for uv_name, pip_name in (("UV_DEFAULT_INDEX", "PIP_INDEX_URL"), ("SSL_CERT_FILE", "PIP_CERT")):
        if pip_name in inherited:  # uv does not read pip's settings.
            settings[uv_name] = inherited[pip_name]
    completed = subprocess.run(  # noqa: S603 - our own commands
        command,
        cwd=VENV,
        env=settings | inherited,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        pass_fds=[stamp.fileno()],
    )
    if completed.returncode == 0:
        return ""
    return completed.stdout.strip() or f"{command[0]} ended with exit code {completed.returncode}"


def is_for_installer(name: str) -> bool:
    """Return whether to pass this environment variable on to pip and uv."""
    if name in ("PYTHONHOME", "VIRTUAL_ENV"):
        return False
    return not name.startswith("PIP_") or PIP_SOURCES.fullmatch(name) is not None


def explain(output: str) -> str:
    """Return one line that explains why pip or uv failed."""
    if "No space left" in output:
        return "the disk is full. Free about 1.5 GB and run the same command again."
    if "hash" in output.lower() and "match" in output.lower():
        return (
            "a downloaded package does not match its hash in deploy/requirements.txt and was not installed."
            " Check the package index and run the same command again."
        )
    if OUT_OF_REACH.search(output):
        return (
            "cannot reach the package index, which the first run needs."
            " Check the network connection and run the same command again."
        )
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    error = next((line for line in lines if line.lower().startswith("error")), lines[-1])
    return (
        f"cannot install the packages of deploy/requirements.txt: {error.rstrip('.')}."
        " Fix this and run the same command again."
    )


def say(text: str) -> None:
    """Write a line to stderr, because stdout is for the output of the command."""
    sys.stderr.write(f"plumbline: {text}\n")
