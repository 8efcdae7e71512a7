"""The notebooks run without a network, and show what they say they show."""

from pathlib import Path

import nbformat
import pytest

from tests.support.notebooks import FOLDER, executed
from tests.support.tree import ROOT

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def shown(notebook: nbformat.NotebookNode) -> list[str]:
    """Return the texts below the cells of a notebook."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return [output.get("text") or output["data"]["text/plain"] for output in outputs]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_its_cells_compute(path: Path, installed: Path) -> None:
    stored = shown(nbformat.read(path, as_version=4))
    assert stored
    assert shown(executed(path, installed)) == stored, "run: python -m tests.support.notebooks"


def test_the_page_of_the_notebooks_names_all() -> None:
    page = (ROOT / "docs" / "reference" / "notebooks.md").read_text()
    assert NOTEBOOKS
    assert [path.name for path in NOTEBOOKS if f"../notebooks/{path.name}" not in page] == []
