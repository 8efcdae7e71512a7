"""TREC run files: `topic Q0 document rank score tag`."""

from collections.abc import Sequence

from ..parsing.runs import run_columns
from ..parsing.text import File
from ..runs import Run, refuse_repeated_tags
from ..threads import map_in_threads


def read_run(path: File) -> Run:
    """Read a run. Its name is the tag in the sixth column. All lines must have the same tag.

    The file can be compressed, with tabs or blanks between columns and LF or CRLF line endings. Lines that
    begin with `#`, and words after the tag, are skipped. Scores can be infinite. Raise `InputError` with file
    and line for a wrong number of columns, for a second tag, and for a document that is retrieved twice in a
    topic. Also raise `InputError` for a rank that is not a whole number, and for a score that is NaN or not a
    number.
    """
    tag, columns, origin = run_columns(path)
    return Run.from_columns(tag, **columns, origin=origin)


def read_runs(paths: Sequence[File]) -> list[Run]:
    """Read several runs, each with its own tag. Raise `InputError` if two files have the same tag."""
    runs = map_in_threads(read_run, paths)
    refuse_repeated_tags((run.tag, run.origin) for run in runs)
    return runs
