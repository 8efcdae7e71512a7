"""The library under the name that its wheel installs, for what the documentation shows."""

import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.run import sole

ROOT = Path(__file__).resolve().parents[2]
NAME = "plumbline_ir"


@pytest.fixture(scope="session")
def installed(run_folder: Path) -> Path:
    """Return a folder on the path from which `import plumbline_ir` works: the unpacked wheel of this tree.

    Where the library is installed, it is the folder of the installed packages.
    """
    if (spec := find_spec(NAME)) and spec.origin:
        return Path(spec.origin).parents[1]
    folder = run_folder / "wheel"
    with sole(run_folder, "wheel") as is_first:
        if is_first:
            unpack_wheel(folder)
    sys.path.append(str(folder))
    return folder


def unpack_wheel(folder: Path) -> None:
    """Build the wheel of this tree, and unpack it into a new folder, with its command in `bin`."""
    folder.mkdir()
    words = ["-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run([sys.executable, *words], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    script = folder / "bin" / "plumbline"
    script.parent.mkdir()
    script.write_text(f"#!{sys.executable}\nfrom {NAME}.__main__ import run\n\nrun()\n")
    script.chmod(0o755)
