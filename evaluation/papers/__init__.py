"""The numbered tables and figures of five papers, computed from a study's data.

Each paper has a folder: `items.py` declares its items, and `making.py` computes them. `build_paper` returns a
report with the items of one paper, which `plumbline_ir.report.write_report` writes. Names are imported on
first use, because computing needs matplotlib.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from .building import build_paper as build_paper
    from .catalogue import PAPERS as PAPERS
    from .paper import Item as Item
    from .paper import Paper as Paper

MODULES: Final = {"PAPERS": "catalogue", "Item": "paper", "Paper": "paper", "build_paper": "building"}
"""The public names, each with the module that defines it."""
__all__ = [*MODULES]


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{MODULES[name]}"), name)
