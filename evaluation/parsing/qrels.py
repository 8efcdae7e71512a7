"""Parse qrels and gains: lines `topic 0 document gain` with real or whole gains, without a header."""

from typing import Final

from ..origin import Origin
from ..sources import Columns
from ..subtopics import subtopics_in
from .text import File
from .trec import NUMBER, TEXT, Layout, read_columns

LAYOUT: Final[Layout] = {"topic": TEXT, "0": TEXT, "document": TEXT, "gain": NUMBER}


def qrels_columns(path: File) -> tuple[Columns, Origin]:
    """Return the columns of a qrels file for `Gains.from_columns`, and the origin of its rows.

    The column `subtopic_id` is None for a file without subtopics.
    """
    table, origin = read_columns(path, LAYOUT)
    columns = {
        "topic_id": table["topic"],
        "document_id": table["document"],
        "gain": table["gain"],
        "subtopic_id": subtopics_in(table["0"]),
    }
    return columns, origin
