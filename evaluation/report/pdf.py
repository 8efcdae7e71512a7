"""The report as PDF, laid out with fpdf2 in the fonts that come with matplotlib."""

import io
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import matplotlib
from PIL import Image

from ..rendering import Table
from ..text import joined
from .building import Finished, Report
from .cells import printed

try:
    from fpdf import FPDF
    from fpdf.enums import XPos, YPos
except ModuleNotFoundError as missing:
    if missing.name != "fpdf":
        raise
    message = "the report as PDF needs fpdf2: run pip install 'plumbline-ir[report]'"
    raise ModuleNotFoundError(message, name=missing.name) from missing

FONTS: Final = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
SERIF, SANS = "DejaVuSerif", "DejaVuSans"
BODY, SMALL, TABLE, LEAST = 9.0, 7.5, 7.0, 5.0
"""Sizes of type, in points: of sentences, notes and tables, and the smallest size of a wide table."""
MARGIN: Final = 18.0
GAP: Final = 2.4
"""The space between two columns of a table, in millimetres."""
FIXED_DATE: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""A date in the file, so that the same report gives the same bytes. The report itself has no date."""


def to_pdf(report: Report, pictures: Mapping[str, bytes]) -> bytes:
    """Return the PDF file. `pictures` maps the key of each figure to its PNG file."""
    pages = _Pages(report.title)
    for section, parts in report.sections:
        if any(parts):
            pages.heading(str(section.title), level=0)
            for finished in parts:
                if finished:
                    _part(pages, finished, pictures)
    if report.missing:
        pages.heading("Not in this report", level=0)
        for title, reason in report.missing:
            pages.paragraph(f"{title}: {reason}")
    pages.heading("Methods", level=0)
    pages.paragraph(" ".join(report.methods))
    for given in report.data.inputs:
        pages.paragraph(f"{given.name} ({given.what}, {given.rows} rows): SHA-256 {given.sha256}", size=SMALL)
    return bytes(pages.output())


def _part(pages: "_Pages", finished: Finished, pictures: Mapping[str, bytes]) -> None:
    part, content = finished.part, finished.content
    pages.heading(str(part.title), level=1)
    pages.paragraph(f"{finished.reading} ({part.source})", style="I")
    pages.paragraph(joined(content.sentences))
    for figure in content.figures:
        pages.picture(pictures[figure.key], str(figure.caption), joined(figure.alt))
    for numbers in content.tables:
        pages.paragraph(joined(numbers.sentences))
        if numbers.most:
            pages.print_table(printed(numbers))


class _Pages(FPDF):
    """The pages of a report."""

    def __init__(self, title: str) -> None:
        super().__init__(format="A4")
        for name, style, file in (
            (SERIF, "", "DejaVuSerif"),
            (SERIF, "I", "DejaVuSerif-Italic"),
            (SANS, "", "DejaVuSans"),
            (SANS, "B", "DejaVuSans-Bold"),
        ):
            self.add_font(name, style, FONTS / f"{file}.ttf")
        self.set_margins(MARGIN, MARGIN)
        self.set_auto_page_break(auto=True, margin=MARGIN)
        self.set_title(title)
        self.set_lang("en")
        self.set_creation_date(FIXED_DATE)
        self.set_producer("plumbline")
        self.add_page()
        self.set_font(SANS, "B", 16)
        self.multi_cell(0, 8, title, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def footer(self) -> None:
        """Print the number of the page."""
        self.set_y(-MARGIN + 5)
        self.set_font(SANS, "", SMALL)
        self.cell(0, 4, str(self.page_no()), align="C")

    def heading(self, text: str, *, level: int) -> None:
        """Print a heading, which is also in the outline of the file."""
        if self.will_page_break(30):
            self.add_page()
        self.ln(4 if level else 6)
        self.set_font(SANS, "B", 11 if level else 14)
        self.start_section(text, level=level)
        self.multi_cell(0, 6, text, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self.ln(1)

    def paragraph(self, text: str, *, style: str = "", size: float = BODY) -> None:
        """Print a paragraph."""
        if text:
            self.set_font(SERIF, style, size)
            self.multi_cell(0, size * 0.52, text, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
            self.ln(1.5)

    def picture(self, png: bytes, caption: str, alt: str) -> None:
        """Print a figure with its caption, as wide as it was drawn but no larger than the page."""
        image = Image.open(io.BytesIO(png))
        dots = float(image.info["dpi"][0])
        wide, tall = (25.4 * pixels / dots for pixels in image.size)
        room = self.h - 2 * MARGIN - 14
        scale = min(1.0, self.epw / wide, room / tall)
        wide, tall = wide * scale, tall * scale
        if self.will_page_break(tall + 8):
            self.add_page()
        self.image(image, w=wide, h=tall, alt_text=alt)
        self.paragraph(f"{caption}.", size=SMALL)

    def print_table(self, table: Table) -> None:
        """Print a table. Columns that do not fit follow in blocks, which repeat the row names."""
        texts = [[" ".join(filter(None, (cell.text, cell.detail))) for cell in row] for row in (*table.rows,)]
        lines = [list(table.header), *texts]
        self.set_font(SANS, "", TABLE)
        size = max(LEAST, min(TABLE, TABLE * self.epw / sum(self._widths(lines))))
        self.set_font(SANS, "", size)
        widths = [min(width, self.epw / 2) for width in self._widths(lines)]
        if self.will_page_break(20):
            self.add_page()
        self.paragraph(table.caption, size=SMALL)
        for columns in _blocks(widths, table.heads, self.epw):
            self._block(
                [[line[place] for place in columns] for line in lines],
                [widths[c] for c in columns],
                size,
                table.heads,
            )
        for note in table.notes:
            self.paragraph(note, size=LEAST + 1)
        self.ln(2)

    def _widths(self, lines: Sequence[Sequence[str]]) -> list[float]:
        return [
            GAP + max(self.get_string_width(text) for text in column) for column in zip(*lines, strict=True)
        ]

    def _block(
        self, lines: Sequence[Sequence[str]], widths: Sequence[float], size: float, heads: int
    ) -> None:
        tall = size * 0.5
        for number, line in enumerate(lines):
            if self.will_page_break(tall + 1) and number:
                self.add_page()
                self._line(lines[0], widths, tall, heads, "B", size)
            self._line(line, widths, tall, heads, "" if number else "B", size)
        self.line(self.l_margin, self.y, self.l_margin + sum(widths), self.y)
        self.ln(2)

    def _line(
        self, line: Sequence[str], widths: Sequence[float], tall: float, heads: int, style: str, size: float
    ) -> None:
        self.set_font(SANS, "", size)
        if style:
            self.line(self.l_margin, self.y, self.l_margin + sum(widths), self.y)
        for place, (text, width) in enumerate(zip(line, widths, strict=True)):
            align = "L" if place < heads else "R"
            self.cell(width, tall, self._fitted(text, width - GAP / 2), align=align)
        self.ln(tall)
        if style:
            self.line(self.l_margin, self.y, self.l_margin + sum(widths), self.y)

    def _fitted(self, text: str, width: float) -> str:
        """Return the text, cut off so that it fits into a column."""
        if self.get_string_width(text) <= width:
            return text
        end = len(text)
        while end and self.get_string_width(text[:end] + "…") > width:
            end = min(end - 1, int(end * 0.9))
        return text[:end] + "…"


def _blocks(widths: Sequence[float], heads: int, room: float) -> list[list[int]]:
    """Return, for each block of a table, the places of its columns.

    A block has the `heads` columns with the row names, and as many other columns as fit into `room`.
    """
    names = list(range(heads))
    blocks: list[list[int]] = []
    used = room + 1
    for place in range(heads, len(widths)):
        if used + widths[place] > room:
            blocks.append([*names])
            used = sum(widths[:heads])
        blocks[-1].append(place)
        used += widths[place]
    return blocks or [names]
