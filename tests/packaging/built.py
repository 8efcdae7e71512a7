"""The library as others install it: its wheel and sdist, and environments that hold it without the site."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LANGUAGE = "Programming Language :: Python :: "
VERSIONS = [
    version
    for classifier in PROJECT["classifiers"]
    if (version := classifier.removeprefix(LANGUAGE)).startswith("3.")
]
"""The versions of Python that the classifiers promise."""
BENCHMARKS = tuple(
    f"tests/benchmarks/{name}.py"
    for name in (
        *("__init__", "adapting", "adapting_chances", "coverage", "fit_crowd", "known_chances"),
        *("normalisations", "planning"),
        *(
            f"sampling/{part}"
            for part in ("__init__", "average_precision", "bank", "grid", "ratio", "tables")
        ),
    )
)
"""The benchmarks of the library that its tests run in short."""
TESTS = ("docs", "tests/__init__.py", "tests/evaluation", "tests/support", *BENCHMARKS)
"""What the tests of the library read: everything but the library."""
PLUGINS = (
    "tests.support.run",
    "tests.support.speeds",
    "tests.support.collections",
    "tests.support.installed",
)
NAME = "plumbline_ir"
"""The name under which the wheel installs the folder `evaluation`."""


_OWN_NAME = re.compile(
    r"(?<![\w/.-])evaluation(?=\.[a-z_])"
    r"|(?<=\bfrom )evaluation\b|(?<=\bimport )evaluation\b"
    r"|(?<=[(, ])evaluation(?=[;)])"
    r"|(?<=[\"'])evaluation(?=\.?[\"'])"
)
"""Where a test names the package of the library: in imports, and in strings that begin with its name."""


def build(source: Path, target: Path, kind: str) -> Path:
    """Build the wheel or the sdist of the project in `source`; return its path in `target`."""
    before = set(target.iterdir())
    words = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(target)]
    subprocess.run(words, cwd=source, check=True, capture_output=True)
    (built,) = set(target.iterdir()) - before
    return built


def unpack(sdist: Path, target: Path) -> Path:
    """Unpack an sdist; return the folder of the project."""
    with tarfile.open(sdist) as packed:
        packed.extractall(target, filter="data")
    (folder,) = target.iterdir()
    return folder


def library_files() -> set[str]:
    """Return the files of the library, by their paths in its folder."""
    folder = ROOT / "evaluation"
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix() for file in files if "__pycache__" not in file.parts}


def library_tests() -> list[Path]:
    """Return the files of the library's tests, with the benchmarks that they run.

    The command that installs ranx is not one.
    """
    files = (ROOT / "tests" / "evaluation").rglob("*.py")
    return [path for path in sorted(files) if path.name != "table.py"] + [ROOT / name for name in BENCHMARKS]


def requirement_names(requirements: list[str]) -> set[str]:
    return {Requirement(text).name for text in requirements}


def find_uv() -> str | None:
    """Return the path of uv: of this environment, or on the path."""
    return shutil.which("uv", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))


def plain_environment(**more: str) -> dict[str, str]:
    """Return the variables of this process without those that change where Python finds modules."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST_"))}
    kept.pop("VIRTUAL_ENV", None)
    return kept | more


def make_environment(uv: str, version: str, folder: Path) -> str:
    """Make an empty environment for a version of Python. Return "", or why there is none.

    pyenv shows only the versions that it is asked for; uv could download one, but a test must not.
    """
    variables = plain_environment(PYENV_VERSION=version, UV_PYTHON_DOWNLOADS="never")
    words = [uv, "venv", "--quiet", "--no-project", "--python", version, str(folder)]
    done = subprocess.run(words, env=variables, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"Python {version} is not installed: {done.stderr.strip()}"


LOCKED = ("--constraint", str(ROOT / "deploy" / "requirements.txt"))
OLDEST = ("--resolution", "lowest-direct")
"""Which versions are installed: those of the lock file where it has them, or the oldest that are allowed."""


def install(
    uv: str, folder: Path, wheel: Path, groups: Sequence[str] = ("library",), choice: Sequence[str] = LOCKED
) -> None:
    """Install the wheel and dependency groups."""
    words = [uv, "pip", "install", "--quiet", "--python", str(folder / "bin" / "python"), str(wheel)]
    words += [word for group in groups for word in ("--group", f"{ROOT / 'pyproject.toml'}:{group}")]
    words += choice
    done = subprocess.run(words, env=plain_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def run_library_tests(python: Path, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Copy the tests into a folder without the library, and run them on the library that is installed.

    The copies import the library by its installed name.
    """
    for name in TESTS:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    for path in (folder / "tests").rglob("*.py"):
        path.write_text(_OWN_NAME.sub(NAME, path.read_text()))
    words = [
        python,
        "-m",
        "pytest",
        "-q",
        "-n",
        "2",
        "--strict-markers",
        "--rootdir",
        folder,
        "tests/evaluation",
    ]
    words += [word for plugin in PLUGINS for word in ("-p", plugin)]
    return subprocess.run(
        words, cwd=folder, env=plain_environment(), capture_output=True, text=True, check=False
    )
