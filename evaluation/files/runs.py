"""TREC run files: `topic Q0 document rank score tag`."""

from pathlib import Path

from evaluation.errors import InputError, shown
from evaluation.files.numbers import parse_numbers
from evaluation.files.trec import read_columns
from evaluation.frames import Run
from evaluation.origin import first

COLUMNS = ("topic", "Q0", "document", "rank", "score", "tag")


def read_run(path: str | Path) -> Run:
    """One run; its name is the tag in the sixth column, which must be the same on every line.

    Plain or gzip, tabs or blanks, any line ends. Raises `InputError` with file and line for a wrong number
    of columns, a second tag, a rank that is no whole number, a score that is none or NaN, and a document
    retrieved twice in one topic. Scores may be infinite.
    """
    table, origin = read_columns(path, COLUMNS)
    tags = table["tag"]
    if (row := first((tags != tags[0]).to_numpy())) is not None:
        origin.refuse(row, f"tag {shown(tags[row])} after {shown(tags[0])}; a file holds one run")
    return Run.from_columns(
        tags[0],
        table["topic"],
        table["document"],
        parse_numbers("score", table["score"], origin),
        parse_numbers("rank", table["rank"], origin),
        origin=origin,
    )


def read_runs(paths: list[str]) -> list[Run]:
    """Several runs, each with a tag of its own; `InputError` where two files bear the same tag."""
    seen: dict[str, str] = {}
    runs = []
    for path in paths:
        run = read_run(path)
        if run.tag in seen:
            what = f"tag {shown(run.tag)} is also that of {seen[run.tag]}; give each run a tag of its own"
            raise InputError(what, run.origin.at(0))
        seen[run.tag] = path
        runs.append(run)
    return runs
