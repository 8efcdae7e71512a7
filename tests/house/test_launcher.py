"""The launcher makes, mends and uses `.venv`, in a small tree of its own whose only package is made here.

No network is needed: pip finds that package in a folder. uv is not in that folder, so what runs is the path
that a machine without a fitting uv takes, with pip alone.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
OUTER_PYTHON = sys._base_executable
PROGRAM = """
import sys
from deploy import launcher
launcher.enter(sys.argv[1:])
import plumbline_probe
print(sys.prefix, *sys.argv[1:])
"""
PROJECT = """
[project]
dependencies = ["plumbline-probe>=1"]
[dependency-groups]
server = []
test = ["plumbline-not-there"]
docs = ["plumbline-not-there-either"]
"""


def make_wheel(folder: Path) -> str:
    """Write the wheel of a package `plumbline_probe` 1.0, with a `django` in it, and return its hash."""
    path = folder / "plumbline_probe-1.0-py3-none-any.whl"
    info = "plumbline_probe-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("plumbline_probe.py", "")
        wheel.writestr("django.py", "")  # whose absence the launcher looks for
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: plumbline-probe\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(
            f"{info}/RECORD", f"plumbline_probe.py,,\ndjango.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n"
        )
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Tree:
    """A checkout with the real launcher, in a folder whose name has a blank."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "a checkout"
        self.wheels = folder / "wheels"
        self.venv = self.root / ".venv"
        deploy = self.root / "deploy"
        deploy.mkdir(parents=True)
        self.wheels.mkdir()
        for name in ("launcher.py", "installer.py"):
            shutil.copy(ROOT / "deploy" / name, deploy)
        (self.root / "manage.py").write_text(PROGRAM)
        (self.root / "pyproject.toml").write_text(PROJECT)
        self.requirements = deploy / "requirements.txt"
        self.requirements.write_text(f"plumbline-probe==1.0 --hash=sha256:{make_wheel(self.wheels)}\n")
        (deploy / "requirements-uv.txt").write_text(f"uv==0.0.1 --hash=sha256:{'0' * 64}\n")
        # An ensurepip that cannot be imported is what Debian without python3-venv has.
        without = folder / "without" / "ensurepip"
        without.mkdir(parents=True)
        (without / "__init__.py").write_text("raise ImportError('no ensurepip')")
        self.environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(without.parent),
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.wheels),
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_USER": "1",
            "PIP_REQUIRE_VIRTUALENV": "1",
            "PIP_TARGET": str(folder / "elsewhere"),
        }

    def start(self, *arguments: str, python: str = OUTER_PYTHON, **variables: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [python, "manage.py", *arguments],
            cwd=self.root,
            env=self.environment | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, python: str = OUTER_PYTHON, **variables: str) -> tuple[int, str, str]:
        process = self.start(*arguments, python=python, **variables)
        out, err = process.communicate()
        return process.returncode, out, err

    @property
    def served(self) -> str:
        """What the program prints inside the tree's own environment, but for its arguments."""
        return str(self.venv)


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def test_the_first_run_sets_up_and_later_ones_need_nothing_until_the_requirements_change(tree: Tree) -> None:
    code, out, err = tree.run("demo", "--no-serve")
    assert (code, out) == (0, f"{tree.served} demo --no-serve\n"), err
    assert err.startswith("plumbline: ")
    assert not (tree.root.parent / "elsewhere").exists()

    away = tree.wheels.rename(tree.wheels.with_name("away"))
    assert tree.run("demo") == (0, f"{tree.served} demo\n", "")
    assert tree.run("import_study", "x.toml") == (0, f"{tree.served} import_study x.toml\n", "")

    away.rename(tree.wheels)
    (tree.venv / "of-the-user").touch()
    tree.requirements.write_text(tree.requirements.read_text() + "# changed\n")
    code, out, err = tree.run("demo")
    assert (code, out) == (0, f"{tree.served} demo\n")
    assert err.startswith("plumbline: ")
    assert (tree.venv / "of-the-user").exists()


def test_a_half_made_environment_is_made_anew(tree: Tree) -> None:
    tree.venv.mkdir()
    (tree.venv / "plumbline-stamp").write_text("unfinished")
    (tree.venv / "bin").mkdir()
    (tree.venv / "bin" / "python").symlink_to("/nonexistent/python")
    (tree.venv / "left-over").touch()
    assert tree.run("demo")[:2] == (0, f"{tree.served} demo\n")
    assert not (tree.venv / "left-over").exists()


def test_two_launches_at_once_make_one_environment(tree: Tree) -> None:
    launches = [tree.start("demo"), tree.start("demo")]
    message = [launch.communicate() for launch in launches]
    assert [launch.returncode for launch in launches] == [0, 0], message
    assert sorted("requirements.txt" in err for _, err in message) == [False, True]


def refusal(err: str) -> str:
    """Return the one line that says what is wrong, after what was done until then."""
    *done, line = err.splitlines()
    assert all(item.startswith("plumbline: ") for item in [*done, line]), err
    return line


def test_other_commands_make_nothing_and_say_what_to_do_first(tree: Tree) -> None:
    code, out, err = tree.run("import_study", "study.toml")
    assert (code, out) == (1, "")
    assert "`python3 manage.py demo`" in refusal(err)
    assert not tree.venv.exists()


def test_the_documents_need_packages_of_their_own(tree: Tree) -> None:
    code, out, err = tree.run("docs")
    assert (code, out) == (1, "")
    assert "plumbline-not-there-either" in refusal(err)


def test_no_network_is_no_traceback(tree: Tree) -> None:
    del tree.environment["PIP_NO_INDEX"], tree.environment["PIP_FIND_LINKS"]
    code, _, err = tree.run("demo", PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_RETRIES="1")
    assert code == 1
    assert refusal(err)


def test_a_package_that_is_not_the_locked_one_is_refused(tree: Tree) -> None:
    tree.requirements.write_text(f"plumbline-probe==1.0 --hash=sha256:{'0' * 64}\n")
    code, _, err = tree.run("demo")
    assert code == 1
    assert "deploy/requirements.txt" in refusal(err)
    assert (tree.venv / "plumbline-stamp").read_text() == "unfinished", "it would count as made"


def test_where_no_environment_can_be_made_the_folder_is_named(tree: Tree) -> None:
    tree.venv.touch()
    code, _, err = tree.run("demo")
    assert code == 1
    assert str(tree.venv) in refusal(err)


@pytest.mark.parametrize("active", [True, False], ids=["an active environment", "PLUMBLINE_NO_VENV=1"])
def test_a_given_environment_is_left_alone(tree: Tree, active: bool) -> None:
    python, variables = OUTER_PYTHON, {"PLUMBLINE_NO_VENV": "1"}
    if active:
        subprocess.run([OUTER_PYTHON, "-m", "venv", "--without-pip", tree.root.parent / "own"], check=True)
        python, variables = str(tree.root.parent / "own" / "bin" / "python"), {}
    code, _, err = tree.run("test", python=python, **variables)
    assert code == 1
    assert "plumbline-probe" in refusal(err)
    assert "deploy/requirements.txt" in refusal(err)
    assert not tree.venv.exists()


def test_an_older_python_is_refused_in_one_line() -> None:
    pretend = (
        "import runpy, sys; sys.hexversion = 0x030A00F0; runpy.run_path('manage.py', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", pretend], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "3.11" in done.stderr
    assert done.stderr.count("\n") == 1
