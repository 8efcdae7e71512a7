"""Tables for people to read: in a terminal, or as Markdown, HTML or LaTeX.

The cells of a `Table` contain plain text. Each function escapes this text for its format, so a run can have
a name such as `a_b`, `50%` or `<b>`. The output of `to_latex` needs the LaTeX package booktabs.
"""

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape as escape_html
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import combining, east_asian_width

from .errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

NO_VALUE: Final = "-"
TERMINAL_WIDTH: Final = 100
"""In characters. A wider table is printed in several blocks of columns, each with the row names."""
MOST_ROWS: Final = 60
"""The largest number of a table's rows that a terminal or a notebook shows."""
MOST_DIGITS: Final = 17

_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "`": r"\char96{}",
    "−": "$-$",
    "∞": r"$\infty$",
    "√": r"$\surd$",
    "≥": r"$\geq$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "…": r"\ldots{}",
    "†": r"\textdagger{}",
    "‡": r"\textdaggerdbl{}",
    "§": r"\textsection{}",
    "¶": r"\textparagraph{}",
}
_FOR_LATEX: Final = str.maketrans(_LATEX)
# LaTeX joins two of these in a row into a dash or a quotation mark; braces keep them apart.
_LIGATURES: Final = re.compile(r"(-(?=-)|'(?=')|,(?=,))")
_NUMBER_MINUS: Final = re.compile(r"(?<![\w.])-(?=[\d.∞])")
_FOR_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>|~&#!$^])")


class Cell(NamedTuple):
    """The content of a cell: text, a superscript after the text, and a detail in smaller type."""

    text: str
    mark: str = ""
    detail: str = ""


@dataclass(frozen=True)
class Table:
    """A table of text. The first `heads` columns name each row; the other columns hold the numbers."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    heads: int = 1
    notes: tuple[str, ...] = ()

    def shortened(self, most: int = MOST_ROWS) -> "Table":
        """Return the table with at most `most` of its rows. A row of dots in the middle replaces the rest."""
        if len(self.rows) <= most:
            return self
        above, below = most - most // 2, most // 2
        dots = tuple(Cell("…") for _ in self.header)
        return replace(self, rows=(*self.rows[:above], dots, *self.rows[-below:]))


def formatter(digits: int) -> Callable[[float | None], str]:
    """Return a function that writes a number with `digits` decimals, and a missing value as `-`.

    Raise `InputError` for `digits` outside 0–17.
    """
    if not 0 <= digits <= MOST_DIGITS:
        raise InputError(
            "decimals-out-of-bounds",
            "digits={digits} is out of bounds; give a number of decimals from 0 to {most}",
            digits=digits,
            most=MOST_DIGITS,
        )

    def write(value: float | None) -> str:
        if value is None or value != value:
            return NO_VALUE
        # Python writes infinity as inf. Adding 0.0 turns −0.0 into 0.0.
        return f"{round(value, digits) + 0.0:.{digits}f}".replace("inf", "∞")

    return write


def format_p(p: float | None, digits: int) -> str:
    """Return a p-value with `digits` decimals, or for example `<0.001` if it would round to 0."""
    least = 10.0**-digits
    return f"<{least:.{digits}f}" if p is not None and p < least / 2 else formatter(digits)(p)


def to_pandas(table: "pl.DataFrame") -> "pd.DataFrame":
    """Return a polars table as a pandas table, without using pyarrow.

    Raise `InputError` if pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        raise InputError(
            "pandas-not-installed",
            "a pandas table needs the package pandas; install it with pip install pandas, or use to_polars()",
        ) from None
    return pd.DataFrame(
        {
            column.name: column.to_numpy() if column.dtype.is_numeric() else column.to_list()
            for column in table.iter_columns()
        }
    )


def to_text(table: Table, width: int = TERMINAL_WIDTH) -> str:
    """Return the table for a terminal: the caption, columns aligned with spaces, and the notes.

    Columns that do not fit into `width` characters follow in separate blocks, which repeat the row names.
    """
    columns = [
        _aligned([Cell(name), *cells], left=place < table.heads)
        for place, (name, cells) in enumerate(_columns(table))
    ]
    blocks = []
    for start, end in pairwise(_breaks([_width(column[0]) for column in columns], table.heads, width)):
        shown = [*columns[: table.heads], *columns[start:end]]
        rule = ["-" * _width(column[0]) for column in shown]
        lines = zip(*shown, strict=True)
        header, *rows = ["  ".join(line).rstrip() for line in (next(lines), rule, *lines)]
        blocks.append("\n".join((header, *rows)))
    return "\n\n".join(
        [f"{_one_line(table.caption)}\n{blocks[0]}", *blocks[1:], *_paragraph(table.notes, width)]
    )


def paragraph(text: str, width: int = TERMINAL_WIDTH) -> str:
    """Return the text in lines for a terminal."""
    return "".join(_paragraph([text], width))


def to_markdown(table: Table) -> str:
    """Return the table as GitHub's Markdown: a pipe table, then each note as a paragraph."""

    def cell(cell: Cell) -> str:
        mark = f"<sup>{_markdown(cell.mark)}</sup>" if cell.mark else ""
        return f"{_markdown(cell.text)}{mark}" + (f" {_markdown(cell.detail)}" if cell.detail else "")

    rule = [":--" if place < table.heads else "--:" for place in range(len(table.header))]
    lines = [[*map(_markdown, table.header)], rule, *(map(cell, row) for row in table.rows)]
    pipes = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return "\n\n".join([pipes, *map(_markdown, table.notes)]) + "\n"


def to_html(table: Table) -> str:
    """Return the table as an HTML element with a caption. Each header cell has a `scope` attribute."""

    def cell(place: int, cell: Cell) -> str:
        mark = f"<sup>{_html(cell.mark)}</sup>" if cell.mark else ""
        detail = f" <small>{_html(cell.detail)}</small>" if cell.detail else ""
        content = f"{_html(cell.text)}{mark}{detail}"
        is_head = place < table.heads and bool(cell.text)  # an empty header names nothing
        return f'<th scope="row">{content}</th>' if is_head else f"<td>{content}</td>"

    header = "".join(f'<th scope="col">{_html(name)}</th>' for name in table.header)
    body = ("".join(cell(place, content) for place, content in enumerate(row)) for row in table.rows)
    notes = "<br>".join(map(_html, table.notes))
    foot = f'<tfoot><tr><td colspan="{len(table.header)}">{notes}</td></tr></tfoot>' if notes else ""
    return "\n".join(
        [
            "<table>",
            f"<caption>{_html(table.caption)}</caption>",
            f"<thead><tr>{header}</tr></thead>",
            "<tbody>",
            *(f"<tr>{cells}</tr>" for cells in body),
            "</tbody>",
            *([foot] if foot else []),
            "</table>",
        ]
    )


def to_latex(table: Table, caption: str | None = None, label: str | None = None) -> str:
    r"""Return a `tabular` with booktabs rules, inside a `table` if there is a caption or a label.

    `caption` is plain text. `label` is the name for `\ref`. The notes follow the table in small type. If
    there is neither a caption nor a label, the notes are comments before the `tabular`.
    """

    def cell(place: int, cell: Cell) -> str:
        latex = escape_latex if place < table.heads else _latex_number
        mark = rf"\textsuperscript{{{escape_latex(cell.mark)}}}" if cell.mark else ""
        return f"{latex(cell.text)}{mark}" + (f" {{\\small {latex(cell.detail)}}}" if cell.detail else "")

    rows = (
        [escape_latex(name) for name in table.header],
        *([cell(place, content) for place, content in enumerate(row)] for row in table.rows),
    )
    header, *body = [_latex_row(row) for row in rows]
    kinds = "l" * table.heads + "r" * (len(table.header) - table.heads)
    tabular = "\n".join(
        [
            f"\\begin{{tabular}}{{{kinds}}}",
            r"\toprule",
            header,
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )
    if caption is None and label is None:
        return "".join(f"% {_one_line(note)}\n" for note in table.notes) + tabular + "\n"
    small = [f"\\par\\smallskip\n{{\\footnotesize {escape_latex(note)}\\par}}" for note in table.notes]
    above = [r"\begin{table}", r"\centering"]
    above += [] if caption is None else [f"\\caption{{{escape_latex(caption)}}}"]
    above += [] if label is None else [f"\\label{{{label}}}"]
    return "\n".join([*above, tabular, *small, r"\end{table}"]) + "\n"


def escape_latex(text: str) -> str:
    r"""Return LaTeX that prints this text; line breaks become spaces.

    Example: `50%_a` becomes `50\%\_a`.
    """
    return _LIGATURES.sub(r"\1{}", _one_line(text).translate(_FOR_LATEX))


def _latex_number(text: str) -> str:
    return escape_latex(_NUMBER_MINUS.sub("−", text))


def _latex_row(cells: Sequence[str]) -> str:
    # After the \\ that ends the row above, LaTeX would read a [ or * as an argument of that \\.
    first = f"{{}}{cells[0]}" if cells[0].startswith(("[", "*")) else cells[0]
    return f"{' & '.join([first, *cells[1:]])} \\\\"


def _html(text: str) -> str:
    return escape_html(_one_line(text))


def _markdown(text: str) -> str:
    return _FOR_MARKDOWN.sub(r"\\\1", _one_line(text))


def _one_line(text: str) -> str:
    """Return the text on one line, without unprintable characters."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


def _paragraph(notes: Iterable[str], width: int) -> Iterator[str]:
    lines = (
        textwrap.fill(_one_line(note), width, break_long_words=False, break_on_hyphens=False)
        for note in notes
    )
    if text := "\n".join(lines):
        yield text


def _columns(table: Table) -> Iterator[tuple[str, list[Cell]]]:
    for place, name in enumerate(table.header):
        yield name, [row[place] for row in table.rows]


def _aligned(cells: Sequence[Cell], *, left: bool) -> list[str]:
    """Return the cells of a column, padded to the same width.

    With `left`, only the texts of the cells are returned, aligned on the left. Otherwise, the texts are
    aligned on the right. The `mark` and `detail` of each cell follow its text and are aligned too.
    """
    parts = [[_one_line(part) for part in cell] for cell in cells]
    texts, marks, details = (max(map(_width, column)) for column in zip(*parts, strict=True))
    if left:
        return [_pad(text, texts) for text, _, _ in parts]
    body = [
        _pad(text, texts, left=False)
        + (f" {_pad(mark, marks)}" if marks else "")
        + (f" {_pad(detail, details, left=False)}" if details else "")
        for text, mark, detail in parts[1:]
    ]
    width = max([_width(parts[0][0]), *map(_width, body)])
    return [_pad(line, width, left=False) for line in (parts[0][0], *body)]


def _breaks(widths: Sequence[int], heads: int, room: int) -> list[int]:
    """Return the index of the first column of each block and, at the end, the number of columns."""
    breaks, before = [heads], sum(widths[:heads]) + 2 * heads
    used = before
    for place in range(heads, len(widths)):
        if used + widths[place] > room and place > breaks[-1]:
            breaks.append(place)
            used = before
        used += widths[place] + 2
    return [*breaks, len(widths)]


def _width(text: str) -> int:
    """Return the width of the text in a terminal. A wide East Asian character counts twice."""
    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _pad(text: str, width: int, *, left: bool = True) -> str:
    blanks = " " * (width - _width(text))
    return text + blanks if left else blanks + text
