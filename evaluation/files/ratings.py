"""Ratings by a user or a system: `topic 0 document score`, without a header."""

from ..distances.ratings import Ratings
from ..parsing.named import Names
from ..parsing.text import File
from ..parsing.trec import NUMBER, TEXT, Layout, read_columns
from ..shapes import RATINGS

LAYOUT = Layout(RATINGS.layout, {"topic_id": TEXT, "0": TEXT, "document_id": TEXT, "score": NUMBER}, RATINGS)


def read_ratings(path: File, columns: Names | None = None) -> Ratings:
    """Read scores on any scale, including negative scores, at full precision.

    The file can be compressed, with tabs or blanks between columns and LF or CRLF line endings. Raise
    `InputError` with file and line for a wrong number of columns, for a score that is not a finite number,
    and for a document that is scored twice in a topic.
    """
    table, origin = read_columns(path, LAYOUT, columns)
    return Ratings.from_columns(table["topic_id"], table["document_id"], table["score"], origin=origin)
