"""Judgments by subtopic, reduced to one gain per document and topic."""

from typing import Final

import polars as pl

from .columns import Column
from .errors import InputError, shown
from .origin import Origin, first
from .pairs import PAIR, first_repetition

NO_SUBTOPIC: Final = ("0", "Q0", 0)
"""The second column of qrels without subtopics has one of these values, the same on every line."""


def subtopics_in(second_column: Column | None) -> Column | None:
    """Return the second column of qrels, or None if it names no subtopics.

    The column names no subtopics if it is `0` on every line, or `Q0` on every line.
    """
    if second_column is None or not len(second_column) or second_column[0] not in NO_SUBTOPIC:
        return second_column
    first_value = second_column[0]
    if isinstance(second_column, pl.Series):
        is_constant = bool((second_column == first_value).all())
    else:
        is_constant = all(value == first_value for value in second_column)
    return None if is_constant else second_column


def refuse_judged_twice(table: pl.DataFrame, origin: Origin) -> None:
    """Raise `InputError` for the first row that judges a document a second time for the same subtopic."""
    is_repeated = ~table.select(pl.struct(*PAIR, "subtopic_id").is_first_distinct()).to_series()
    if (row := first(is_repeated.to_numpy())) is not None:
        raise InputError(
            "document-judged-twice-for-subtopic",
            "document {document} has two judgments for subtopic {subtopic} of topic {topic}; remove "
            "one of them",
            origin.at(row),
            document=shown(table["document_id"][row]),
            subtopic=shown(table["subtopic_id"][row]),
            topic=shown(table["topic_id"][row]),
        )


def largest_of_subtopics(table: pl.DataFrame, origin: Origin) -> tuple[pl.DataFrame, Origin]:
    """Return a table `topic_id, document_id, gain`, and the origin of its rows.

    The new table has one row for each document in each topic: the first row with the document's largest gain.
    """
    table = table.drop("subtopic_id")
    if first_repetition(table) is None:
        return table, origin
    best_first = table.with_row_index("row").sort("gain", descending=True, maintain_order=True)
    largest = best_first.unique(PAIR, keep="first").sort("row")
    return largest.drop("row"), origin.of_rows(largest["row"].to_list())
