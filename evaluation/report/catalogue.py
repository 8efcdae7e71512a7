"""All sections, parts and figures of a report, each declared once in `plumbline_ir.report.sections`.

The declarations compute nothing, and import nothing that is slow to import. So the pages of a site can use
them.
"""

from typing import Final

from ..text import Text
from .sections.grades import GRADES
from .sections.judgments import JUDGMENTS
from .sections.measures import PREFERENCES, RELIABILITY, SCHEMES
from .sections.systems import SYSTEMS

ADAPTIVE: Final = Text(
    "This study is adaptive: earlier judgments decided which documents were judged next, and when to stop. "
    "Intervals are computed as if both had been fixed beforehand. So the interval of a gain contains the "
    "true gain less often than its confidence level states."
)
"""A note on the intervals of an adaptive study."""
SECTIONS: Final = (JUDGMENTS, GRADES, SYSTEMS, SCHEMES, RELIABILITY, PREFERENCES)
"""The sections in the order of the report."""
PARTS: Final = {part.key: part for section in SECTIONS for part in section.parts}
"""All parts by their keys."""
FIGURES: Final = {figure.key: figure for part in PARTS.values() for figure in part.figures}
"""The figures that can be drawn on their own, by their keys."""
PART_OF: Final = {figure.key: part for part in PARTS.values() for figure in part.figures}
"""The part of each of these figures."""
