"""The report of a whole study: every analysis of its judgments, like the results section of a paper.

`build_report` computes the parts of `CHAPTERS` from a `ReportData`, and `write_report` writes them as
HTML, PDF, LaTeX and CSV. A study without runs, grades or anchors gets the parts that it can have, and one
sentence for each missing part. Names are imported on first use, because most of them need matplotlib.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from .building import Report as Report
    from .building import build_report as build_report
    from .catalogue import CHAPTERS as CHAPTERS
    from .catalogue import PARTS as PARTS
    from .catalogue import SECTIONS as SECTIONS
    from .data import ReportData as ReportData
    from .machines import Machine as Machine
    from .parameters import Input as Input
    from .parameters import Parameters as Parameters
    from .parameters import table_checksum as table_checksum
    from .writing import write_report as write_report

MODULES: Final = {
    "CHAPTERS": "catalogue",
    "PARTS": "catalogue",
    "SECTIONS": "catalogue",
    "Input": "parameters",
    "Machine": "machines",
    "Parameters": "parameters",
    "Report": "building",
    "ReportData": "data",
    "build_report": "building",
    "table_checksum": "parameters",
    "write_report": "writing",
}
"""The public names, each with the module that defines it."""
__all__ = [*MODULES]


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{MODULES[name]}"), name)
