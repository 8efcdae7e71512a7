"""Compute a report: every part that the study has data for, and the reason why any other part is missing."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ..errors import InputError, shown
from ..result import Result
from ..showing import short_repr
from ..text import Text
from . import (
    by_grade,
    judging,
    of_anchors,
    of_arms,
    of_choices,
    of_judges,
    of_measures,
    of_reliability,
    of_systems,
)
from .answers import MAGNITUDES
from .catalogue import CHAPTERS
from .content import Content, Reason
from .data import ReportData
from .methods import methods_sentences, study_lines
from .parts import Part, Section

Makers = Mapping[str, Callable[[ReportData], Content]]
MAKERS: Final[Makers] = {
    **judging.MAKERS,
    **by_grade.MAKERS,
    **of_anchors.MAKERS,
    **of_arms.MAKERS,
    **of_systems.MAKERS,
    **of_choices.MAKERS,
    **of_measures.MAKERS,
    **of_reliability.MAKERS,
    **of_judges.MAKERS,
}
"""The function that computes each part of the catalogue."""
Progress = Callable[[int, int], None]
"""A function that is called with the number of finished parts and the number of all parts."""


@dataclass(frozen=True, eq=False)
class Finished:
    """A part with its content, which is empty if the study cannot have the part.

    `reading` explains how to read the part in this study.
    """

    part: Part
    content: Content
    reading: Text

    @property
    def missing(self) -> tuple[Reason, ...]:
        """Why the part, or something in it, is missing."""
        return tuple(self.content.missing)

    def __bool__(self) -> bool:
        return bool(self.content.sentences or self.content.tables or self.content.figures)


@short_repr
@dataclass(frozen=True, eq=False)
class Report:
    """The parts of a report, section by section, its title, and the sentences of the paragraph on methods."""

    data: ReportData
    sections: tuple[tuple[Section, tuple[Finished, ...]], ...]
    title: str
    is_of_paper: bool = False

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """The sentences of the paragraph on methods. With a result, the last one is the answer."""
        parts = {part.part.key for part in self.finished if part}
        sentences = methods_sentences(self.data, parts, is_of_paper=self.is_of_paper)
        return (*sentences, *([] if self.result is None else [str(self.result.sentence)]))

    @cached_property
    def study(self) -> tuple[tuple[str, str], ...]:
        """The study in ten lines, each a name and a text."""
        return tuple(study_lines(self.data))

    @property
    def finished(self) -> list[Finished]:
        """All parts, in order."""
        return [finished for _, parts in self.sections for finished in parts]

    @cached_property
    def result(self) -> Result | None:
        """The result by the first measure and the crowd's gains, or None without scores of runs."""
        if not any(finished for finished in self.finished if finished.part.key == "means"):
            return None
        return next(iter(self.data.results_by(MAGNITUDES).values()), None)

    @property
    def missing(self) -> list[tuple[str, str]]:
        """The title of each part that is missing or incomplete, and a sentence that says what is missing."""
        return [
            (str(finished.part.title), as_sentence(reason))
            for finished in self.finished
            for reason in finished.missing
        ]


def build_report(
    data: ReportData,
    progress: Progress = lambda done, total: None,
    *,
    only: Collection[str] | None = None,
) -> Report:
    """Compute all parts of `CHAPTERS` for this study, or the parts whose keys are in `only`.

    If a part lacks data, or the library refuses to compute it, the part has no content. A sentence in
    `missing` then says why. The same data, with the same versions of the libraries, give the same report.
    Raise `InputError` for an unknown key.
    """
    return build_sections(data, CHAPTERS, MAKERS, progress, only=only, title=f"Report of {data.title}")


def build_sections(
    data: ReportData,
    sections: Sequence[Section],
    makers: Makers,
    progress: Progress,
    *,
    only: Collection[str] | None,
    title: str,
    is_of_paper: bool = False,
) -> Report:
    """Compute the parts of some sections, or those whose keys are in `only`, as `build_report` does.

    `makers` has the function that computes each part. `is_of_paper` says that the parts have the measures and
    settings of a paper, so that the paragraph on methods does not state the study's.
    """
    parts = {part.key: part for section in sections for part in section.parts}
    for key in only or ():
        if key not in parts:
            raise InputError(
                "unknown-part-of-report",
                "a report has no part named {part}; choose from {known}",
                part=shown(key),
                known=", ".join(parts),
            )
    wanted = [part for key, part in parts.items() if only is None or key in only]
    finished: dict[str, Finished] = {}
    for of_part in finish_parts(wanted, data, makers):
        finished[of_part.part.key] = of_part
        progress(len(finished), len(wanted))
    with_parts = (
        (section, tuple(finished[part.key] for part in section.parts if part.key in finished))
        for section in sections
    )
    finished_sections = tuple((section, parts) for section, parts in with_parts if parts)
    return Report(data, finished_sections, title, is_of_paper)


def finish_parts(parts: Collection[Part], data: ReportData, makers: Makers = MAKERS) -> Iterator[Finished]:
    """Compute the parts one by one. Yield each with its content, or with the reason why it is missing."""
    for part in parts:
        if missing := part.missing(data.facts):
            yield Finished(part, Content(missing=[missing[0]]), part.reading_of(data.facts))
            continue
        try:
            content = makers[part.key](data)
        except InputError as error:
            content = Content(missing=[error])
        yield Finished(part, content, part.reading_of(data.facts))


def as_sentence(reason: Reason) -> str:
    """Return a sentence that says why something is missing."""
    text = str(reason)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
