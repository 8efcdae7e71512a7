"""Parse TREC run files: `topic Q0 document rank score tag`."""

from typing import Final

from ..errors import InputError, shown
from ..origin import Origin
from ..sources import Columns
from .text import File
from .trec import NUMBER, TEXT, Layout, read_columns

LAYOUT: Final[Layout] = {
    "topic": TEXT,
    "Q0": TEXT,
    "document": TEXT,
    "rank": NUMBER,
    "score": NUMBER,
    "tag": TEXT,
}


def run_columns(path: File) -> tuple[str, Columns, Origin]:
    """Return the tag and the columns of a run file for `Run.from_columns`, and the origin of its rows.

    Raise `InputError` if a line has another tag than the first line.
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
    columns = {
        "topic_id": table["topic"],
        "document_id": table["document"],
        "score": table["score"],
        "rank": table["rank"],
    }
    return tags[0], columns, origin
