"""The options that say how columns are called in other files, which several commands have."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ..errors import shown

if TYPE_CHECKING:
    from ..parsing.judgment_table import JudgmentTable

RUN_COLUMNS: Final = ("--run-columns", "the runs", "topic_id", "document_id", "score", "rank", "tag")
JUDGMENT_COLUMNS: Final = (
    "--columns",
    "the judgments",
    "topic_id",
    "unit_id",
    "document_id",
    "relevance_score",
)
QREL_COLUMNS: Final = ("--columns", "the gains or qrels", "topic_id", "document_id", "gain", "subtopic_id")
SCORE_COLUMNS: Final = ("--columns", "the scores", "tag", "topic_id", "measure", "value")
LABEL_COLUMNS: Final = ("--label-columns", "the labels", "topic_id", "document_id", "label")
RATING_COLUMNS: Final = ("--columns", "the ratings", "topic_id", "document_id", "score")
"""The option for the columns of each kind of file, the words for the files, and the columns to name."""


_LONGEST_POSITION: Final = 6
"""The most digits of the position of a column. Longer numbers are names."""


def add_columns(parser: argparse.ArgumentParser, name: str, files: str, *names: str) -> None:
    """Add an option that says how columns are called in other files, or where they stand without a header."""
    parser.add_argument(
        name,
        nargs="+",
        type=pair,
        default=(),
        metavar="OURS=THEIRS",
        help=f"columns with another name in {files}, or their positions in a file without a header: "
        f"{', '.join(names)}",
    )


def names_of(pairs: Sequence[tuple[str, str]]) -> dict[str, str | int] | None:
    """Return the map of columns that was given with `add_columns`: a number is a position."""
    return {ours: _column(theirs) for ours, theirs in pairs} or None


def _column(theirs: str) -> str | int:
    is_position = theirs.isascii() and theirs.isdecimal() and len(theirs) <= _LONGEST_POSITION
    return int(theirs) if is_position else theirs


def pair(text: str) -> tuple[str, str]:
    """Return the name and the value of `NAME=VALUE`."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a name and a value; write NAME=VALUE")
    return name, value


def judgment_table(path: str, pairs: Sequence[tuple[str, str]]) -> "JudgmentTable":
    """Return the judgments of a file whose columns can have the other names that were given."""
    from ..files.judgment_layouts import arranged, layout_of
    from ..parsing.judgment_table import read_table

    return arranged(read_table(path), layout_of(columns=dict(pairs)))
