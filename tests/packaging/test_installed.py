"""The wheel and the sdist hold the library alone, and the wheel passes its tests without the site."""

import ast
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from trove_classifiers import classifiers

from tests.packaging import built
from tests.packaging.built import PROJECT, ROOT, VERSIONS

EXTRAS = {"figures", "report", "peers", "files"}
FIND = "from importlib.util import find_spec; print([name for name in {names} if find_spec(name)])"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel that `pip install .` would install."""
    return built.build(ROOT, tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> Path:
    """The folder of the project that an sdist unpacks to."""
    sdist = built.build(ROOT, tmp_path_factory.mktemp("sdist"), "sdist")
    return built.unpack(sdist, tmp_path_factory.mktemp("unpacked"))


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
    environment = built.plain_environment()
    return subprocess.run(
        [python, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_the_wheel_holds_the_library_alone(wheel):
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        (path,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        about = packed.read(path).decode()
    info = path.removesuffix("/METADATA")
    assert {name.partition("/")[0] for name in names} == {built.NAME, info}
    inside = {name.removeprefix(f"{built.NAME}/") for name in names if name.startswith(f"{built.NAME}/")}
    assert inside == built.library_files()
    assert "py.typed" in inside
    assert f"Name: {PROJECT['name']}\n" in about
    assert f"{info}/licenses/LICENSE" in names
    wanted = re.findall(r"^Requires-Dist: ([^;\n]+)$", about, re.MULTILINE)
    assert built.requirement_names(wanted) == {"krippendorff", "numpy", "polars", "scipy"}
    assert "Requires-Python: >=3.11" in about
    assert set(re.findall(r"^Provides-Extra: (\w+)$", about, re.MULTILINE)) == EXTRAS


@pytest.mark.slow
def test_the_sdist_holds_what_the_wheel_is_built_from(source, wheel, tmp_path):
    files = {file.relative_to(source).as_posix() for file in source.rglob("*") if file.is_file()}
    about = {
        "CHANGELOG.md",
        "CITATION.cff",
        "LICENSE",
        "PKG-INFO",
        "README.md",
        "pyproject.toml",
        ".gitignore",
    }
    assert files == {f"evaluation/{name}" for name in built.library_files()} | about
    assert built.build(source, tmp_path, "wheel").read_bytes() == wheel.read_bytes()


def test_the_metadata_agrees_with_the_other_files():
    assert set(PROJECT["classifiers"]) <= classifiers
    assert PROJECT["requires-python"] == f">={VERSIONS[0]}"
    citation = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {PROJECT['version']}\n" in citation
    assert re.search(r"keywords:\n((?:  - .*\n)+)", citation)[1].split("\n")[:-1] == [
        f"  - {keyword}" for keyword in PROJECT["keywords"]
    ]
    assert (
        re.search(r"^## (\S+?),? ", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1]
        == PROJECT["version"]
    )


def test_the_tests_of_the_library_import_what_is_installed_with_it():
    """A fast form of the test below: an import of the site, or of another package, would fail there."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    installed = {canonicalize_name(name) for name in needed(PROJECT["dependencies"] + groups["library"])}
    apart = built.requirement_names(groups["peers"])  # imported only where they are installed
    distributions = metadata.packages_distributions()
    copied = {
        name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in built.BENCHMARKS
    }
    missing = {
        f"{path.relative_to(ROOT)}: {module}"
        for path in built.library_tests()
        for module in imported_modules(path)
        if (top := module.partition(".")[0]) not in sys.stdlib_module_names | apart
        and module not in copied
        and not module.startswith(("evaluation", "tests.evaluation", "tests.support"))
        and installed.isdisjoint(map(canonicalize_name, distributions.get(top, ())))
    }
    assert not missing, "add the packages to the dependency group library"


def imported_modules(path: Path) -> set[str]:
    """Return the modules that a file imports, also inside its functions."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            modules.add(str(node.module))
    return modules


@pytest.mark.long
@pytest.mark.parametrize(
    ("version", "choice"),
    [
        *((version, built.LOCKED) for version in VERSIONS),
        pytest.param(VERSIONS[0], built.OLDEST, id="oldest packages"),
    ],
)
def test_the_library_passes_its_tests_where_nothing_else_is_installed(version, choice, wheel, tmp_path):
    """In an empty environment, on the installed wheel; only pytest and the peers are added."""
    uv = built.find_uv()
    assert uv is not None, "the suite installs uv"
    if fault := built.make_environment(uv, version, tmp_path / "environment"):
        pytest.skip(fault)  # this machine does not have that version of Python
    built.install(uv, tmp_path / "environment", wheel, choice=choice)
    python = tmp_path / "environment" / "bin" / "python"
    absent = (
        "import importlib.util as u; print([n for n in ('django', 'judging', 'deploy') if u.find_spec(n)])"
    )
    assert run(python, "-c", absent, folder=tmp_path).stdout == "[]\n"
    (tmp_path / "copy").mkdir()
    done = built.run_library_tests(python, tmp_path / "copy")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_it_works_with_its_base_dependencies_alone(environment, tmp_path):
    """Also in a folder where users have a script or a package of their own that is called `evaluation`."""
    (tmp_path / "evaluation").mkdir()
    for name in ("evaluation.py", "evaluation/__init__.py"):
        (tmp_path / name).write_text("raise SystemExit('theirs')\n")
    assert (
        run(environment, "-c", FIND.format(names=("django", "judging", "pytest")), folder=tmp_path).stdout
        == "[]\n"
    )
    (tmp_path / "judgments.csv").write_text(
        "topic_id,unit_id,document_id,relevance_score\nt,1,a,2\nt,1,b,8\nt,2,a,10\nt,2,b,40\n"
    )
    (tmp_path / "a.run").write_text("t Q0 b 1 2 first\nt Q0 a 2 1 first\n")
    for words in (
        ["normalise", "judgments.csv", "-o", "normalised.csv"],
        ["gains", "normalised.csv", "-o", "gains.txt"],
        ["score", "gains.txt", "a.run", "-m", "nDCG@10", "CG@1"],
    ):
        done = run(environment, "-m", built.NAME, *words, folder=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
    # Units of geometric means 4 and 20 in a topic of (2·8·10·40)^¼ = 8.94: twice 8 becomes 17.89.
    assert done.stdout == "first\tall\tnDCG@10\t1.0000\nfirst\tall\tCG@1\t17.8885\n"


@pytest.mark.slow
def test_every_module_of_it_can_be_imported(environment, tmp_path):
    files = [Path(name) for name in built.library_files() if name.endswith(".py")]
    modules = [
        ".".join((built.NAME, *file.with_suffix("").parts)).removesuffix(".__init__")
        for file in files
        if file.stem != "__main__"
        and not {"figures", "papers", "report", "ir_measures.py", "translation.py"}
        & {*file.parts}  # they need optional packages
    ]
    program = f"import {', '.join(modules)}; print({built.NAME}.__path__[0])"
    done = run(environment, "-c", program, folder=tmp_path)
    assert done.stdout.startswith(str(environment.parents[1])), done.stderr
