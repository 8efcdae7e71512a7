"""A package outside the tree brings one of each declaration, and a study uses them all."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.packaging.built import ROOT, build, find_uv

PACKAGE = Path(__file__).parent / "package"
PAGE = ROOT / "docs" / "guides" / "extending.md"


def install(folder: Path) -> Path:
    """Build the wheel of the package, and install it into a folder of its own."""
    source, target = folder / "source", folder / "installed"
    shutil.copytree(PACKAGE, source)
    wheel = build(source, _made(folder / "wheels"), "wheel")
    uv = find_uv()
    assert uv is not None
    words = [uv, "pip", "install", "--quiet", "--no-deps", "--offline", "--target", str(target), str(wheel)]
    subprocess.run([*words, "--python", sys.executable], check=True, capture_output=True)
    return target


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_a_study_uses_all_that_an_installed_package_declares(tmp_path: Path) -> None:
    target = install(tmp_path)
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    path = os.pathsep.join(filter(None, [str(target), os.environ.get("PYTHONPATH")]))
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    finished = subprocess.run(
        [*words, "tests/extension/with_the_package.py"],
        cwd=ROOT,
        env=variables | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_the_page_shows_every_file_of_the_package() -> None:
    shown = re.findall(r'^--8<-- "(.+)"$', PAGE.read_text(), re.MULTILINE)
    files = {path for path in PACKAGE.rglob("*") if path.suffix in {".py", ".toml"}}
    assert {ROOT / name for name in shown} == {path for path in files if path.name != "__init__.py"}
