"""The sections of a report, in order. Each part of the report is declared once, in its section."""

from typing import Final

from evaluation.report.by_grade import BY_GRADE
from evaluation.report.judging import JUDGING
from evaluation.report.of_measures import PREFERENCES, RELIABILITY, SCHEMES_SECTION
from evaluation.report.of_systems import OF_SYSTEMS
from evaluation.report.parts import Part, Section

SECTIONS: Final[tuple[Section, ...]] = (
    JUDGING,
    BY_GRADE,
    OF_SYSTEMS,
    SCHEMES_SECTION,
    RELIABILITY,
    PREFERENCES,
)
PARTS: Final[dict[str, Part]] = {part.key: part for section in SECTIONS for part in section.parts}
"""All parts by their keys."""
