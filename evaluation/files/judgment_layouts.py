"""Files of judgments from other platforms: how their columns map to Plumbline's, and which rows count."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import polars as pl

from ..errors import InputError, shown
from ..origin import Origin
from ..parsing.judgment_table import REQUIRED, JudgmentTable
from ..parsing.named import refuse_missing_column, refuse_unknown_columns

NUMBER: Final = "{n}"
"""The part of a column's name that stands for a number, in files with several judgments in each row."""
COLUMNS: Final = (
    *REQUIRED,
    "worker_id",
    "gold",
    "compared_with",
    "doc_pos",
    "comment",
    "cumulative_time",
    "completed_at",
    "raw_input",
)
"""Plumbline's columns that a layout can map to columns of a file."""
_POSITION: Final = "doc_pos"


@dataclass(frozen=True)
class JudgmentLayout:
    """How another platform writes judgments.

    `columns` maps our columns to columns of the file. A name such as `Input.doc{n}` stands for the columns
    `Input.doc1`, `Input.doc2`, …: each row then has one judgment for each number.

    `only` maps columns of the file to values. A row counts only if it has these values. `same` lists pairs of
    columns of the file. A row counts only if both columns of each pair have the same value, for example the
    number of the attempt and the number of the last attempt.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    only: Mapping[str, str] = field(default_factory=dict)
    same: tuple[tuple[str, str], ...] = ()


LAYOUTS: Final = {
    "plumbline": JudgmentLayout(),
    "crowd_frame": JudgmentLayout(
        columns={
            "topic_id": "doc_topic_id",
            "unit_id": "unit_id",
            "document_id": "doc_id",
            "worker_id": "worker_id",
            "relevance_score": "doc_relevance_value",
            "comment": "doc_relevance_justification",
            "doc_pos": "doc_index",
            "cumulative_time": "doc_time_elapsed",
        },
        same=(("try_current", "try_last"),),
    ),
    "mturk": JudgmentLayout(columns={"unit_id": "AssignmentId", "worker_id": "WorkerId"}),
}
"""The layouts of known platforms. Crowd_Frame's is for `workers_answers.csv`, where each row is an answer."""


def layout_of(
    name: str = "plumbline", columns: Mapping[str, str] | None = None, only: Mapping[str, str] | None = None
) -> JudgmentLayout:
    """Return a platform's layout with your changes.

    `columns` maps our columns to columns of the file, and takes precedence over the platform's layout. `only`
    adds conditions that a row must fulfil to count.

    Raise `InputError` for an unknown platform, and for a column that judgments do not have.
    """
    if name not in LAYOUTS:
        raise InputError(
            "unknown-layout",
            "there is no layout {layout}; choose from {known}",
            layout=shown(name),
            known=", ".join(LAYOUTS),
        )
    refuse_unknown_columns(columns or {}, COLUMNS)
    layout = LAYOUTS[name]
    return JudgmentLayout({**layout.columns, **(columns or {})}, {**layout.only, **(only or {})}, layout.same)


def arranged(table: JudgmentTable, layout: JudgmentLayout) -> JudgmentTable:
    """Return a file's judgments with our columns, in the order of the file.

    Rows that do not count are left out. If the layout maps no columns, the table keeps all its columns.
    Otherwise, it keeps only the columns in `COLUMNS` that the file has.

    If rows have several judgments, each judgment becomes a row of its own. Judgments without a document are
    left out. If the file has no column for `doc_pos`, this column is added. It has the judgment's position in
    its row of the file, counted from 0.

    Raise `InputError` if no row counts, if a required column is missing, or if a column in a condition is
    missing. Also raise `InputError` if a numbered column is missing, such as `Answer.n3` when the file has
    `Input.doc3`.
    """
    rows = _rows_that_count(table, layout)
    lines = table.origin.lines or range(len(table.rows))
    sources = dict(_sources(table, layout))
    if not layout.columns:
        return _table(table, table.header, [(lines[row], table.rows[row]) for row in rows])
    numbers = _numbers_of_all(table, sources)
    header = [*sources, _POSITION] if numbers and _POSITION not in sources else [*sources]
    at = {name: place for place, name in enumerate(table.header)}
    places = [[at[name.replace(NUMBER, number)] for name in sources.values()] for number in numbers or [""]]
    document = header.index("document_id")
    judgments = []
    for row in rows:
        cells = table.rows[row]
        for position, of_judgment in enumerate(places):
            judgment = [cells[place] for place in of_judgment]
            if not numbers or judgment[document].strip():
                judgments.append((lines[row], [*judgment, str(position)][: len(header)]))
    return _table(table, header, judgments)


def _table(table: JudgmentTable, header: list[str], rows: list[tuple[int, list[str]]]) -> JudgmentTable:
    origin = Origin(table.origin.path, [line for line, _ in rows])
    return JudgmentTable(header, [cells for _, cells in rows], origin)


def _rows_that_count(table: JudgmentTable, layout: JudgmentLayout) -> list[int]:
    conditions = [*layout.only.items(), *layout.same]
    rows = pl.int_range(len(table.rows), eager=True)
    counts = pl.repeat(True, len(rows), eager=True)
    for name, value in layout.only.items():
        counts &= _cells(table, name) == value
    for first, second in layout.same:
        counts &= _cells(table, first) == _cells(table, second)
    if not counts.any():
        raise InputError(
            "no-row-counts",
            "no row fulfils the conditions {conditions}; check the conditions and the file",
            f"{table.origin.path}:1",
            conditions=", ".join(f"{name} = {value}" for name, value in conditions),
        )
    return rows.filter(counts).to_list()


def _cells(table: JudgmentTable, name: str) -> pl.Series:
    if name not in table.header:
        refuse_missing_column(table.origin.path or "", name, table.header)
    return table.column(name)


def _sources(table: JudgmentTable, layout: JudgmentLayout) -> Iterator[tuple[str, str]]:
    """Yield pairs of names for the columns that the file has: our name, and the name in the file."""
    for name in COLUMNS:
        source = layout.columns.get(name, name)
        if source in table.header or (NUMBER in source and _numbers(table, source)):
            yield name, source
        elif name in REQUIRED:
            refuse_missing_column(table.origin.path or "", source, table.header)


def _numbers_of_all(table: JudgmentTable, sources: Mapping[str, str]) -> list[str]:
    """Return the numbers that `{n}` stands for, in ascending order.

    Raise `InputError` if a numbered column is missing, such as `Answer.n3` when the file has `Input.doc3`.
    """
    patterns = [name for name in sources.values() if NUMBER in name]
    if not patterns:
        return []
    first, *others = patterns
    numbers = _numbers(table, first)
    for other in others:
        if missing := numbers ^ _numbers(table, other):
            number = min(missing, key=int)
            name = next(n for n in (first, other) if n.replace(NUMBER, number) not in table.header)
            refuse_missing_column(table.origin.path or "", name.replace(NUMBER, number), table.header)
    return sorted(numbers, key=int)


def _numbers(table: JudgmentTable, pattern: str) -> set[str]:
    before, _, after = pattern.partition(NUMBER)
    form = re.compile(re.escape(before) + "([0-9]+)" + re.escape(after))
    return {match[1] for name in table.header if (match := form.fullmatch(name))}
