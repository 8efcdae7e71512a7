"""The rows of a file of judgments, each cell checked for itself: ids, magnitudes, times, what is left out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import polars as pl

from evaluation.columns import LARGEST_MAGNITUDE, SMALLEST_MAGNITUDE
from evaluation.files.judgments import JudgmentTable
from judging.core.intake.faults import Faults, Where, shown
from judging.core.intake.tables import unstorable

MAGNITUDE: Final = "a magnitude is a number above 0, from 1e-100 to 1e100"
SCALE: Final = "magnitude"
_ANCHORS: Final = ("", "H", "N")
_YES: Final = ("1", "true")
_NO: Final = ("", "0", "false")
_LONGEST_WORKER: Final = 200
_LAST_PLACE: Final = 32_767
_MOST_SECONDS: Final = 1_000_000
_MOST_REVISIONS: Final = 2**31 - 1
_FIRST_YEAR, _LAST_YEAR = 1990, 2199
"""What is beyond them is a slip of the pen."""


@dataclass(frozen=True)
class Given:
    """One judgment as its file gives it; `position` counts from 0. None: the file does not say."""

    where: Where
    topic: str
    unit: str
    worker: str
    document: str
    gold: str
    position: int | None
    magnitude: float
    raw_input: str
    comment: str
    seconds: float | None
    visible_seconds: float | None
    revisions: int | None
    completed_at: datetime | None
    simulated: bool


class RowError(Exception):
    """What is wrong with a row, and in which column."""

    def __init__(self, field: str, what: str) -> None:
        self.field = field
        self.what = what
        self.like = re.sub(r"'[^']*'|[0-9]+", "", what)


class RowReader:
    """Reads a table row by row; the first bad cell of a row is a fault, and the row is passed over."""

    def __init__(self, table: JudgmentTable, faults: Faults) -> None:
        self._table = table
        self._faults = faults
        self._places = {name: place for place, name in enumerate(table.header)}
        # One grammar of numbers with the library, so that the same file gives the same bits there.
        self._numbers: dict[str, pl.Series] = {
            name: table.column(name).str.strip_chars().cast(pl.Float64, strict=False)
            for name in ("relevance_score", "cumulative_time", "visible_time")
            if name in self._places
        }

    def rows(self) -> Iterator[Given]:
        file, lines = str(self._table.origin.path), self._table.origin.lines or ()
        for row, (line, cells) in enumerate(zip(lines, self._table.rows, strict=True)):
            where = Where(file, line)
            try:
                yield self._given(where, row, cells)
            except RowError as error:
                self._faults.add(where, error.field, error.what, like=error.like)

    def _given(self, where: Where, row: int, cells: list[str]) -> Given:
        def cell(name: str) -> str:
            return cells[self._places[name]] if name in self._places else ""

        _refuse_what_is_left_out(cell("relevance_scale").strip(), cell("excluded").strip())
        for name in ("topic_id", "unit_id", "document_id"):
            if not cell(name):
                raise RowError(name, "is empty; every row needs one")
        if len(cell("worker_id")) > _LONGEST_WORKER:
            raise RowError("worker_id", f"has over {_LONGEST_WORKER} characters; shorten it")
        for name in ("unit_id", "worker_id", "comment", "raw_input"):
            if fault := unstorable(cell(name)):
                raise RowError(name, fault)
        if cell("gold").strip() not in _ANCHORS:
            raise RowError("gold", f"{shown(cell('gold'))} is neither H nor N nor empty; mend it")
        typed = cell("relevance_score").strip()
        return Given(
            where=where,
            topic=cell("topic_id"),
            unit=cell("unit_id"),
            worker=cell("worker_id"),
            document=cell("document_id"),
            gold=cell("gold").strip(),
            position=_whole("doc_pos", cell("doc_pos"), _LAST_PLACE),
            magnitude=self._magnitude(row, typed),
            raw_input=cell("raw_input") or typed,
            comment=cell("comment"),
            seconds=self._seconds("cumulative_time", row, cell("cumulative_time")),
            visible_seconds=self._seconds("visible_time", row, cell("visible_time")),
            revisions=_whole("revisions", cell("revisions"), _MOST_REVISIONS),
            completed_at=self._moment(cell("completed_at").strip()),
            simulated=_yes_or_no("simulated", cell("simulated").strip()),
        )

    def _magnitude(self, row: int, typed: str) -> float:
        value = self._numbers["relevance_score"][row]
        if value is None:
            raise RowError("relevance_score", f"{shown(typed)} is not a number; {MAGNITUDE}")
        if not SMALLEST_MAGNITUDE <= value <= LARGEST_MAGNITUDE:
            raise RowError("relevance_score", f"{shown(typed)} is out of bounds; {MAGNITUDE}")
        return float(value)

    def _seconds(self, name: str, row: int, cell: str) -> float | None:
        if not cell.strip():
            return None
        value = self._numbers[name][row]
        if value is None or not 0 <= value <= _MOST_SECONDS:
            raise RowError(
                name, f"{shown(cell)} is no number of seconds from 0 to {_MOST_SECONDS:,}; mend it"
            )
        return float(value)

    @staticmethod
    def _moment(cell: str) -> datetime | None:
        if not cell:
            return None
        try:
            read = datetime.fromisoformat(cell)
            read = (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            raise RowError(
                "completed_at", f"{shown(cell)} is no time; write it like 2026-03-02T09:04:11Z"
            ) from None
        if not _FIRST_YEAR <= read.year <= _LAST_YEAR:
            what = f"{shown(cell)} is not from {_FIRST_YEAR} to {_LAST_YEAR}; mend it"
            raise RowError("completed_at", what)
        return read


def _refuse_what_is_left_out(scale: str, excluded: str) -> None:
    if scale not in ("", SCALE):
        what = f"{shown(scale)} is another scale than magnitude; only magnitudes can be imported"
        raise RowError("relevance_scale", f"{what}: leave its rows out")
    if _yes_or_no("excluded", excluded):
        raise RowError("excluded", "the unit was excluded; leave its rows out: they enter no normalisation")


def _yes_or_no(name: str, cell: str) -> bool:
    if cell.lower() not in (*_YES, *_NO):
        raise RowError(name, f"{shown(cell)} is neither 1 nor 0; mend it")
    return cell.lower() in _YES


def _whole(name: str, cell: str, most: int) -> int | None:
    if not cell.strip():
        return None
    if not re.fullmatch(r"\s*[0-9]{1,10}\s*", cell) or int(cell) > most:
        raise RowError(name, f"{shown(cell)} is no whole number from 0 to {most:,}; mend it")
    return int(cell)
