"""Installed alone: the library's wheel in an environment that has its base dependencies and nothing else."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
BUILD = "from setuptools import build_meta; print(build_meta.build_wheel('wheels'))"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel that `pip install .` would make, built outside the checkout, which it would litter."""
    copy = tmp_path_factory.mktemp("copy")
    for name in ("pyproject.toml", "README.md", "LICENSE", "manage.py"):
        shutil.copy(ROOT / name, copy)
    for name in ("evaluation", "judging", "deploy"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run([sys.executable, "-c", BUILD], cwd=copy, check=True, capture_output=True)
    return next((copy / "wheels").glob("*.whl"))


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory) -> Path:
    """A fresh environment's Python, with the wheel unpacked and links to what its base dependencies are."""
    folder = tmp_path_factory.mktemp("alone")
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    for name in needed(PROJECT["dependencies"]):
        for top in {file.parts[0] for file in metadata.files(name) or () if file.parts[0] != ".."}:
            if not (site / top).exists():
                (site / top).symlink_to(metadata.distribution(name).locate_file(top))
    return folder / "bin" / "python"


def needed(requirements: list[str]) -> set[str]:
    """The distributions that requirements lead to, without the extras nobody asked for."""
    result: set[str] = set()
    waiting = [Requirement(text) for text in requirements]
    while waiting:
        requirement = waiting.pop()
        if requirement.name not in result and (
            not requirement.marker or requirement.marker.evaluate({"extra": ""})
        ):
            result.add(requirement.name)
            waiting += [Requirement(text) for text in metadata.requires(requirement.name) or ()]
    return result


def run(python: Path, *words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    unset = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [python, *words], cwd=folder, env=unset, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_the_wheel_holds_the_library_alone(wheel):
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        (path,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        about = packed.read(path).decode()
    info = path.removesuffix("/METADATA")
    assert {name.partition("/")[0] for name in names} == {"evaluation", info}
    files = {file.relative_to(ROOT) for file in (ROOT / "evaluation").rglob("*") if file.is_file()}
    assert {name for name in names if name.startswith("evaluation/")} == {
        str(file) for file in files if "__pycache__" not in file.parts
    }
    assert f"{info}/licenses/LICENSE" in names
    wanted = re.findall(r"^Requires-Dist: ([^;\n]+)$", about, re.MULTILINE)
    assert {Requirement(text).name for text in wanted} == {"krippendorff", "numpy", "polars", "scipy"}
    assert "Requires-Python: >=3.11" in about


@pytest.mark.slow
def test_it_works_with_its_base_dependencies_alone(environment, tmp_path):
    absent = (
        "import importlib.util as u; print([n for n in ('django', 'judging', 'pytest') if u.find_spec(n)])"
    )
    assert run(environment, "-c", absent, folder=tmp_path).stdout == "[]\n"
    (tmp_path / "judgments.csv").write_text(
        "topic_id,unit_id,document_id,relevance_score\nt,1,a,2\nt,1,b,8\nt,2,a,10\nt,2,b,40\n"
    )
    (tmp_path / "a.run").write_text("t Q0 b 1 2 first\nt Q0 a 2 1 first\n")
    for words in (
        ["normalise", "judgments.csv", "-o", "normalised.csv"],
        ["gains", "normalised.csv", "-o", "gains.txt"],
        ["score", "gains.txt", "a.run", "-m", "nDCG@10", "CG@1"],
    ):
        done = run(environment, "-m", "evaluation", *words, folder=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
    # Units of geometric means 4 and 20 in a topic of (2·8·10·40)^¼ = 8.94: twice 8 becomes 17.89.
    assert done.stdout == "first\tall\tnDCG@10\t1.0000\nfirst\tall\tCG@1\t17.8885\n"


@pytest.mark.slow
def test_every_module_of_it_can_be_imported(environment, tmp_path):
    files = [
        file.relative_to(ROOT) for file in (ROOT / "evaluation").rglob("*.py") if file.stem != "__main__"
    ]
    modules = [
        ".".join(file.with_suffix("").parts)
        for file in files
        if not {"figures", "ir_measures.py"} & {*file.parts}  # they need optional packages
    ]
    program = f"import {', '.join(modules)}; print(evaluation.__path__[0])"
    done = run(environment, "-c", program, folder=tmp_path)
    assert done.stdout.startswith(str(environment.parents[1])), done.stderr
