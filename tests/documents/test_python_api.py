"""The pages of the Python API show every public name of the library's packages."""

import importlib
import re
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.tree import ROOT

FOLDER = ROOT / "docs" / "reference" / "python"
MODULES = sorted(path.stem for path in FOLDER.glob("*.md") if path.stem != "index")


@pytest.mark.parametrize("name", MODULES)
def test_a_page_shows_every_public_name(name: str, site: Path) -> None:
    """A function that has the name of its file needs a block of its own: else the file stands for it."""
    module = importlib.import_module(f"evaluation.{name}")
    page = (site / "reference" / "python" / f"{name}.html").read_text()
    shown = {anchor.rpartition(".")[2] for anchor in re.findall(r'id="(plumbline_ir\.[\w.]+)"', page)}
    public = {
        item for item in getattr(module, "__all__", ()) if not isinstance(getattr(module, item), ModuleType)
    }
    assert public <= shown, public - shown
