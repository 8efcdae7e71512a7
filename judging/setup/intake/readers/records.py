"""Read records: objects of a JSONL file, or rows of a CSV file, a TSV file or an ir_datasets collection.

All records are read as a stream. `read_records` yields the texts of Plumbline's fields, whatever names the
file gives to its columns.
"""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final, NamedTuple

from evaluation.parsing.detect import delimiter_of
from evaluation.parsing.text import LONGEST_LINE
from evaluation.sources import dataset_rows
from judging.core.faults import Faults, InputError, shown
from judging.core.storable import unstorable
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.column_maps import (
    BEIR,
    CONTAINERS,
    FIELDS,
    MS_MARCO,
    WITH_POSITIONS,
    Column,
    ColumnMap,
    Field,
    Format,
    chosen_columns,
    guess_columns,
    guess_positions,
    missing_fields,
    own_columns,
)
from judging.setup.intake.files import WORKBOOK, SourceFile
from judging.setup.intake.readers.workbooks import workbook_rows

Row = Mapping[Column, Any]
_LONGEST_CELL: Final = LONGEST_LINE
"""The maximum number of characters in a cell. Long documents exceed the csv module's default of 131,072."""
_MOST_NAMES: Final = 200
"""The maximum number of columns that a preview shows or a fault lists."""
_PARTS: Final = {"documents": "docs", "topics": "queries", "grades": "qrels"}
"""Maps each kind of record to the part of an `ir_datasets` collection that holds such records."""


class Record(NamedTuple):
    """The line number of a record, and a dict from field to text. An empty optional field has the text ""."""

    line: int
    texts: dict[str, str]


class _Number(float):
    """A number in JSON that is not an integer. `text` is the number as the file shows it."""

    text: str

    def __new__(cls, text: str) -> "_Number":
        number = super().__new__(cls, text)
        number.text = text
        return number


_decode = json.JSONDecoder(parse_float=_Number).decode


def column_map(kind: str, form: Format, source: SourceFile) -> ColumnMap | None:
    """Return the map of columns for a file, or None if files in this format do not consist of records."""
    if form.name == "beir":
        return ColumnMap(*BEIR[kind])
    if form.name == "msmarco" and kind in MS_MARCO:
        silent = source.sibling(source.path, Faults())
        width = next((len(cells) for _line, cells in _tsv_rows(silent)), 0)
        return ColumnMap("tsv", guess_positions(kind, width))
    if form.name not in CONTAINERS:
        return None
    if form.columns or form.name == "irds":
        return chosen_columns(kind, form.name, form.columns)
    return ColumnMap(form.name, own_columns(kind), is_foreign=False)


def read_records(source: SourceFile, kind: str, form: ColumnMap) -> Iterator[Record]:
    """Yield the records of a file or collection, in order.

    A record with an invalid value is a fault and is left out. A missing column is a fault if its field is
    needed or somebody chose the column.
    """
    if form.container == "irds":
        form = _with_guesses(source, kind, form)
    faults = source.faults
    empty = {entry.name: "" for entry in FIELDS[kind]}
    columns = [(entry, form.columns[entry.name]) for entry in FIELDS[kind] if entry.name in form.columns]
    is_checked = form.container in WITH_POSITIONS  # `_has_columns` checks these files
    unseen = {entry.name for entry, _column in columns if entry.name in form.chosen and not is_checked}
    line = 0
    for line, row in _rows(source, kind, form):
        texts, before = dict(empty), faults.count  # faster than `faults.watch`, for millions of records
        for entry, column in columns:
            if column in row:
                texts[entry.name] = _text(source, line, entry, row[column], form)
            elif entry.needed:
                missing = _('The key "{key}" is missing. Add it.')
                source.fault(line, entry.name, missing, key=column)
        if unseen:
            unseen = {name for name in unseen if form.columns[name] not in row}
        if faults.count == before:
            yield Record(line, texts)
    for entry, column in columns if line else ():
        if entry.name in unseen and not entry.needed:
            nowhere = _('No line has the key "{key}". Correct `columns`, or leave this field out.')
            source.fault(1, entry.name, nowhere, key=column)


def _with_guesses(source: SourceFile, kind: str, form: ColumnMap) -> ColumnMap:
    """Return a collection's map of columns. If `form` lacks a field, guess the column of that field.

    If the collection cannot be read or a needed field has no column, add a fault and return an empty map.
    """
    with source.faults.watch() as watch:
        names = first_rows(source, kind, form, 1).names
    if not watch.clean:
        return replace(form, container="", columns={})
    columns = {**guess_columns(kind, names), **form.columns}
    if missing := missing_fields(kind, columns):
        text = _("The collection has the columns {names}. Choose the column for {field} in `columns`.")
        source.refuse(text, names=shown(", ".join(names)), field=", ".join(missing))
        return replace(form, container="", columns={})
    return replace(form, columns={name: column for name, column in columns.items() if column != ""})


def _text(source: SourceFile, line: int, entry: Field, value: object, form: ColumnMap) -> str:
    """Return a value as text. Add a fault if it is not text, or if the database cannot store it.

    In a file that was not written for Plumbline, numbers and null also count as text. A list becomes JSON if
    the field is one.
    """
    name = entry.name
    if isinstance(value, str):
        if fault := unstorable(value):
            source.fault(line, name, fault)
        return value
    if entry.is_list and isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    if form.is_foreign and (value is None or type(value) in (int, _Number)):
        return shown_value(value)
    written = json.dumps(value) if isinstance(value, int | float) else shown(value)
    no_text = _("{value} is not text. Write it in quotes.")
    source.fault(line, name, no_text, like="not text", value=written[:40])
    return ""


class FirstRows(NamedTuple):
    """The names or positions of a file's columns, and the file's first rows as text."""

    names: list[Any]
    rows: list[dict[Column, str]]


def first_rows(source: SourceFile, kind: str, form: ColumnMap, number: int) -> FirstRows:
    """Return the first `number` rows of a file or collection, with at most 200 columns.

    Rows with faults are left out. If all rows of a CSV or TSV file have faults, take the names of the columns
    from the file's header.
    """
    with source.faults.watch() as watch:
        rows = [row for _line, row in islice(_rows(source, kind, form), number)]
    columns: Iterator[Column] = (name for row in rows for name in row)
    if not rows and not watch.clean and form.container in WITH_POSITIONS and form.has_header:
        columns = iter(_header(source, form))
    names = list(dict.fromkeys(columns))[:_MOST_NAMES]
    shown_rows = [{name: shown_value(row.get(name)) for name in names} for row in rows]
    return FirstRows(names, shown_rows)


def shown_value(value: object) -> str:
    """Return a value of a record as text: a number as the file shows it, and null as an empty string."""
    if value is None:
        return ""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return value.text if isinstance(value, _Number) else str(value)


def _rows(source: SourceFile, kind: str, form: ColumnMap) -> Iterator[tuple[int, Row]]:
    if form.container == "irds":
        return _dataset_rows(source, _PARTS[kind])
    if form.container == "jsonl":
        return _objects(source, kind)
    return _cells(source, kind, form) if form.container in WITH_POSITIONS else iter(())


def _objects(source: SourceFile, kind: str) -> Iterator[tuple[int, Row]]:
    """Yield the number and the JSON object of each line that is not blank."""
    if not source.is_text_of("jsonl"):
        return
    for number, line in source.lines():
        if not line.strip():
            continue
        try:
            values = _decode(line)
        except (ValueError, RecursionError) as error:
            if isinstance(error, json.JSONDecodeError):
                malformed = _("The line is not valid JSON ({problem}). Write one object per line.")
                source.fault(number, "", malformed, problem=error.msg)
            else:
                too_long = _(
                    "The JSON has a number that is too long, or brackets that are nested too deeply. Correct"
                    " the line."
                )
                source.fault(number, "", too_long)
            continue
        if isinstance(values, dict):
            yield number, values
        else:
            no_object = _("The line is not a JSON object. Write an object such as {example}.")
            example = {entry.name: "…" for entry in FIELDS[kind] if entry.needed}
            source.fault(number, "", no_object, example=json.dumps(example, ensure_ascii=False))


def _cells(source: SourceFile, kind: str, form: ColumnMap) -> Iterator[tuple[int, Row]]:
    """Yield the line number and the cells of each row of a CSV or TSV file.

    The cells are a dict from column name to cell. If the file has no header, the keys are positions instead.
    Stop if the first row has a fault. A row with more or fewer cells than the first is a fault.
    """
    keys: Sequence[Column] | None = None
    for line, cells in _lists(source, form):
        if keys is None:
            keys = [cell.strip() for cell in cells] if form.has_header else range(1, len(cells) + 1)
            if not _has_columns(source, line, keys, kind, form):
                return
            if form.has_header:
                continue
        if len(cells) == len(keys):
            yield line, dict(zip(keys, cells, strict=True))
        elif form.has_header:
            differ = _("The row has {number} cells, but the header has {needed}. Add or remove cells.")
            source.fault(line, "", differ, number=len(cells), needed=len(keys))
        else:
            differ = _("The row has {number} cells, but the first row has {needed}. Add or remove cells.")
            source.fault(line, "", differ, number=len(cells), needed=len(keys))


def _lists(source: SourceFile, form: ColumnMap) -> Iterator[tuple[int, list[str]]]:
    return _csv_rows(source) if form.container == "csv" else _tsv_rows(source)


def _header(source: SourceFile, form: ColumnMap) -> list[str]:
    silent = source.sibling(source.path, Faults())
    return [cell.strip() for _line, cells in islice(_lists(silent, form), 1) for cell in cells]


def _has_columns(source: SourceFile, line: int, keys: Sequence[Column], kind: str, form: ColumnMap) -> bool:
    """Check the columns in the first row, and return whether they are valid. Add a fault if not.

    Every required column must occur. No column that `form` assigns to a field may occur twice.
    """
    with source.faults.watch() as watch:
        for entry in FIELDS[kind]:
            if not watch.clean:
                break
            column = form.columns.get(entry.name)
            count = keys.count(column) if column else 1
            if count > 1:
                twice = _("Several columns have the name {column}. Rename one of them.")
                source.fault(line, entry.name, twice, column=column)
            elif count or not (entry.needed or entry.name in form.chosen):
                continue
            elif isinstance(column, int):
                too_few = _("The row has {number} cells, so it has no column {column}. Correct `columns`.")
                source.fault(line, entry.name, too_few, number=len(keys), column=column)
            elif form.is_foreign:
                absent = _("The file has no column {column}. In `columns`, choose from these: {columns}.")
                columns = shown(", ".join(map(str, keys[:_MOST_NAMES])))
                source.fault(line, entry.name, absent, column=shown(column), columns=columns)
            else:
                missing = _("The column {column} is missing. Begin the file with a header such as {header}.")
                header = ",".join(own.name for own in FIELDS[kind] if not own.is_rare)
                source.fault(line, entry.name, missing, column=column, header=header)
    return watch.clean


def delimiter_in(source: SourceFile) -> str:
    """Return the character that separates the cells of a CSV file: a tab, a semicolon or a comma."""
    lines = source.sibling(source.path, Faults()).lines()
    return delimiter_of(next((line for _number, line in lines if line.strip()), "")) or ","


def _csv_rows(source: SourceFile) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank. Cells in quotes can contain line breaks.

    Cells can be separated by commas, semicolons or tabs. The file can also be an Excel workbook.

    Stop after a fault in the CSV syntax.
    """
    if source.kind == WORKBOOK:
        yield from workbook_rows(source)
        return
    if not source.is_text_of():
        return
    csv.field_size_limit(_LONGEST_CELL)
    lines = (f"{line}\n" for _number, line in source.lines())
    reader = csv.reader(lines, strict=True, delimiter=delimiter_in(source))
    line = 1
    try:
        for row in reader:
            if row:
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        malformed = _("The row that begins here is not valid CSV: {problem}. Correct the row.")
        source.fault(line, "", malformed, problem=str(error))


def _tsv_rows(source: SourceFile) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank. As in MS MARCO's files, quotes have no special meaning."""
    if not source.is_text_of():
        return
    for number, line in source.lines():
        if line.strip():
            yield number, line.split("\t")


def _dataset_rows(source: SourceFile, part: str) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a collection of `ir_datasets`, numbered from 1.

    Add a fault if the collection cannot be read.
    """
    number = 0
    try:
        for number, row in enumerate(dataset_rows(str(source.path), part), start=1):
            yield number, row._asdict()
    except InputError as error:
        source.refuse(Sentence(error.text, error.values))
    except (OSError, RuntimeError, ValueError) as error:
        unreadable = _("ir_datasets cannot read {dataset}: {problem}. Download the collection again.")
        source.refuse(unreadable, dataset=source.path, problem=" ".join(str(error).split())[:200])
