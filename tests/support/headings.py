"""Tables of a page as people see them: their headings with where these lead, and the cells below each."""

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Cell:
    """A cell: its words, and the number or moment in it where it holds one in an element of its own."""

    span: int
    rows: int
    words: str = ""
    value: str | None = None
    address: str | None = None
    state: str = ""

    @property
    def said(self) -> str:
        """What it says, without the arrow."""
        return (self.value or self.words).strip()


@dataclass
class Table:
    """A table; `heads` are the rows of its head, `rows` those of its body."""

    heads: list[list[Cell]] = field(default_factory=list)
    rows: list[list[Cell]] = field(default_factory=list)

    def columns(self) -> list[tuple[int, Cell]]:
        """Each heading of a column with the place of that column, groups of columns left out."""
        taken: set[tuple[int, int]] = set()
        results = []
        for line, row in enumerate(self.heads):
            place = 0
            for cell in row:
                while (line, place) in taken:
                    place += 1
                taken |= {
                    (line + down, place + right) for down in range(cell.rows) for right in range(cell.span)
                }
                if cell.span == 1:
                    results.append((place, cell))
        return results


class Page(HTMLParser):
    """The tables of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tables: list[Table] = []
        self.part = ""
        self.cell: Cell | None = None
        self.silent = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag == "table":
            self.tables.append(Table())
        elif tag in ("thead", "tbody", "tfoot"):
            self.part = tag
        elif tag == "tr" and self.part != "tfoot":
            self._rows().append([])
        elif tag in ("th", "td") and self.part != "tfoot":
            self.cell = Cell(
                int(given.get("colspan", 1)),
                int(given.get("rowspan", 1)),
                state=given.get("aria-sort", ""),
            )
            self._rows()[-1].append(self.cell)
        elif self.cell is not None:
            if tag == "a" and given.get("class") == "sort":
                self.cell.address = given["href"]
            elif tag in ("progress", "data") and self.cell.value is None:
                self.cell.value = given.get("value")
            elif tag == "time" and self.cell.value is None:
                self.cell.value = given.get("datetime")
            elif tag == "span":
                self.silent += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in ("th", "td"):
            self.cell = None
        elif tag == "span" and self.silent:
            self.silent -= 1

    def handle_data(self, data: str) -> None:
        if self.cell is not None and not self.silent:
            self.cell.words += data

    def _rows(self) -> list[list[Cell]]:
        return self.tables[-1].heads if self.part == "thead" else self.tables[-1].rows
