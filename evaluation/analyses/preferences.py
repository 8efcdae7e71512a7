"""Compare runs by distances to users' preferences and by gain-based measures [ZY10, table 2]."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..comparison.matrix import correlation_matrix, rankings
from ..comparison.results import levels_of_rows
from ..conventions import Ties
from ..distances.adm import Scale
from ..distances.preferences import Missing
from ..distances.topics import DISTANCES, Sides, refuse_unknown
from ..frames import Gains
from ..measures import Measures
from ..options import checked
from ..runs import Run
from ..score_table import Scores
from ..scores import score
from .schemes import JK

GAIN_MEASURES: Final = ("MSR", f"nDCG({JK})", f"AnDCG({JK})@100", "WAP", "Q", "AGR")
NDPM, LIKENESS = "ndpm", "1-ndpm"
RANKED = {"measure": pl.String, "rank": pl.Float64, "run": pl.String, "value": pl.Float64}


@checked
def preference_scores(
    user: Gains,
    runs: Sequence[Run],
    *,
    distances: str | Sequence[str] = (NDPM,),
    measures: Measures = GAIN_MEASURES,
    missing: Missing = "last",
    scale: Scale = "none",
    N: int | None = None,  # noqa: N803 (the usual symbol)
    ties: Ties = "trec_eval",
) -> Scores:
    """Score every run in every topic by distances to the user's preferences and by gain-based measures.

    Each of the `distances` compares the user's gains in a topic, such as medians of magnitudes, with the
    run's raw scores. Equal scores express indifference. NDPM is replaced by 1 − NDPM, named `1-ndpm`, so that
    higher values are always better. If a run does not answer a judged topic, the run's list for that topic is
    empty. `missing` applies only to the distance NDPM, and `scale` and `N` only to ADM. For WAP, Q and AGR,
    which count relevant documents, every document with a gain above 0 is relevant.

    Return the scores with the `distances` first, then the `measures`. Raise `InputError` for an unknown
    distance, for a score that is not finite or does not fit the scale, and in the same cases as `score`.
    """
    distances = [distances] if isinstance(distances, str) else distances
    refuse_unknown(distances)
    by_gain = score(user, runs, measures, ties=ties)
    user_scores = _by_topic(user.table.rename({"gain": "score"}))
    values = np.full((len(runs), len(by_gain.topics), len(distances)), np.nan)
    for r, run in enumerate(runs):
        ranked = _by_topic(run.table.select("topic_id", "document_id", "score"))
        for t, topic in enumerate(by_gain.topics):
            sides = Sides(user_scores[topic], ranked.get(topic, {}), missing, scale, N)
            distances_here = [DISTANCES[name](sides) for name in distances]
            values[r, t] = [np.nan if value is None else value for value in distances_here]
    names = [LIKENESS if name == NDPM else name for name in distances]
    flipped = np.array([name == NDPM for name in distances])
    values = np.where(flipped, 1 - values, values)
    all_values = np.concatenate([values, by_gain.values], axis=-1)
    return Scores(by_gain.runs, by_gain.topics, (*names, *by_gain.measures), all_values, by_gain.notices)


def preference_ranking(scores: Scores) -> pl.DataFrame:
    """Rank the runs by each measure in `scores`, best first: `measure, rank, run, value`.

    Runs with equal means share the mean of their ranks. A run without a value comes last and has no rank.
    """
    rows = []
    for measure, means in rankings(scores).items():
        table = pl.DataFrame({"run": scores.runs, "value": means}).with_columns(
            pl.col("value").fill_nan(None)
        )
        table = table.with_columns(rank=_levels(means).rank("average", descending=True))
        ordered = table.sort("rank", "run", nulls_last=True)
        rows += [(measure, rank, run, value) for run, value, rank in ordered.rows()]
    return pl.DataFrame(rows, schema=RANKED, orient="row")


def preference_table(scores: Scores) -> pl.DataFrame:
    """Arrange the means of the runs as in table 2 of [ZY10]: a row per run, and a column per measure.

    The columns are `run` and the measures of the scores. The runs are sorted by the first measure, best
    first. Runs with equal means are sorted by name. A run without a value has null.
    """
    means = {measure: pl.Series(values).fill_nan(None) for measure, values in rankings(scores).items()}
    table = pl.DataFrame({"run": list(scores.runs), **means})
    by = _levels(rankings(scores)[scores.measures[0]])
    return table.sort(by, "run", descending=[True, False], nulls_last=True)


def preference_correlations(scores: Scores, statistic: str = "tau_b") -> pl.DataFrame:
    """For each pair of measures, correlate their rankings of the runs: `first, second, value`."""
    return correlation_matrix(rankings(scores), statistic)


def _levels(means: FloatArray) -> pl.Series:
    """Return the levels of the means, with null for a run without a value. Tied runs have the same level."""
    known = ~np.isnan(means)
    levels = np.full(means.shape, np.nan)
    levels[known] = levels_of_rows(means[None, known])[0]
    return pl.Series(levels).fill_nan(None)


def _by_topic(table: pl.DataFrame) -> dict[str, dict[str, float]]:
    """Return the scores as a dict of dicts, keyed by topic and then by document."""
    by_topic: dict[str, dict[str, float]] = {}
    for topic, document, value in table.iter_rows():
        by_topic.setdefault(topic, {})[document] = value
    return by_topic
