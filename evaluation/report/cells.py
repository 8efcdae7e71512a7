"""Turn the tables of a report into text, with readable column headings and rounded numbers."""

from typing import Final

from ..rendering import Cell, Table, format_p, formatter
from .content import Numbers

P_VALUES: Final = ("p", "adjusted", "friedman_p")
HEADINGS: Final = {
    "adjusted": "p, adjusted",
    "observed": "mean with the bias",
    "in_top_set": "not told from the best",
    "low_judged_anew": "low, these topics",
    "high_judged_anew": "high, these topics",
    "topic_id": "topic",
    "document_id": "document",
    "rho": "ρ",
    "tau_a": "τ_a",
    "tau_b": "τ_b",
    "tau_with_AP": "τ with AP",
    "tau_with_3:2:1": "τ with 3:2:1",
    "friedman_p": "p (Friedman)",
    "h_id": "H anchor",
    "n_id": "N anchor",
}
DIGITS: Final = 3
LONGEST: Final = 160
"""The largest number of characters of a text cell. The CSV file has the whole text."""
_BIG: Final = 10_000
_write = formatter(DIGITS)


def printed(numbers: Numbers) -> Table:
    """Return the table as it is printed, with at most `most` rows. Each interval follows its value."""
    frame = numbers.table.head(numbers.most)
    with_interval = bool(numbers.interval_of)
    columns = [name for name in frame.columns if not (with_interval and name in ("low", "high"))]
    rows = []
    for row in frame.iter_rows(named=True):
        cells = []
        for name in columns:
            detail = ""
            if name == numbers.interval_of and row["low"] is not None:
                detail = f"[{_number(row['low'])}, {_number(row['high'])}]"
            cells.append(Cell(_text(name, row[name]), "", detail))
        rows.append(tuple(cells))
    notes = tuple(map(str, numbers.notes))
    if (left := numbers.table.height - frame.height) > 0:
        notes = (*notes, f"{left} more rows are in tables/{numbers.key}.csv.")
    header = tuple(HEADINGS.get(name, name.replace("_", " ")) for name in columns)
    return Table(str(numbers.caption), header, tuple(rows), numbers.heads, notes)


def _text(name: str, value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return format_p(value, DIGITS) if name in P_VALUES else _number(value)
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _number(value: float) -> str:
    """Return a number with three decimals, or in scientific notation if it is very large or very small."""
    if value == value and abs(value) != float("inf") and (abs(value) >= _BIG or 0 < abs(value) < 10**-DIGITS):
        return f"{value:.2e}"
    return _write(value)
