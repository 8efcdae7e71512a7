"""All sections, parts and figures of a report, each declared once in `plumbline_ir.report.sections`.

The declarations compute nothing, and import nothing that is slow to import. So the pages of a site can use
them.
"""

from collections.abc import Iterator
from typing import Final

from ..text import Text
from .parts import Section
from .sections.arms import ARMS
from .sections.grades import GRADES
from .sections.judges import JUDGES
from .sections.judgments import JUDGMENTS
from .sections.measures import PREFERENCES, RELIABILITY, SCHEMES
from .sections.systems import SYSTEMS

ADAPTIVE: Final = Text(
    "This study is adaptive: earlier judgments decided which documents were judged next, and when to stop. "
    "Intervals are computed as if both had been fixed beforehand. In simulations, intervals of gains held, "
    "and intervals of differences between runs held nearly as often as they state. But the means of runs by "
    "nDCG were too high, above all with careless workers, and many of their intervals missed the true mean."
)
"""A note on the intervals of an adaptive study."""
ESTIMATES: Final = "estimates"
"""The beginning of the keys of tables with the means of the runs by each kind of evidence."""
SECTIONS: Final = (JUDGMENTS, GRADES, SYSTEMS, SCHEMES, RELIABILITY, PREFERENCES, ARMS, JUDGES)
"""The sections by subject. Each part is declared in one of them."""
PARTS: Final = {part.key: part for section in SECTIONS for part in section.parts}
"""All parts by their keys."""
_BODY: Final = {
    "judgments-sound": (
        Text("Are the judgments sound?"),
        ("topics", "alpha", "anchor-ratios", "order-agreement", "cost"),
    ),
    "documents-say": (
        Text("What do they say of the documents?"),
        ("distribution", "gains", "magnitudes-by-grade", "exceptions", "disagreements"),
    ),
    "best-run": (Text("Which run is best?"), ("means", "systems", "top-sets")),
    "other-choices": (Text("What would change the answer?"), ("sensitivity", "tau")),
}
"""The chapters of the report before its appendices: their titles, and the keys of their parts."""
_IN_BODY: Final = {key for _, keys in _BODY.values() for key in keys}
CHAPTERS: Final = (
    *(Section(key, title, tuple(PARTS[name] for name in keys)) for key, (title, keys) in _BODY.items()),
    *(
        Section(f"more-{section.key}", section.title, rest, is_appendix=True)
        for section in SECTIONS
        if (rest := tuple(part for part in section.parts if part.key not in _IN_BODY))
    ),
)
"""All parts in the order of the report: four questions, and appendices with everything else, by subject."""
FIGURES: Final = {figure.key: figure for part in PARTS.values() for figure in part.figures}
"""The figures that can be drawn on their own, by their keys."""
PART_OF: Final = {figure.key: part for part in PARTS.values() for figure in part.figures}
"""The part of each of these figures."""


def markdown() -> Iterator[str]:
    """Yield a Markdown table of the parts, in the order of the report."""
    yield "| key | part | source | chapter |\n|---|---|---|---|\n"
    for chapter in CHAPTERS:
        appendix = "appendix: " if chapter.is_appendix else ""
        for part in chapter.parts:
            yield f"| `{part.key}` | {part.title} | {part.source} | {appendix}{chapter.title} |\n"
