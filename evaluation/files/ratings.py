"""Ratings, of a user or of a system: `topic 0 document score`, without a header."""

from pathlib import Path

from evaluation.distances.ratings import Ratings
from evaluation.files.trec import NUMBER, TEXT, Layout, read_columns

LAYOUT: Layout = {"topic": TEXT, "0": TEXT, "document": TEXT, "score": NUMBER}


def read_ratings(path: str | Path) -> Ratings:
    """Scores of any scale at full precision, negative ones too.

    Plain or gzip, tabs or blanks, any line ends. Raises `InputError` with file and line for a wrong number
    of columns, a score that is no finite number, and a document scored twice in one topic.
    """
    table, origin = read_columns(path, LAYOUT)
    return Ratings.from_columns(table["topic"], table["document"], table["score"], origin=origin)
