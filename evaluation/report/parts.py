"""How the parts of a report and their figures are declared."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from ..text import Text
from .needs import Facts, Need

MEASURES: Final = ("nDCG@10", 'ERR(stop="share")@10')
"""The measures by which a report compares systems, unless others are given.

The form of ERR for grades would leave little more than the largest magnitude of each topic.
"""


SAMPLED_MEASURES: Final = ("DCG@10",)
"""The measures of a study of which only a sample was judged, unless others are given."""


@dataclass(frozen=True)
class FigureKind:
    """A figure that can be drawn on its own.

    `measures` are the default measures of the figure, or () if the figure does not depend on measures. If
    `of_grades` is True, the figure shows one set of known grades. `needs` adds to the needs of the figure's
    part.
    """

    key: str
    title: Text
    what: Text
    measures: tuple[str, ...] = ()
    of_grades: bool = False
    needs: Sequence[Need] = ()


@dataclass(frozen=True)
class Part:
    """A part of the report.

    `reading` explains in two sentences how to read the part, and `source` cites the paper that the part
    follows. `readings` are pairs of a need and another explanation, for studies that do not meet the need,
    such as studies without anchors. The explanation can be a function of the facts. `figures` are the figures
    that can be drawn on their own. A part can have further figures.
    """

    key: str
    title: Text
    source: str
    reading: Text
    needs: Sequence[Need] = ()
    figures: Sequence[FigureKind] = ()
    readings: Sequence[tuple[Need, Text | Callable[[Facts], Text]]] = ()

    def reading_of(self, facts: Facts) -> Text:
        """Return the sentences that explain how to read the part in a study with these facts."""
        others = (reading for need, reading in self.readings if need(facts) is not None)
        reading = next(others, self.reading)
        return reading(facts) if callable(reading) else reading

    def missing(self, facts: Facts) -> list[Text]:
        """Return the reasons why a study cannot have this part, each in one sentence."""
        return lacks(self.needs, facts)


@dataclass(frozen=True)
class Section:
    """A section of the report with its parts. Appendices follow all other sections."""

    key: str
    title: Text
    parts: tuple[Part, ...]
    is_appendix: bool = False


def lacks(needs: Sequence[Need], facts: Facts) -> list[Text]:
    """Return a sentence for each need that a study does not meet."""
    return [reason for need in needs if (reason := need(facts)) is not None]
