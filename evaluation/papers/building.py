"""Compute the tables and figures of a paper from a study's data."""

from collections.abc import Collection
from functools import partial
from typing import Final

from ..errors import InputError, shown
from ..report.building import Makers, Progress, Report, build_sections
from ..report.content import Content
from ..report.data import ReportData
from .catalogue import PAPERS
from .jk02 import making as jk02
from .k05 import making as k05
from .paper import Item
from .s04 import making as s04
from .t15 import making as t15
from .zy10 import making as zy10

MAKERS: Final[dict[str, Makers]] = {
    "T15": t15.MAKERS,
    "JK02": jk02.MAKERS,
    "K05": k05.MAKERS,
    "S04": s04.MAKERS,
    "ZY10": zy10.MAKERS,
}
"""The functions that compute the items of each paper."""


def build_paper(
    data: ReportData,
    paper: str,
    progress: Progress = lambda done, total: None,
    *,
    only: Collection[str] | None = None,
) -> Report:
    """Compute the items of a paper, or those whose keys are in `only`.

    An item has no content if the study lacks data for it, or if Plumbline does not compute it. A sentence in
    `missing` then says why. Raise `InputError` for an unknown paper or key.
    """
    if paper not in PAPERS:
        raise InputError(
            "unknown-paper",
            "there is no paper named {paper}; choose from {known}",
            paper=shown(paper),
            known=", ".join(PAPERS),
        )
    chosen = PAPERS[paper]
    return build_sections(
        data,
        (chosen.section,),
        {
            **MAKERS[paper],
            **{item.key: partial(_absent, item) for item in chosen.items if item.state == "absent"},
        },
        progress,
        only=only,
        title=f"{chosen.citation}: its tables and figures for {data.title}",
        is_of_paper=True,
    )


def _absent(item: Item, data: ReportData) -> Content:
    """Return the content of an item that Plumbline does not compute: only the reason."""
    return Content(missing=[item.reading_with_misprints])
