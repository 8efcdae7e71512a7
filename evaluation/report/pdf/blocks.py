"""The report as blocks of text, tables and figures, in the order in which the PDF prints them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ...rendering import Cell, Table
from ...text import joined
from ..building import Finished, Report
from ..cells import printed
from ..content import RESULT
from ..html import ANSWER

Block = dict[str, Any]
"""A block for `template.typ`: its `kind`, and the texts and numbers that a block of this kind has."""
INPUTS_HEADER: Final = ("input", "content", "rows", "SHA-256")


def blocks_of(report: Report, pictures: Mapping[str, int]) -> list[Block]:
    """Return the blocks of the report. `pictures` maps the key of each figure to its picture's number."""
    blocks = [*_first_page(report, pictures), {"kind": "contents", "text": "Contents"}]
    for section, parts in report.sections:
        if any(parts):
            appendix = "Appendix: " if section.is_appendix else ""
            blocks.append(_heading(f"{appendix}{section.title}", 1))
            for finished in filter(None, parts):
                blocks += _part(finished, pictures)
    if report.missing:
        blocks += [_heading("Not in this report", 1), _list(report.missing)]
    return [*blocks, *_inputs(report)]


def _first_page(report: Report, pictures: Mapping[str, int]) -> Iterator[Block]:
    """Yield the answer, the study in ten lines, and the paragraph on methods."""
    if (result := report.result) is not None:
        yield _heading("The answer", 1)
        for caution in result.cautions:
            yield _paragraph(str(caution))
        yield _paragraph(str(result.sentence))
        if RESULT in pictures:
            yield _figure("The means of the runs", str(result.sentence), pictures[RESULT])
        yield _table(replace(result.to_table(), caption=ANSWER))
    yield _heading("The study in ten lines", 1)
    yield _list(report.study)
    yield _heading("Methods", 1)
    yield _paragraph(" ".join(report.methods))


def _inputs(report: Report) -> Iterator[Block]:
    """Yield the appendix of the inputs with their checksums, and of the settings of the study."""
    data = report.data
    if data.inputs or data.settings:
        yield _heading("Inputs and settings", 1)
    if data.settings:
        yield _list([*data.settings.items()])
    if data.inputs:
        rows = tuple(tuple(Cell(str(value)) for value in given) for given in data.inputs)
        yield _table(Table("Inputs and their checksums (SHA-256)", INPUTS_HEADER, rows, heads=2))


def blocks_of_letters(names: Sequence[tuple[str, str]]) -> list[Block]:
    """Return the section that names the letters for which there is no font."""
    if not names:
        return []
    rows = tuple((Cell(code), Cell(name)) for code, name in names)
    return [
        _heading("Letters without a font", 1),
        _paragraph(
            "No font was found for these letters, so this file shows their codes. To see the letters, write "
            "the report again with a folder of fonts that have them."
        ),
        _table(Table("Letters without a font", ("code", "name in Unicode"), rows, heads=2)),
    ]


def _part(finished: Finished, pictures: Mapping[str, int]) -> Iterator[Block]:
    part, content = finished.part, finished.content
    yield _heading(str(part.title), 2)
    yield {"kind": "reading", "text": f"{finished.reading} ({part.source})"}
    if content.sentences:
        yield _paragraph(joined(content.sentences))
    for figure in content.figures:
        yield _figure(str(figure.caption), joined(figure.alt), pictures[figure.key])
    for numbers in content.tables:
        if numbers.sentences:
            yield _paragraph(joined(numbers.sentences))
        if numbers.most:
            yield _table(printed(numbers))


def _heading(text: str, level: int) -> Block:
    return {"kind": "heading", "text": text, "level": level}


def _paragraph(text: str) -> Block:
    return {"kind": "paragraph", "text": text}


def _list(items: Sequence[tuple[str, str]]) -> Block:
    return {"kind": "list", "items": items}


def _figure(caption: str, alt: str, picture: int) -> Block:
    return {"kind": "figure", "caption": f"{caption}.", "alt": f"{caption}. {alt}", "picture": picture}


def _table(table: Table) -> Block:
    return {
        "kind": "table",
        "caption": table.caption,
        "header": table.header,
        "rows": [[cell._asdict() for cell in row] for row in table.rows],
        "heads": table.heads,
        "notes": table.notes,
    }
