"""Readers for every kind of source: a path, an `ir_datasets` id, a dict, rows or a table.

These functions call the constructors of `Gains`, `Run`, `Runs` and `Judgments`, under names that are common
in other libraries. Readers that accept only files are in `plumbline_ir.files`.
"""

from .conventions import Negative
from .errors import InputError
from .files.judgment_layouts import JudgmentLayout, arranged
from .frames import Judgments, Qrels
from .options import checked
from .parsing.judgment_table import read_table
from .runs import Run, Runs
from .scales import DEFAULT, ScaleName
from .sources import Source, is_path


@checked
def read_qrels(source: Source, *, negative: Negative = "error") -> Qrels:
    """Return qrels whose gains are integers or real numbers. See `Gains` for `source` and `negative`.

    Raise `InputError` for a source that cannot be read, and for the first invalid row.

    Example: `read_qrels("qrels.txt", negative="zero")`.
    """
    return Qrels(source, negative=negative)


def read_run(source: Source, tag: str | None = None) -> Run:
    """Return one system's run. See `Run` for `source` and `tag`.

    Raise `InputError` for a source that cannot be read or has several runs, and for the first invalid row.

    Example: `read_run({"401": {"d1": 12.5, "d2": 11}}, tag="bm25")`.
    """
    return Run(source, tag)


def read_runs(source: Source) -> Runs:
    """Return several runs, each with its own tag. See `Runs` for `source`.

    Raise `InputError` for a source that cannot be read, for the first invalid row, and for two runs with the
    same tag.

    Example: `read_runs(["bm25.run", "dense.run.gz"])`.
    """
    return Runs(source)


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
    if not is_path(source):
        raise InputError(
            "layout-of-no-file",
            "a layout can only be given for a file; rename the columns of the table, or pass a path",
        )
    return Judgments(arranged(read_table(source), layout), gold=gold, scale=scale)
