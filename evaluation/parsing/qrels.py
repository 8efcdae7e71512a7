"""Parse qrels and gains: lines `topic 0 document gain` with real or whole gains, without a header."""

from typing import Final

from ..origin import Origin
from ..shapes import GAINS
from ..sources import Columns
from ..subtopics import subtopics_in
from .named import Names
from .text import File
from .trec import NUMBER, TEXT, Layout, read_columns

LAYOUT: Final = Layout(
    GAINS.layout, {"topic_id": TEXT, "subtopic_id": TEXT, "document_id": TEXT, "gain": NUMBER}, GAINS
)


def qrels_columns(path: File, names: Names | None = None) -> tuple[Columns, Origin]:
    """Return the columns of a qrels file for `Gains.from_columns`, and the origin of its rows.

    The column `subtopic_id` is None for a file without subtopics.
    """
    table, origin = read_columns(path, LAYOUT, names)
    columns: Columns = {column: table[column] for column in GAINS.columns}
    columns["subtopic_id"] = subtopics_in(table.get_column("subtopic_id", default=None))
    return columns, origin
