"""Run the notebooks of the documents: `python -m tests.support.notebooks` stores what their cells show."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient

from tests.support.installed import unpack_wheel
from tests.support.tree import ROOT

FOLDER = ROOT / "docs" / "notebooks"


def executed(path: Path, library: Path) -> nbformat.NotebookNode:
    """Return the notebook with what its cells show now. `library` is the folder with `plumbline_ir`."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.pop("outputs", None)
    # A slow cell sends its lines in several parts, and a fast one in one.
    client = NotebookClient(
        notebook, timeout=120, coalesce_streams=True, resources={"metadata": {"path": str(ROOT)}}
    )
    client.execute(env=os.environ | {"PYTHONPATH": str(library)})
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # the times of this run
    return notebook


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        unpack_wheel(Path(folder, "wheel"))
        for notebook_path in sorted(FOLDER.glob("*.ipynb")):
            nbformat.write(executed(notebook_path, Path(folder, "wheel")), notebook_path)
