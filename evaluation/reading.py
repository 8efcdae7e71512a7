"""Readers of whatever can be passed: a path, an id of `ir_datasets`, a dict, rows or a table.

They are the classes' constructors under the names that other libraries use. `evaluation.files` has the
readers of files alone.
"""

from evaluation.errors import InputError
from evaluation.files.judgment_layouts import JudgmentLayout, arranged
from evaluation.files.judgments import read_table
from evaluation.frames import Gains, Judgments, Negative, Scale
from evaluation.runs import Run, Runs
from evaluation.sources import Source, is_path


def read_qrels(source: Source, *, negative: Negative = "error") -> Gains:
    """Return qrels, whole or real-valued. See `Gains` for what can be passed and for `negative`.

    Raise `InputError` for a source that cannot be read, and for the first invalid row.

    Example: `read_qrels("qrels.txt", negative="zero")`.
    """
    return Gains(source, negative=negative)


def read_run(source: Source, tag: str | None = None) -> Run:
    """Return one system's run. See `Run` for what can be passed and for `tag`.

    Raise `InputError` for a source that cannot be read, for several runs, and for the first invalid row.

    Example: `read_run({"401": {"d1": 12.5, "d2": 11}}, tag="bm25")`.
    """
    return Run(source, tag)


def read_runs(source: Source) -> Runs:
    """Return several runs, each with its own tag. See `Runs` for what can be passed.

    Raise `InputError` for a source that cannot be read, for the first invalid row, and for two runs with the
    same tag.

    Example: `read_runs(["bm25.run", "dense.run.gz"])`.
    """
    return Runs(source)


def read_judgments(
    source: Source,
    *,
    gold: bool = False,
    scale: Scale = "magnitude",
    layout: JudgmentLayout | None = None,
) -> Judgments:
    """Return judgments of a crowd. See `Judgments` for what can be passed, and for `gold` and `scale`.

    A file from another platform has other columns, which `layout` names. `layout_of` makes one:
    `layout_of("mturk", {"topic_id": "Input.topic", "document_id": "Input.doc{n}", …})`.

    Raise `InputError` for a source that cannot be read, for the first invalid row, and for a layout if the
    source is not a file.

    Example: `read_judgments("judgments.csv")`.
    """
    if layout is None:
        return Judgments(source, gold=gold, scale=scale)
    if not is_path(source):
        raise InputError(
            "layout-of-no-file", "only a file has a layout; rename the columns of the table, or pass a path"
        )
    return arranged(read_table(source), layout).judgments(gold=gold, scale=scale)
