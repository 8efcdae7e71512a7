"""The sources of judgments, gains and runs: files, dicts, rows, tables and `ir_datasets` ids.

Every reader here returns plain columns; the classes in `frames` check them. A table is a polars or pandas
DataFrame, or a dict of columns. Rows are tuples, dicts or objects with named fields, such as the objects of
`ir_measures` and `ir_datasets`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any, Final, TypeGuard

import numpy as np

from .errors import InputError, shown
from .parsing.text import File, attribute, is_file
from .shapes import GAINS, NAMES, Shape

Source = Any
"""A path, an open file, an `ir_datasets` id, a dict of dicts, rows, or a table.

Anything else raises `InputError`.
"""
Columns = dict[str, Any]
"""Columns of the same length. The keys are the names of the columns in `frames` and `runs`."""

DATASET: Final = "irds:"
"""The prefix of an `ir_datasets` id, as in `irds:beir/scifact/test`."""


def is_path(source: Source) -> TypeGuard[File]:
    """Return whether a source is a file: a path, "-" for standard input, or a file that is open.

    A string is a path unless it begins with `irds:`.
    """
    return is_file(source) and not (isinstance(source, str) and source.startswith(DATASET))


def is_table(source: Source) -> bool:
    """Return whether a source is a table with named columns, or a dict of columns."""
    if isinstance(source, Mapping):
        return bool({*NAMES["topic_id"]} & source.keys() and {*NAMES["document_id"]} & source.keys())
    return attribute(source, "collect_schema") is not None or attribute(source, "columns") is not None


def holds_numbers(source: Mapping[Any, Any]) -> bool:
    """Return whether a dict contains dicts of numbers. If so, the dict is a run, and its keys are topics."""
    inner = [value for value in source.values() if isinstance(value, Mapping)]
    filled = next((value for value in inner if value), None)
    if filled is None:
        return len(inner) == len(source)
    return not isinstance(next(iter(filled.values())), Mapping)


def is_row(item: Source) -> bool:
    """Return whether an item of a list is a single row. Otherwise, it is a whole source, such as a table."""
    if isinstance(item, Mapping):
        return not any(isinstance(value, Mapping) for value in item.values())
    if isinstance(item, bytes) or is_file(item) or is_table(item):
        return False
    if any(attribute(item, name) is not None for name in NAMES["topic_id"]):
        return True
    return isinstance(item, Sequence) and bool(item) and isinstance(item[0], str | int)


def columns_of(source: Source, shape: Shape) -> Columns:
    """Return the columns of a source that is not a path, including the optional columns that it has.

    Raise `InputError` for anything that cannot be read, for a table without a required column, and for a row
    that lacks a field of the first row.
    """
    try:
        return _columns_of(source, shape)
    except (InputError, MemoryError):
        raise
    except Exception as error:  # an object of somebody else's can raise anything
        raise refusal(source, shape) from error


def _columns_of(source: Source, shape: Shape) -> Columns:
    if isinstance(source, str):
        return _columns_of_rows(dataset_rows(source, shape.part), shape)
    if is_table(source):
        return _columns_of_table(source, shape)
    if has_dict(source):
        source = source.to_dict()
    if isinstance(source, Mapping) and _holds_rows(source):
        return _columns_of_rows([*source.values()], shape)
    if isinstance(source, Mapping) and shape.is_nested:
        return _columns_of_dicts(source, shape)
    if isinstance(source, Iterable) and not isinstance(source, Mapping | bytes):
        return _columns_of_rows(source, shape)
    raise refusal(source, shape)


def has_dict(source: Source) -> bool:
    """Return whether a source is an object that gives a dict of dicts, such as the qrels and runs of ranx."""
    is_known = isinstance(source, Mapping | Iterable) or is_file(source) or is_table(source)
    return not is_known and not isinstance(source, type) and callable(attribute(source, "to_dict"))


def _holds_rows(source: Mapping[Any, Any]) -> bool:
    """Return whether a dict contains rows with the names of their columns, as `to_dict("index")` gives."""
    row = next(iter(source.values()), None)
    return isinstance(row, Mapping) and all({*NAMES[key]} & row.keys() for key in ("topic_id", "document_id"))


def refusal(source: Source, shape: Shape) -> InputError:
    """Return the error for a source that cannot be read. Its message says what can be passed."""
    return InputError(
        "unusable-source",
        "{what} cannot be read from {type}; pass {accepted}",
        what=shape.what,
        type=type(source).__name__,
        accepted=shape.accepted,
    )


def _columns_of_table(source: Source, shape: Shape) -> Columns:
    if hasattr(source, "collect_schema") and hasattr(source, "collect"):
        source = source.collect()  # a lazy table of polars
    given: Any = getattr(source, "columns", source)
    names = [str(name) for name in given]
    columns = {}
    for column in (*shape.columns, *shape.optional):
        name = next((name for name in NAMES[column] if name in names), None)
        if name is not None:
            columns[column] = _values(column, source[name])
        elif column in shape.columns:
            raise InputError(
                "table-without-column",
                "{what} need the column {column}, but the table only has the columns {columns}; rename the "
                "matching column to {column}",
                what=shape.what,
                column=column,
                columns=", ".join(names) or "none",
            )
    return columns


def _values(name: str, column: Any) -> Any:
    """Return a column of a table as a list of Python values. A numeric numpy array stays an array.

    `to_dict()` of pandas gives a dict of each column, whose values are the column. Raise `InputError` for a
    column that is no sequence, such as a text or a set.
    """
    if isinstance(column, np.ndarray) and column.ndim == 1 and column.dtype.kind in "iuf":
        return column
    if isinstance(column, Mapping):
        return [*column.values()]
    for method in ("to_list", "tolist"):  # to_list: polars and pandas, tolist: numpy
        if hasattr(column, method):
            column = getattr(column, method)()
            break
    if isinstance(column, str | bytes | Set) or not isinstance(column, Iterable):
        raise InputError(
            "column-not-a-list",
            "the column {column} is a {type}; give a list with one entry per row",
            column=name,
            type=type(column).__name__,
        )
    return [*column]


def _columns_of_dicts(source: Mapping[Any, Any], shape: Shape) -> Columns:
    topics: list[Any] = []
    documents: list[Any] = []
    values: list[Any] = []
    for topic, of_topic in source.items():
        if not isinstance(of_topic, Mapping):
            raise InputError(
                "dict-without-documents",
                "topic {topic} has {type} instead of a dict of documents; write it like {accepted}",
                topic=shown(topic),
                type=type(of_topic).__name__,
                accepted='{"topic": {"document": 2.5}}',
            )
        topics.extend([topic] * len(of_topic))
        documents.extend(of_topic)
        values.extend(of_topic.values())
    return dict(zip(shape.columns, (topics, documents, values), strict=True))


def _columns_of_rows(source: Iterable[Any], shape: Shape) -> Columns:
    rows = source if isinstance(source, Sequence) else list(source)
    if not rows:
        return {column: [] for column in shape.columns}
    fields = _fields(rows[0], shape)
    columns: Columns = {column: [] for column in fields}
    for place, row in enumerate(rows):
        try:
            for column, value_of in fields.items():
                columns[column].append(value_of(row))
        except (AttributeError, IndexError, KeyError, TypeError):
            raise InputError(
                "row-unlike-the-first",
                "row {row} does not have the fields of the first row; give all rows the same fields",
                row=place + 1,
            ) from None
    return columns


def _fields(row: object, shape: Shape) -> dict[str, Callable[[Any], Any]]:
    """Return, for each column that `row` has, a function that reads its value from a row of the same form."""
    take: Callable[[str], Callable[[Any], Any]] = itemgetter if isinstance(row, Mapping) else attrgetter
    has = row.__contains__ if isinstance(row, Mapping) else partial(hasattr, row)
    names = {column: next(filter(has, NAMES[column]), None) for column in (*shape.columns, *shape.optional)}
    fields = {column: take(name) for column, name in names.items() if name is not None}
    if fields.keys() >= {*shape.columns}:
        return fields
    if isinstance(row, Sequence) and not isinstance(row, str | bytes):
        if len(row) == len(shape.columns):
            return {column: itemgetter(place) for place, column in enumerate(shape.columns)}
        if shape is GAINS and len(row) == 4:  # a line of a qrels file, with its second column
            columns = ("topic_id", "subtopic_id", "document_id", "gain")
            return {column: itemgetter(place) for place, column in enumerate(columns)}
    raise InputError(
        "row-without-fields",
        "a row of {what} cannot be read: {row}; pass {accepted}",
        what=shape.what,
        row=shown(row, 80),
        accepted=shape.accepted,
    )


def dataset_rows(source: str, part: str) -> Iterator[Any]:
    """Return the rows of one part of an `ir_datasets` collection: docs, queries, qrels or scoreddocs.

    `source` is an id such as `irds:beir/scifact/test`. `ir_datasets` downloads the collection if necessary.
    Raise `InputError` if `ir_datasets` is not installed, does not know the id, or has no such part.
    """
    name = source.removeprefix(DATASET)
    try:
        import ir_datasets
    except ImportError:
        raise InputError(
            "ir-datasets-not-installed",
            "{source} needs the package ir_datasets; install it with pip install ir_datasets",
            source=shown(source),
        ) from None
    try:
        dataset = ir_datasets.load(name)
    except KeyError:
        raise InputError(
            "unknown-dataset",
            "ir_datasets has no {dataset}; see the ids at https://ir-datasets.com",
            dataset=shown(name),
        ) from None
    if not getattr(dataset, f"has_{part}", bool)():
        raise InputError(
            "dataset-without-part",
            "{dataset} of ir_datasets has no {part}; choose another data set, or pass a path",
            dataset=shown(name),
            part=part,
        )
    rows: Iterator[Any] = getattr(dataset, f"{part}_iter")()
    return rows
