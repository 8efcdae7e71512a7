"""Parse TREC run files: `topic Q0 document rank score tag`."""

from pathlib import PurePath
from typing import Final

import polars as pl

from ..errors import InputError, shown
from ..origin import Origin
from ..shapes import RUN
from ..sources import Columns
from .named import Names
from .text import File, name_of
from .trec import NUMBER, TEXT, Layout, read_columns

LAYOUT: Final = Layout(
    RUN.layout,
    {"topic_id": TEXT, "Q0": TEXT, "document_id": TEXT, "rank": NUMBER, "score": NUMBER, "tag": TEXT},
    RUN,
)


def run_columns(path: File, names: Names | None = None) -> tuple[str, Columns, Origin]:
    """Return the tag and the columns of a run file for `Run.from_columns`, and the origin of its rows.

    A run in a table without tags has the name of its file as its tag. Raise `InputError` if a line has a tag
    that differs from the tag of the first line.
    """
    table, origin = read_columns(path, LAYOUT, names, remarks=True)
    if "tag" not in table.columns:
        table = table.with_columns(tag=pl.lit(PurePath(name_of(path)).name))
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
    columns = {name: table[name] for name in (*RUN.columns, "rank") if name in table.columns}
    return tags[0], columns, origin
