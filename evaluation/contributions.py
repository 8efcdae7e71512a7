"""Find the documents that make the difference between two runs: the weight of each rank, times the gain."""

from typing import Final

import numpy as np
import polars as pl

from .errors import InputError
from .frames import Gains
from .measures import curves as curves_of
from .measures import parse
from .order import sort_by_score
from .ranking import rank
from .runs import Run

MEASURES: Final = ("CG", "DCG", "nCG", "nDCG", "SR", "MSR")
"""The measures that are a sum over the documents of a list, and so have contributions."""


def has_contributions(measure: str) -> bool:
    """Return whether the measure is a sum over the documents of a list."""
    return parse(measure).name in MEASURES


def contributions(gains: Gains, first: Run, second: Run, measure: str) -> pl.DataFrame:
    """Return what each document adds to the difference between two runs, the largest addition first.

    A document adds the weight of its rank times its gain or, for a measure that is a ratio to the ideal list,
    this divided by the value of the ideal list. The columns are `topic_id, document_id, gain, first_rank,
    second_rank, difference`. A rank is null if the run does not retrieve the document down to the cut-off.
    `difference` is what the document adds to the first run's score minus what it adds to the second run's.
    The differences in a topic add up to the difference of the two runs' scores. Documents that both runs have
    at the same rank, and documents without gain, are left out.

    Raise `InputError` for a measure that is no such sum.

    Example: a document with gain 3 is at rank 1 of the first run, and at rank 3 of the second. It adds
    3/log2(2) − 3/log2(4) = 1.5 to the difference in DCG.
    """
    parsed = parse(measure)
    if parsed.name not in MEASURES:
        raise InputError(
            "measure-without-contributions",
            "{measure} is not a sum over documents; choose from {known}",
            measure=measure,
            known=", ".join(MEASURES),
        )
    lists = rank(gains, [first, second]).lists
    curves = curves_of(parsed, lists)
    steps = np.diff(curves.own, axis=-1, prepend=0.0)
    steps[np.arange(1, steps.shape[-1] + 1) > curves.cutoffs[..., None]] = 0.0
    if parsed.name not in ("CG", "DCG"):
        last = np.minimum(curves.cutoffs, curves.ideal.shape[-1]) - 1
        ideal = np.broadcast_to(curves.ideal, steps.shape)
        whole = np.take_along_axis(ideal, last[..., None], axis=-1)
        steps = np.divide(steps, whole, out=np.zeros_like(steps), where=whole > 0)
    sides = [
        _side(run, lists.topics, steps[place], name)
        for place, (run, name) in enumerate(((first, "first"), (second, "second")))
    ]
    both = sides[0].join(sides[1], on=["topic_id", "document_id"], how="full", coalesce=True)
    difference = pl.col("first").fill_null(0.0) - pl.col("second").fill_null(0.0)
    return (
        both.with_columns(difference=difference)
        .filter(pl.col("difference") != 0)
        .join(gains.table, on=["topic_id", "document_id"], how="left")
        .sort(pl.col("difference").abs(), "topic_id", "document_id", descending=[True, False, False])
        .select("topic_id", "document_id", "gain", "first_rank", "second_rank", "difference")
    )


def _side(run: Run, topics: tuple[str, ...], steps: np.ndarray, name: str) -> pl.DataFrame:
    """Return the documents of a run that add something: `topic_id, document_id, NAME_rank, NAME`.

    `steps` (topics, ranks) is what each rank adds.
    """
    topic, place = np.nonzero(steps)
    adding = pl.DataFrame(
        {
            "topic_id": pl.Series([topics[index] for index in topic], dtype=pl.String),
            f"{name}_rank": pl.Series(place + 1, dtype=pl.Int64),
            name: pl.Series(steps[topic, place], dtype=pl.Float64),
        }
    )
    ranked = sort_by_score(run.table, "topic_id").with_columns(
        (pl.int_range(pl.len()).over("topic_id") + 1).alias(f"{name}_rank")
    )
    return ranked.join(adding, on=["topic_id", f"{name}_rank"]).select(
        "topic_id", "document_id", f"{name}_rank", name
    )
