"""TREC run files: `topic Q0 document rank score tag`."""

from collections.abc import Sequence
from functools import partial

from ..parsing.named import Names
from ..parsing.runs import run_columns
from ..parsing.text import File
from ..runs import Run, refuse_repeated_tags
from ..threads import map_in_threads


def read_run(path: File, columns: Names | None = None) -> Run:
    """Read a run. Its name is the tag in the sixth column. All lines must have the same tag.

    A file with a header such as `query_id,doc_id,score`, or JSONL with such keys, is read by these names. If
    none of them is the tag, the run has the name of the file. `columns` maps `topic_id`, `document_id`,
    `score`, `rank` and `tag` to other names or, in a file without a header, to positions. In lines without a
    header, tabs or blanks separate the columns; lines that begin with `#`, and words after the tag, are
    skipped. Scores can be infinite.

    Raise `InputError` with file
    and line for a wrong number of columns, for a second tag, and for a document that is retrieved twice in a
    topic. Also raise `InputError` for a rank that is not a whole number, and for a score that is NaN or not a
    number.
    """
    tag, found, origin = run_columns(path, columns)
    return Run.from_columns(tag, **found, origin=origin)


def read_runs(paths: Sequence[File], columns: Names | None = None) -> list[Run]:
    """Read several runs, each with its own tag. Raise `InputError` if two files have the same tag."""
    runs = map_in_threads(partial(read_run, columns=columns), paths)
    refuse_repeated_tags((run.tag, run.origin) for run in runs)
    return runs
