"""TREC run files: `topic Q0 document rank score tag`."""

from collections.abc import Sequence
from pathlib import Path

from evaluation.errors import InputError, shown
from evaluation.files.trec import NUMBER, TEXT, read_columns
from evaluation.runs import Run, refuse_repeated_tags
from evaluation.threads import map_in_threads

LAYOUT = {"topic": TEXT, "Q0": TEXT, "document": TEXT, "rank": NUMBER, "score": NUMBER, "tag": TEXT}


def read_run(path: str | Path) -> Run:
    """Read a run. Its name is the tag in the sixth column. All lines must have the same tag.

    The file can be plain or gzip, with tabs or blanks between columns and LF or CRLF line endings. Lines that
    begin with `#`, and words after the tag, are skipped. Scores can be infinite. Raise `InputError` with file
    and line for a wrong number of columns, for a second tag, and for a document that is retrieved twice in a
    topic. Also raise `InputError` for a rank that is not a whole number, and for a score that is NaN or not a
    number.
    """
    table, origin = read_columns(path, LAYOUT, remarks=True)
    tags = table["tag"]
    if (other := tags != tags[0]).any():
        row = int(other.arg_max() or 0)
        raise InputError(
            "several-tags",
            "the tag changes from {first} to {tag}, but a file must hold a single run; save each run in its "
            "own file",
            origin.at(row),
            tag=shown(tags[row]),
            first=shown(tags[0]),
        )
    return Run.from_columns(
        tags[0], table["topic"], table["document"], table["score"], table["rank"], origin=origin
    )


def read_runs(paths: Sequence[str | Path]) -> list[Run]:
    """Read several runs, each with its own tag. Raise `InputError` if two files have the same tag."""
    runs = map_in_threads(read_run, paths)
    refuse_repeated_tags((run.tag, run.origin) for run in runs)
    return runs
