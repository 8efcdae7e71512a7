"""Readers for every kind of source: a path, an `ir_datasets` id, a dict, rows or a table.

These functions call the constructors of `Gains`, `Run`, `Runs` and `Judgments`, under names that are common
in other libraries. Readers that accept only files are in `plumbline_ir.files`.
"""

from . import files
from .conventions import Negative
from .errors import InputError
from .files.judgment_layouts import JudgmentLayout, arranged
from .frames import Judgments, Qrels
from .options import checked
from .parsing.judgment_table import read_table
from .parsing.named import Names
from .parsing.text import File
from .runs import Run, Runs
from .scales import DEFAULT, ScaleName
from .sources import Source, is_path


@checked
def read_qrels(source: Source, *, negative: Negative = "error", columns: Names | None = None) -> Qrels:
    """Return qrels whose gains are integers or real numbers. See `Gains` for `source` and `negative`.

    `columns` says what the columns of a file are called, if it has other names than the usual ones, or where
    they stand, if it has no header: `{"topic_id": 1, "document_id": 2, "gain": 3}`.

    Raise `InputError` for a source that cannot be read, for the first invalid row, and for `columns` with a
    source that is not a file.

    Example: `read_qrels("qrels.txt", negative="zero")`.
    """
    if columns is None:
        return Qrels(source, negative=negative)
    return Qrels(files.read_gains(_file(source), negative, columns))


def read_run(source: Source, tag: str | None = None, *, columns: Names | None = None) -> Run:
    """Return one system's run. See `Run` for `source` and `tag`, and `read_qrels` for `columns`.

    Raise `InputError` for a source that cannot be read or has several runs, for the first invalid row, and
    for `columns` with a source that is not a file.

    Example: `read_run({"401": {"d1": 12.5, "d2": 11}}, tag="bm25")`.
    """
    return Run(source if columns is None else files.read_run(_file(source), columns), tag)


def read_runs(source: Source, *, columns: Names | None = None) -> Runs:
    """Return several runs, each with its own tag. See `Runs` for `source`, and `read_qrels` for `columns`.

    Raise `InputError` for a source that cannot be read, for the first invalid row, for two runs with the
    same tag, and for `columns` with sources that are not files.

    Example: `read_runs(["bm25.run", "dense.run.gz"])`.
    """
    if columns is None:
        return Runs(source)
    paths = source if isinstance(source, list | tuple) else [source]
    return Runs(files.read_runs([_file(path) for path in paths], columns))


def _file(source: Source) -> File:
    if not is_path(source):
        raise InputError(
            "layout-of-no-file",
            "columns can only be named for a file; rename the columns of the table, or pass a path",
        )
    return source


@checked
def read_judgments(
    source: Source,
    *,
    gold: bool = False,
    scale: ScaleName = DEFAULT,
    layout: JudgmentLayout | None = None,
) -> Judgments:
    """Return a crowd's judgments. See `Judgments` for `source`, `gold` and `scale`.

    If a file from another platform has other columns, `layout` says which of them to read. `layout_of`
    creates a layout: `layout_of("mturk", {"topic_id": "Input.topic", "document_id": "Input.doc{n}", …})`.

    Raise `InputError` for a source that cannot be read, for the first invalid row, and for a `layout` with a
    source that is not a file.

    Example: `read_judgments("judgments.csv")`.
    """
    if layout is None:
        return Judgments(source, gold=gold, scale=scale)
    return Judgments(arranged(read_table(_file(source)), layout), gold=gold, scale=scale)
