"""Topics in which the crowd values documents of a lower grade above those of a higher grade [T15]."""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations

import polars as pl

from evaluation.analyses.graded import graded
from evaluation.frames import Gains

SCHEMA = {
    "judgments": pl.String,
    "topic_id": pl.String,
    "lower": pl.Float64,
    "higher": pl.Float64,
    "adjacent": pl.Boolean,
    "lower_documents": pl.Int64,
    "higher_documents": pl.Int64,
    "lower_median": pl.Float64,
    "higher_median": pl.Float64,
    "exception": pl.Boolean,
}


def exceptions(values: Gains, known: Mapping[str, Gains]) -> pl.DataFrame:
    """Compare each pair of grades in each topic with documents of both, for all kinds of `known` judgments.

    `values` are the medians of the documents. A pair is an exception if the median of the lower grade's
    documents is above that of the higher grade's. Two grades are adjacent if no other grade of the same
    judgments lies between them in any topic.

    Return `judgments, topic_id, lower, higher, adjacent, lower_documents, higher_documents, lower_median,
    higher_median, exception`. Judgments keep their order; their rows are sorted.

    Example: documents of the grades 0, 1, 2 are worth 3, 2 and 4. The pair 0, 1 is the only exception among
    three pairs, and it is adjacent.
    """
    rows = [
        (name, topic, *pair)
        for name, grades in known.items()
        for topic, *pair in _pairs(graded(values, grades))
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def exceptions_sentence(table: pl.DataFrame) -> str:
    """Return the table of `exceptions` in words, with the number of pairs and topics in brackets.

    With four grades and binary judgments of 18 topics there are 3·18 + 18 adjacent pairs and 6·18 + 18 pairs
    in all: `6 of 72 adjacent (3·18 + 18), of 126 all (6·18 + 18)`. If pairs that are not adjacent are
    exceptions too: `6 of 72 adjacent (3·18 + 18), 7 of 126 all (6·18 + 18)`.
    """
    adjacent = table.filter("adjacent")
    among_adjacent, among_all = (int(part["exception"].sum()) for part in (adjacent, table))
    number = "" if among_all == among_adjacent else f"{among_all} "
    return (
        f"{among_adjacent} of {len(adjacent)} adjacent ({_sum(adjacent)}), "
        f"{number}of {len(table)} all ({_sum(table)})"
    )


def _pairs(table: pl.DataFrame) -> list[tuple[object, ...]]:
    levels = table["grade"].unique().sort().to_list()
    place = {grade: number for number, grade in enumerate(levels)}
    pairs: list[tuple[object, ...]] = []
    medians = (
        table.group_by("topic_id", "grade").agg(pl.len(), pl.col("value").median()).sort("topic_id", "grade")
    )
    for (topic,), of_topic in medians.group_by("topic_id", maintain_order=True):
        for (_, lower, few, below), (_, higher, many, above) in combinations(of_topic.rows(), 2):
            adjacent = place[higher] - place[lower] == 1
            pairs.append((topic, lower, higher, adjacent, few, many, below, above, below > above))
    return pairs


def _sum(table: pl.DataFrame) -> str:
    """Return the number of pairs of grades times the number of topics, as a sum over the judgments."""
    terms = []
    for _, part in table.group_by("judgments", maintain_order=True):
        topics = part.group_by("lower", "higher").len()["len"].to_list()
        for number, pairs in sorted(Counter(topics).items(), reverse=True):
            terms.append(f"{pairs}·{number}" if pairs > 1 else f"{number}")
    return " + ".join(terms) or "0"
