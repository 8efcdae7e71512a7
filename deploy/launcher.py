"""Makes `.venv` where a command needs it and goes on inside it, on a machine with nothing but Python and pip.

`manage.py` calls `enter` before it imports anything else, so this module, and `deploy/__init__.py` with it,
may import the standard library alone. `demo`, `test` and `docs` make or mend `.venv`; every other command
only uses it. Where a virtual environment is active already, or `PLUMBLINE_NO_VENV=1`, nothing is made:
packages are then the business of whoever set that up. A `VIRTUAL_ENV` that the running Python does not belong
to is a leftover of some other shell and counts for nothing.

`.venv/plumbline-stamp` is the lock that two launches at once contend for, and tells what was installed: it
says `unfinished` from the first change to the last, so an installation killed half-way is begun afresh.
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
MAKERS: dict[str, list[str]] = {"demo": [], "test": ["test", "docs"], "docs": ["docs"]}
"""The commands that make `.venv`, each with the dependency groups of pyproject.toml that it needs."""


def enter(arguments: list[str]) -> None:
    """Return inside an environment that can run the command, or exit with one line that says what to do.

    Re-executes this process inside `.venv` where that is the environment to use.
    """
    command = arguments[0] if arguments else ""
    try:
        if not environment_is_given():
            if command in MAKERS:
                provide()
            if PYTHON.exists():
                re_execute()
        refuse_if_incomplete(command)
    except SetupError as problem:
        sys.exit(f"plumbline: {problem}")
    except OSError as error:
        sys.exit(f"plumbline: .venv could not be made or used: {explain_system(error)}")
    except KeyboardInterrupt:
        sys.exit("\nplumbline: interrupted; the same command begins again where that is needed.")


def environment_is_given() -> bool:
    """Whether packages are somebody else's business: an active environment, a container, no POSIX system."""
    given = os.environ.get("PLUMBLINE_NO_VENV", "")
    if given not in {"", "0", "1"}:
        raise SetupError(f"PLUMBLINE_NO_VENV is {given!r}: set it to 1 or 0.")
    return given == "1" or sys.prefix != sys.base_prefix or os.name != "posix"


def provide() -> None:
    """Make `.venv`, or bring it up to date, unless it is as `deploy/requirements.txt` wants it."""
    wanted = fingerprint()
    if is_ready(wanted):
        return
    began = time.monotonic()
    with sole_maker() as stamp:
        if is_ready(wanted):  # another launch made it while this one waited
            return
        say("setting up .venv with the packages of deploy/requirements.txt (some 200 MB to fetch, once).")
        # An environment that is whole and of this Python, also one made by hand, is only added to.
        if STAMP.read_text() == UNFINISHED or not serves_this_python():
            empty_venv()
        write(stamp, UNFINISHED)
        if not PYTHON.exists():
            # Never with_pip: Debian's Python has no ensurepip without python3-venv.
            venv.EnvBuilder(symlinks=True, with_pip=False).create(VENV)
        install(stamp)
        write(stamp, wanted)
        say(f"set up in {time.monotonic() - began:.0f} s.")


def fingerprint() -> str:
    """What `.venv` is made of: the Python it is for and the contents of both requirement files."""
    contents = REQUIREMENTS.read_bytes() + INSTALLER.read_bytes()
    return f"{sys.implementation.cache_tag} {platform.machine()} {hashlib.sha256(contents).hexdigest()}"


def is_ready(wanted: str) -> bool:
    """Whether `.venv` is whole and made of what is wanted."""
    return PYTHON.exists() and STAMP.exists() and STAMP.read_text() == wanted


def serves_this_python() -> bool:
    """Whether `.venv` is for the Python version running now; its interpreter may be gone after an upgrade."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return PYTHON.exists() and (VENV / "lib" / version / "site-packages").is_dir()


@contextmanager
def sole_maker() -> Iterator[IO[str]]:
    """Hold the stamp file, locked; a second launch waits here until the first is done."""
    import fcntl  # POSIX alone has it, and only here is it sure to be a POSIX system

    VENV.mkdir(exist_ok=True)
    with STAMP.open("a", encoding="utf-8") as stamp:
        try:
            fcntl.flock(stamp, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another launch is setting up .venv; waiting for it.")
            fcntl.flock(stamp, fcntl.LOCK_EX)
        yield stamp


def empty_venv() -> None:
    """Remove everything in `.venv` but the stamp, which is locked."""
    for entry in VENV.iterdir():
        if entry == STAMP:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def write(stamp: IO[str], text: str) -> None:
    """Replace the text of the stamp file without letting go of its lock."""
    stamp.truncate(0)
    stamp.write(text)
    stamp.flush()


def explain_system(error: OSError) -> str:
    """Return one sentence for a fault of the file system."""
    if error.errno == errno.ENOSPC:
        return "the disk is full; make room (some 1.5 GB) and run the same command again."
    return f"{error.strerror or error} ({error.filename or VENV})"


def re_execute() -> NoReturn:
    """Run the same command line again with `.venv`'s Python, in this very process."""
    sys.stdout.flush()
    sys.stderr.flush()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONHOME"}
    os.execve(PYTHON, [str(PYTHON), *sys.orig_argv[1:]], environment)  # noqa: S606 - no shell is wanted


def refuse_if_incomplete(command: str) -> None:
    """Raise SetupError where a package that the command needs is missing from this environment."""
    if command in MAKERS:
        missing = [name for name in declared(command) if not is_installed(name)]
    else:
        missing = [] if importlib.util.find_spec("django") else ["Django"]
    if not missing:
        return
    which = missing[0] if len(missing) == 1 else f"{missing[0]} and {len(missing) - 1} more"
    if Path(sys.prefix) == VENV:
        raise SetupError(f".venv lacks {which}; delete the folder .venv and run `python3 manage.py demo`.")
    if not environment_is_given():
        raise SetupError(f"not installed yet: {which}; run `python3 manage.py demo` first.")
    raise SetupError(
        f"not installed in this environment: {which}; run "
        f"`python -m pip install --require-hashes -r deploy/requirements.txt` in it."
    )


def declared(command: str) -> list[str]:
    """Return the names of the packages that pyproject.toml asks for directly, for one of the makers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = project["project"]["dependencies"] + project["project"]["optional-dependencies"]["server"]
    for group in MAKERS[command]:
        asked = asked + project["dependency-groups"][group]
    return [re.split(r"[^\w.-]", requirement, maxsplit=1)[0] for requirement in asked]


def is_installed(name: str) -> bool:
    """Whether a distribution of this name is installed, in whatever version."""
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True
