"""Compute a report: every part that the study has data for, and the reason why any other part is missing."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ..errors import InputError, shown
from ..showing import short_repr
from ..text import Text
from . import by_grade, judging, of_anchors, of_measures, of_reliability, of_systems
from .catalogue import PARTS, SECTIONS
from .content import Content, Reason
from .data import ReportData
from .methods import methods_sentences
from .parts import Part, Section

MAKERS: Final = {
    **judging.MAKERS,
    **by_grade.MAKERS,
    **of_anchors.MAKERS,
    **of_systems.MAKERS,
    **of_measures.MAKERS,
    **of_reliability.MAKERS,
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
    """The parts of a report, section by section, and the sentences of the paragraph on methods."""

    data: ReportData
    sections: tuple[tuple[Section, tuple[Finished, ...]], ...]

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """The sentences of the paragraph on methods."""
        return tuple(methods_sentences(self.data, {part.part.key for part in self.finished if part}))

    @property
    def finished(self) -> list[Finished]:
        """All parts, in order."""
        return [finished for _, parts in self.sections for finished in parts]

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
    """Compute all parts of `SECTIONS` for this study, or the parts whose keys are in `only`.

    If a part lacks data, or the library refuses to compute it, the part has no content. A sentence in
    `missing` then says why. The same data, with the same versions of the libraries, give the same report.
    Raise `InputError` for an unknown key.
    """
    for key in only or ():
        if key not in PARTS:
            raise InputError(
                "unknown-part-of-report",
                "a report has no part named {part}; choose from {known}",
                part=shown(key),
                known=", ".join(PARTS),
            )
    wanted = PARTS.keys() if only is None else set(only)
    finished: dict[str, Finished] = {}
    for of_part in finish_parts([part for key, part in PARTS.items() if key in wanted], data):
        finished[of_part.part.key] = of_part
        progress(len(finished), len(wanted))
    sections = (
        (section, tuple(finished[part.key] for part in section.parts if part.key in finished))
        for section in SECTIONS
    )
    return Report(data, tuple((section, parts) for section, parts in sections if parts))


def finish_parts(parts: Collection[Part], data: ReportData) -> Iterator[Finished]:
    """Compute the parts one by one. Yield each with its content, or with the reason why it is missing."""
    for part in parts:
        if missing := part.missing(data.facts):
            yield Finished(part, Content(missing=[missing[0]]), part.reading_of(data.facts))
            continue
        try:
            content = MAKERS[part.key](data)
        except InputError as error:
            content = Content(missing=[error])
        yield Finished(part, content, part.reading_of(data.facts))


def as_sentence(reason: Reason) -> str:
    """Return a sentence that says why something is missing."""
    text = str(reason)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
