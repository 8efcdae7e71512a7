"""Create `.venv` if a command needs it, and run the command there. The machine needs only Python and pip.

`manage.py` calls `enter` before it imports any other module. For this reason, this module and the modules
that it imports use only the standard library.

The commands `demo`, `test` and `docs` create or repair `.venv`. Every other command only uses it. If a
virtual environment is active, or `PLUMBLINE_NO_VENV` is 1, the launcher creates nothing: the user manages
the packages. An environment is active if the running Python belongs to it, whatever `VIRTUAL_ENV` says.

The launcher locks the file `.venv/plumbline-stamp` before it installs packages. So two processes never
install packages at the same time. The file identifies the installed packages. During an installation, the
file contains the word `unfinished`. If the installation is interrupted, the next launch therefore repeats it.
"""

import errno
import hashlib
import importlib.util
import os
import platform
import re
import shutil
import sys
import time
import tomllib
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import IO, NoReturn

from deploy.installer import INSTALLER, PYTHON, REQUIREMENTS, ROOT, VENV, SetupError, install, say

STAMP = VENV / "plumbline-stamp"
UNFINISHED = "unfinished"
VENV_COMMANDS: dict[str, list[str]] = {"demo": [], "test": ["test", "docs"], "docs": ["docs"]}
"""The commands that create `.venv`, each with the dependency groups of pyproject.toml that it needs."""


def enter(arguments: list[str]) -> None:
    """Make sure that this process can run the command, or exit with one line that says what to do.

    If `.venv` exists, restart this process with the Python of `.venv`, unless the user manages the packages.
    """
    command = arguments[0] if arguments else ""
    try:
        if not is_managed_by_user():
            if command in VENV_COMMANDS:
                prepare_venv()
            if PYTHON.exists():
                re_execute()
        refuse_if_incomplete(command)
    except SetupError as problem:
        sys.exit(f"plumbline: {problem}")
    except OSError as error:
        sys.exit(f"plumbline: cannot create or use .venv: {explain_system_error(error)}")
    except KeyboardInterrupt:
        sys.exit("\nplumbline: interrupted. Run the same command again to continue.")


def is_managed_by_user() -> bool:
    """Return whether the user manages the packages.

    The user manages them if an environment is active, if PLUMBLINE_NO_VENV is 1 (as in containers), or if the
    machine runs Windows.

    Raise SetupError if PLUMBLINE_NO_VENV has an invalid value.
    """
    no_venv = os.environ.get("PLUMBLINE_NO_VENV", "")
    if no_venv not in {"", "0", "1"}:
        raise SetupError(f"the variable PLUMBLINE_NO_VENV is {no_venv!r}. Set it to 1 or 0.")
    return no_venv == "1" or sys.prefix != sys.base_prefix or os.name != "posix"


def prepare_venv() -> None:
    """Create or update `.venv`, unless it already matches the requirement files."""
    expected = fingerprint()
    if is_ready(expected):
        return
    started = time.monotonic()
    with lock_stamp() as stamp:
        if is_ready(expected):  # Another launch prepared it while this launch waited.
            return
        say(
            "installing the packages of deploy/requirements.txt into .venv."
            " The first time, this downloads about 200 MB."
        )
        # Keep a complete environment for this Python, even if the user made it by hand, and only add to it.
        if STAMP.read_text() == UNFINISHED or not serves_this_python():
            empty_venv()
        write(stamp, UNFINISHED)
        if not PYTHON.exists():
            # with_pip needs ensurepip, which Debian's Python lacks without python3-venv.
            venv.EnvBuilder(symlinks=True, with_pip=False).create(VENV)
        install(stamp)
        write(stamp, expected)
        say(f".venv is ready after {time.monotonic() - started:.0f} s.")


def fingerprint() -> str:
    """Return a string that identifies an installation.

    The string contains the Python version, the machine type, and a hash of `requirements.txt` and
    `requirements-uv.txt`.
    """
    contents = REQUIREMENTS.read_bytes() + INSTALLER.read_bytes()
    return f"{sys.implementation.cache_tag} {platform.machine()} {hashlib.sha256(contents).hexdigest()}"


def is_ready(expected: str) -> bool:
    """Return whether `.venv` is complete and has the expected fingerprint."""
    return PYTHON.exists() and STAMP.exists() and STAMP.read_text() == expected


def serves_this_python() -> bool:
    """Return whether the interpreter in `.venv` still exists and has the version of the running Python."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return PYTHON.exists() and (VENV / "lib" / version / "site-packages").is_dir()


@contextmanager
def lock_stamp() -> Iterator[IO[str]]:
    """Lock the stamp file and yield it. A second launch waits here until the first has finished."""
    import fcntl  # Only POSIX systems have this module, and only they call this function.

    VENV.mkdir(exist_ok=True)
    with STAMP.open("a", encoding="utf-8") as stamp:
        try:
            fcntl.flock(stamp, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another launch is installing packages into .venv. Waiting until it has finished.")
            fcntl.flock(stamp, fcntl.LOCK_EX)
        yield stamp


def empty_venv() -> None:
    """Delete everything in `.venv` except the stamp, which is locked."""
    for entry in VENV.iterdir():
        if entry == STAMP:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def write(stamp: IO[str], text: str) -> None:
    """Replace the text of the stamp file without releasing its lock."""
    stamp.truncate(0)
    stamp.write(text)
    stamp.flush()


def explain_system_error(error: OSError) -> str:
    """Return one line that explains an error of the file system."""
    if error.errno == errno.ENOSPC:
        return "the disk is full. Free about 1.5 GB and run the same command again."
    return f"{error.strerror or error} ({error.filename or VENV}). Fix this and run the same command again."


def re_execute() -> NoReturn:
    """Replace this process with one that runs the same command line with the Python of `.venv`."""
    sys.stdout.flush()
    sys.stderr.flush()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONHOME"}
    os.execve(PYTHON, [str(PYTHON), *sys.orig_argv[1:]], environment)  # noqa: S606 - no shell needed


def refuse_if_incomplete(command: str) -> None:
    """Raise SetupError if this environment lacks a package that the command needs."""
    if command in VENV_COMMANDS:
        missing = [name for name in required_packages(command) if not is_installed(name)]
    else:
        missing = [] if importlib.util.find_spec("django") else ["Django"]
    if not missing:
        return
    packages = missing[0] if len(missing) == 1 else f"{missing[0]} and {len(missing) - 1} more"
    if Path(sys.prefix) == VENV:
        raise SetupError(
            f"packages are missing from .venv: {packages}."
            " Delete the folder .venv and run `python3 manage.py demo`."
        )
    if not is_managed_by_user():
        raise SetupError(f"packages are not installed yet: {packages}. First run `python3 manage.py demo`.")
    raise SetupError(
        f"packages are missing from the environment {sys.prefix}: {packages}."
        f" Run `{sys.executable} -m pip install --require-hashes -r deploy/requirements.txt`."
    )


def required_packages(command: str) -> list[str]:
    """Return the names of the packages that pyproject.toml lists for one of `VENV_COMMANDS`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    requirements = project["project"]["dependencies"]
    for group in ("server", *VENV_COMMANDS[command]):
        requirements = requirements + group_requirements(project["dependency-groups"], group)
    # The standard library cannot tell whether a marker, after the semicolon, is true for this Python.
    plain = (requirement for requirement in requirements if ";" not in requirement)
    return [re.split(r"[^\w.-]", requirement, maxsplit=1)[0] for requirement in plain]


def group_requirements(groups: dict[str, list[str | dict[str, str]]], name: str) -> list[str]:
    """Return the requirements of a dependency group, with those of the groups that it includes."""
    requirements: list[str] = []
    for entry in groups[name]:
        if isinstance(entry, str):
            requirements.append(entry)
        else:
            requirements += group_requirements(groups, entry["include-group"])
    return requirements


def is_installed(name: str) -> bool:
    """Return whether any version of the package is installed."""
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True
