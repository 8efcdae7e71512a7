"""Gather what a result needs beside scores: the shares of judged documents, and the noise of judgments."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..comparison.choices import Choices
from ..comparison.system_intervals import SystemIntervals, system_intervals
from ..conventions import WORKER_RESAMPLES, Statistic
from ..errors import InputError
from ..frames import Judgments
from ..magnitudes.normalisation import Method
from ..measures import Measure, Measures, parse, several
from ..notices import Notices
from ..options import checked
from ..score_table import Scores
from ..scores import score
from ..sources import Source
from ..text import Text
from .basis import Warning

Shares = Mapping[str, Mapping[str, float | None]]
"""The share of judged documents down to the cut-off, by measure and run."""


def score_with_shares(
    qrels: Source, runs: Source, measures: Measures, conventions: Mapping[str, Any]
) -> tuple[Scores, Shares]:
    """Return the scores of runs, and the shares of judged documents. The runs are read once.

    If unjudged documents do not count as 0, there are no shares. `conventions` are the parameters of `score`.
    Raise `InputError` as `score` does.
    """
    wanted = list(several(measures))
    if conventions.get("unjudged", "zero") != "zero":
        return score(qrels, runs, wanted, **conventions), {}
    judged = {str(item): str(_judged(item)) for item in wanted}
    names = list(judged)
    scores = score(qrels, runs, [*wanted, *judged.values()], **conventions)
    means = {(row.measure, row.run): row.value for row in scores.means()}
    shares = {name: {run: means[judged[name], run] for run in scores.runs} for name in names}
    return _only(scores, names), shares


def _judged(item: str | Measure) -> Measure:
    """Return the measure that is the share of judged documents, down to the cut-off of another measure."""
    measure = item if isinstance(item, Measure) else parse(item)
    return Measure("Judged", (("topics", "judged"),), measure.cutoff)


def _only(scores: Scores, names: Sequence[str]) -> Scores:
    """Return the scores by some of the measures."""
    places = [scores.measures.index(name) for name in names]
    return Scores(
        scores.runs,
        scores.topics,
        tuple(names),
        scores.values[..., places],
        Notices(tuple(notice for notice in scores.notices if notice.measure in ("", *names))),
        None if scores.pooled is None else scores.pooled[:, places],
    )


class Noise(NamedTuple):
    """The noise of judgments: intervals by measure, and warnings that say why there are none."""

    intervals: Mapping[str, SystemIntervals]
    warnings: tuple[Warning, ...]


@checked
def noise_of(
    judgments: Judgments,
    runs: Source,
    measures: Measures,
    choices: Choices,
    *,
    method: Method | None = None,
    statistic: Statistic | None = None,
    resamples: int = WORKER_RESAMPLES,
) -> Noise:
    """Return the intervals that correct means for the noise of judgments, if they can be computed."""
    try:
        intervals = system_intervals(
            judgments,
            runs,
            measures,
            rng=np.random.default_rng(choices.seed % 2**64),
            method=method,
            statistic=statistic,
            resamples=resamples,
        )
    except InputError as error:
        text = Text("The means are not corrected for the noise of the judgments: {reason}.", reason=error)
        return Noise({}, (Warning("not-corrected", text),))
    return Noise(intervals, ())
