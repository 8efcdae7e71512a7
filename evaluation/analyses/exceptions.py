"""Find topics in which a lower grade has a higher median value than a higher grade [T15]."""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations

import polars as pl

from ..frames import Gains
from .graded import graded

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
    """Compare the medians of each pair of grades in each topic, for each set of `known` judgments.

    `values` has each document's median magnitude. A pair is an exception if the median of the lower grade's
    documents is above the median of the higher grade's documents. In each topic, a pair counts only if both
    grades have documents. Two grades are adjacent if no other grade in the same set of judgments lies between
    them in any topic.

    Return `judgments, topic_id, lower, higher, adjacent, lower_documents, higher_documents, lower_median,
    higher_median, exception`. Rows follow the order of `known`, then topics and grades.

    Example: three documents with the grades 0, 1 and 2 have the values 3, 2 and 4. The pair 0, 1 is the only
    exception among three pairs, and it is adjacent.
    """
    rows = [
        (name, topic, *pair)
        for name, grades in known.items()
        for topic, *pair in _pairs(graded(values, grades))
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def exceptions_sentence(table: pl.DataFrame) -> str:
    """Return a one-line summary of a table from `exceptions`.

    The summary counts the exceptions among adjacent pairs and among all pairs. If the two counts are equal,
    the second count is left out. The brackets show how the pairs add up: each term is a number of pairs of
    grades times a number of topics. For a single pair of grades, the term is just the number of topics.

    Example: 18 topics have judgments with four grades, and also binary judgments. They give 3·18 + 18
    adjacent pairs and 6·18 + 18 pairs in total. With six exceptions, all of them adjacent, the summary is
    `6 of 72 adjacent (3·18 + 18), of 126 all (6·18 + 18)`. With a seventh exception that is not adjacent, the
    summary is `6 of 72 adjacent (3·18 + 18), 7 of 126 all (6·18 + 18)`.
    """
    adjacent = table.filter("adjacent")
    among_adjacent, among_all = (int(part["exception"].sum()) for part in (adjacent, table))
    number = "" if among_all == among_adjacent else f"{among_all} "
    return (
        f"{among_adjacent} of {len(adjacent)} adjacent ({_sum_of_products(adjacent)}), "
        f"{number}of {len(table)} all ({_sum_of_products(table)})"
    )


def _pairs(table: pl.DataFrame) -> list[tuple[object, ...]]:
    levels = table["grade"].unique().sort().to_list()
    place = {grade: number for number, grade in enumerate(levels)}
    pairs: list[tuple[object, ...]] = []
    medians = (
        table.group_by("topic_id", "grade").agg(pl.len(), pl.col("value").median()).sort("topic_id", "grade")
    )
    for (topic,), topic_medians in medians.group_by("topic_id", maintain_order=True):
        for (_, lower, lower_count, below), (_, higher, higher_count, above) in combinations(
            topic_medians.rows(), 2
        ):
            adjacent = place[higher] - place[lower] == 1
            pairs.append(
                (topic, lower, higher, adjacent, lower_count, higher_count, below, above, below > above)
            )
    return pairs


def _sum_of_products(table: pl.DataFrame) -> str:
    """Return the number of rows as a sum of products, such as `3·18 + 18`.

    Each term is a number of pairs of grades times a number of topics. For a single pair of grades, the term
    is just the number of topics.
    """
    terms = []
    for _, part in table.group_by("judgments", maintain_order=True):
        topics = part.group_by("lower", "higher").len()["len"].to_list()
        for number, pairs in sorted(Counter(topics).items(), reverse=True):
            terms.append(f"{pairs}·{number}" if pairs > 1 else f"{number}")
    return " + ".join(terms) or "0"
