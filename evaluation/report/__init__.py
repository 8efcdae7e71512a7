"""The report of a whole study: every analysis of its judgments, like the results section of a paper.

`build_report` computes the sections of `SECTIONS` from a `ReportData`, and `write_report` writes them as
HTML, PDF, LaTeX and CSV. A study without runs, grades or anchors gets the parts that it can have, and one
sentence for each missing part.
"""

from evaluation.report.building import Report, build_report
from evaluation.report.catalogue import PARTS, SECTIONS
from evaluation.report.data import Input, Parameters, ReportData, table_checksum
from evaluation.report.writing import write_report

__all__ = [
    "PARTS",
    "SECTIONS",
    "Input",
    "Parameters",
    "Report",
    "ReportData",
    "build_report",
    "table_checksum",
    "write_report",
]
