"""Run the notebooks of the documents: `python -m tests.support.notebooks` stores what their cells show."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

from tests.support.tree import ROOT

FOLDER = ROOT / "docs" / "notebooks"


def executed(path: Path) -> nbformat.NotebookNode:
    """Return the notebook with what its cells show now."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.pop("outputs", None)
    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(ROOT)}})
    client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # the times of this run
    return notebook


if __name__ == "__main__":
    for notebook_path in sorted(FOLDER.glob("*.ipynb")):
        nbformat.write(executed(notebook_path), notebook_path)
