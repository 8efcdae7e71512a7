"""Compute a report: every part that the study has data for, and a reason for each of the others."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from evaluation.errors import InputError, shown
from evaluation.report.catalogue import PARTS, SECTIONS
from evaluation.report.data import ReportData
from evaluation.report.methods import methods_sentences
from evaluation.report.parts import Content, Part, Section

Progress = Callable[[int, int], None]
"""A function that is called with the number of finished parts and the number of all parts."""


@dataclass(frozen=True, eq=False)
class Finished:
    """A part with its content. The content is None if the study cannot have the part."""

    part: Part
    content: Content | None
    missing: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Report:
    """The parts of a report, section by section, and the sentences of the paragraph on methods."""

    data: ReportData
    sections: tuple[tuple[Section, tuple[Finished, ...]], ...]
    methods: tuple[str, ...]

    @property
    def missing(self) -> list[tuple[str, str]]:
        """The title of each part that is missing or incomplete, and a sentence that says what is missing."""
        parts = [finished for _, finished_parts in self.sections for finished in finished_parts]
        return [(finished.part.title, reason) for finished in parts for reason in finished.missing]


def build_report(
    data: ReportData,
    progress: Progress = lambda done, total: None,
    *,
    only: Collection[str] | None = None,
) -> Report:
    """Compute all parts of `SECTIONS` for this study, or `only` the parts with these keys.

    A part that lacks data has no content and a sentence in `missing`. The same holds for a part that the
    library refuses to compute. The same data, with the same versions of the libraries, give the same report.
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
    wanted = PARTS if only is None else set(only)
    total = len(wanted)
    done, sections = 0, []
    for section in SECTIONS:
        if not any(part.key in wanted for part in section.parts):
            continue
        parts = []
        for part in (part for part in section.parts if part.key in wanted):
            parts.append(finish_part(part, data))
            done += 1
            progress(done, total)
        sections.append((section, tuple(parts)))
    return Report(data, tuple(sections), tuple(methods_sentences(data)))


def finish_part(part: Part, data: ReportData) -> Finished:
    """Compute a part, or say in one sentence why it is missing."""
    for need in part.needs:
        if reason := need(data):
            return Finished(part, None, (reason,))
    try:
        content = part.make(data)
    except InputError as error:
        return Finished(part, None, (_as_sentence(str(error)),))
    if not (content.sentences or content.tables or content.figures):
        return Finished(part, None, tuple(content.missing))
    return Finished(part, content, tuple(content.missing))


def _as_sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
