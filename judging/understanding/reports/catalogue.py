"""The parts and figures of the library's report that pages show. This module computes nothing."""

from typing import Final

from evaluation.report.catalogue import ADAPTIVE, ESTIMATES, FIGURES, PART_OF, PARTS, SECTIONS
from evaluation.report.needs import Facts
from evaluation.report.parts import MEASURES, SAMPLED_MEASURES, FigureKind, Section, lacks
from evaluation.text import Text
from judging.models import ReportKind, Study

FORMATS: Final = {
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "png": "image/png",
    "csv": "text/csv; charset=utf-8",
}
"""Maps the file extension of each format of a figure to its media type."""
WHOLE_ZIP: Final = "report.zip"
"""The file of the report with all analyses."""
ALPHA: Final = 0.05
"""The test separates a run from the best run if p is below this limit. The other runs are the top set."""
_BY_SECTION: Final = {section.key: tuple(part.key for part in section.parts) for section in SECTIONS}
PARTS_OF: Final = {
    ReportKind.GRADES: ("distribution", "alpha", *_BY_SECTION["grades"]),
    ReportKind.SCORES: ("means", "systems"),
    ReportKind.SYSTEMS: tuple(
        key
        for section in ("systems", "schemes", "reliability", "preferences")
        for key in _BY_SECTION[section]
        if key not in ("means", "systems")
    ),
    ReportKind.JUDGES: ("judges-beside-people",),
}
"""Maps each kind of report that a page shows to the keys of its parts."""
SECTIONS_OF_SYSTEMS: Final = {
    section.key: Section(section.key, section.title, parts)
    for section in SECTIONS
    if (parts := tuple(part for part in section.parts if part.key in PARTS_OF[ReportKind.SYSTEMS]))
}
"""The sections of the report `systems`, in the order of the page."""


def measures_of(study: Study) -> list[str]:
    """Return the measures of the results of a study: its own, chosen before it opened, and further looks.

    If only a sample is judged, the further looks are measures that a sample can estimate.
    """
    further = SAMPLED_MEASURES if study.is_sampled else MEASURES
    return list(dict.fromkeys((study.ranked_by, *further)))


def measures_of_figure(study: Study, figure: FigureKind) -> list[str]:
    """Return the default measures of a figure, or an empty list if it does not depend on measures."""
    return list(SAMPLED_MEASURES if figure.measures and study.is_sampled else figure.measures)


def lacking(figure: str, facts: Facts) -> list[Text]:
    """Return the reasons why a study cannot have a figure, each in one sentence."""
    return [*PART_OF[figure].missing(facts), *lacks(FIGURES[figure].needs, facts)]


__all__ = [
    "ADAPTIVE",
    "ALPHA",
    "ESTIMATES",
    "FIGURES",
    "FORMATS",
    "MEASURES",
    "PARTS",
    "PARTS_OF",
    "SECTIONS_OF_SYSTEMS",
    "WHOLE_ZIP",
    "lacking",
    "measures_of",
    "measures_of_figure",
]
