"""Read the rows of a file of judgments, check their cells, and report invalid and excluded rows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import polars as pl

from evaluation.parsing.judgment_table import JudgmentTable
from judging.core.faults import Faults, Where, shown
from judging.core.storable import unstorable
from judging.core.words import as_sentence
from judging.models import Study
from judging.protocol.scales import scale_of
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

_ANCHORS: Final = ("", "H", "N")
_YES: Final = ("1", "true")
_NO: Final = ("", "0", "false")
_LONGEST_WORKER: Final = 200
_LAST_PLACE: Final = 32_767
_MOST_SECONDS: Final = 1_000_000
_MOST_REVISIONS: Final = 2**31 - 1
_FIRST_YEAR, _LAST_YEAR = 1990, 2199
"""The import refuses other years, because they are probably typing errors."""


@dataclass(frozen=True)
class JudgmentRow:
    """A judgment as it is in the file. `position` counts from 0. Values missing from the file are None.

    `compared_with` is the document that was shown second, or "" on scales without pairs.
    """

    where: Where
    topic: str
    unit: str
    worker: str
    document: str
    compared_with: str
    gold: str
    position: int | None
    number: float
    raw_input: str
    comment: str
    highlight: str
    highlight_start: int | None
    highlight_end: int | None
    seconds: float | None
    visible_seconds: float | None
    revisions: int | None
    completed_at: datetime | None
    simulated: bool


class RowError(Exception):
    """A problem with a row.

    `field` is the column, and `sentence` is the message. `like` is the message without numbers and quoted
    values. If several problems have the same `like`, they are treated as one repeated problem.
    """

    def __init__(self, field: str, text: Sentence | str, **values: object) -> None:
        self.field = field
        self.sentence = as_sentence(text, values)
        self.like = re.sub(r"'[^']*'|[0-9]+", "", str(self.sentence))
        super().__init__(str(self.sentence))


class RowReader:
    """Reads a table row by row. Reports the first invalid cell of a row, and skips the row."""

    def __init__(self, table: JudgmentTable, faults: Faults, study: Study) -> None:
        self._table = table
        self._study = study
        self._scale = scale_of(study)
        self._faults = faults
        self._places = {name: place for place, name in enumerate(table.header)}
        # Numbers are parsed as in `evaluation`, so that both get identical values from the same file.
        self._numbers: dict[str, pl.Series] = {
            name: table.column(name).cast(pl.Float64, strict=False)
            for name in ("relevance_score", "cumulative_time", "visible_time")
            if name in self._places
        }

    def rows(self) -> Iterator[JudgmentRow]:
        file, lines = str(self._table.origin.path), self._table.origin.lines or ()
        for row, (line, cells) in enumerate(zip(lines, self._table.rows, strict=True)):
            where = Where(file, line)
            try:
                yield self._read_row(where, row, cells)
            except RowError as error:
                self._faults.add(where, error.field, error.sentence, like=error.like)

    def _read_row(self, where: Where, row: int, cells: list[str]) -> JudgmentRow:
        def as_typed(name: str) -> str:
            return cells[self._places[name]] if name in self._places else ""

        def cell(name: str) -> str:
            return as_typed(name).strip()

        self._refuse_scale(cell("relevance_scale"))
        _refuse_excluded(cell("excluded"))
        for name in ("topic_id", "unit_id", "document_id"):
            if not cell(name):
                raise RowError(
                    name, _("This cell is empty, but every row needs a value in this column. Fill it in.")
                )
        if len(cell("worker_id")) > _LONGEST_WORKER:
            text = _("The id has more than {limit} characters. Shorten it.")
            raise RowError("worker_id", text, limit=_LONGEST_WORKER)
        for name in ("unit_id", "worker_id", "comment", "raw_input", "highlight"):
            if fault := unstorable(as_typed(name)):
                raise RowError(name, fault)
        if cell("gold") not in _ANCHORS:
            text = _("{value} is not allowed here. Write H or N, or leave the cell empty.")
            raise RowError("gold", text, value=shown(cell("gold")))
        typed = cell("relevance_score")
        return JudgmentRow(
            where=where,
            topic=cell("topic_id"),
            unit=cell("unit_id"),
            worker=cell("worker_id"),
            document=cell("document_id"),
            compared_with=self._read_compared(cell("document_id"), cell("compared_with")),
            gold=cell("gold"),
            position=_read_whole_number("doc_pos", cell("doc_pos"), _LAST_PLACE),
            number=self._read_number(row, typed),
            raw_input=as_typed("raw_input") or typed,
            comment=as_typed("comment"),
            highlight=as_typed("highlight"),
            highlight_start=_read_whole_number("highlight_start", cell("highlight_start"), _MOST_REVISIONS),
            highlight_end=_read_whole_number("highlight_end", cell("highlight_end"), _MOST_REVISIONS),
            seconds=self._read_seconds("cumulative_time", row, cell("cumulative_time")),
            visible_seconds=self._read_seconds("visible_time", row, cell("visible_time")),
            revisions=_read_whole_number("revisions", cell("revisions"), _MOST_REVISIONS),
            completed_at=self._read_moment(cell("completed_at")),
            simulated=_read_boolean("simulated", cell("simulated")),
        )

    def _read_compared(self, document: str, compared: str) -> str:
        """Return the second document of a pair. Raise RowError if the scale and the cell do not fit."""
        if not (self._scale.judging and self._scale.judging.compares_pairs):
            if compared:
                text = _(
                    "The judgment compares two documents, but judgments on the scale {scale} do not. Leave"
                    " the cell empty, or change the scale of the study."
                )
                raise RowError("compared_with", text, scale=self._scale.name)
            return ""
        if not compared:
            text = _("This cell is empty. Write the id of the document that was shown second.")
            raise RowError("compared_with", text)
        if compared == document:
            text = _("{document} is compared with itself. Write the id of the other document.")
            raise RowError("compared_with", text, document=shown(document))
        return compared

    def _read_number(self, row: int, typed: str) -> float:
        value = self._numbers["relevance_score"][row]
        if value is None or not self._scale.holds_in(self._study, value):
            largest = f"{self._scale.largest_in(self._study):g}"
            raise RowError("relevance_score", self._scale.words.invalid, value=shown(typed), largest=largest)
        return float(value)

    def _refuse_scale(self, scale: str) -> None:
        if scale not in ("", self._scale.name):
            text = _(
                "The scale is {scale}, but the scale of the study is {own_scale}. Remove all rows with the"
                " scale {scale}."
            )
            raise RowError("relevance_scale", text, scale=shown(scale), own_scale=self._scale.name)

    def _read_seconds(self, name: str, row: int, cell: str) -> float | None:
        if not cell.strip():
            return None
        value = self._numbers[name][row]
        if value is None or not 0 <= value <= _MOST_SECONDS:
            text = _("{value} is not a number of seconds from 0 to {most}. Correct it.")
            raise RowError(name, text, value=shown(cell), most=_MOST_SECONDS)
        return float(value)

    @staticmethod
    def _read_moment(cell: str) -> datetime | None:
        if not cell:
            return None
        try:
            moment = datetime.fromisoformat(cell)
            moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            text = _("{value} is not a time. Write a time such as 2026-03-02T09:04:11Z.")
            raise RowError("completed_at", text, value=shown(cell)) from None
        if not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
            text = _("The year of {value} must be from {first} to {last}. Correct it.")
            raise RowError(
                "completed_at", text, value=shown(cell), first=str(_FIRST_YEAR), last=str(_LAST_YEAR)
            )
        return moment


def _refuse_excluded(excluded: str) -> None:
    if _read_boolean("excluded", excluded):
        text = _("This unit is excluded, and Plumbline does not import excluded units. Remove its rows.")
        raise RowError("excluded", text)


def _read_boolean(name: str, cell: str) -> bool:
    if cell.lower() not in (*_YES, *_NO):
        raise RowError(name, _("{value} is not allowed here. Write 1 or 0."), value=shown(cell))
    return cell.lower() in _YES


def _read_whole_number(name: str, cell: str, most: int) -> int | None:
    if not cell.strip():
        return None
    if not (match := re.fullmatch(r"\s*([0-9]{1,10})(?:\.0+)?\s*", cell)) or int(match[1]) > most:
        text = _("{value} is not a whole number from 0 to {most}. Correct it.")
        raise RowError(name, text, value=shown(cell), most=most)
    return int(match[1])
