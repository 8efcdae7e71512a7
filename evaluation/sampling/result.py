"""The scores of runs as estimated from a sample, with intervals."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Final, Literal

import numpy as np
import polars as pl

from ..arrays import FloatArray, mean_over_topics
from ..comparison.system_intervals import TARGETS, SystemIntervals, Target
from ..magnitudes.normalisation import Method
from ..options import checked
from ..score_table import Scores
from ..showing import short_repr
from ..text import Text

Evidence = Literal["predictions", "people"]
"""What an estimate uses: the sampled gains with calibrated predictions of all gains, or without."""
FILLED: Final = "filled"
_COLUMNS: Final = {
    **dict.fromkeys(("target", "evidence", "run"), pl.String),
    "topics": pl.Int64,
    **dict.fromkeys(("mean", "low", "high"), pl.Float64),
    "valid": pl.Boolean,
}


@checked
@short_repr
@dataclass(frozen=True, eq=False)
class SampledScores:
    """What a sample says about the runs' scores by one measure.

    `intervals` has the estimated scores, and their intervals, for each kind of evidence. `filled` (runs,
    topics) has the scores if every document that was not sampled had its prediction as gain, or 0 without
    predictions. `documents` and `sampled` are the numbers of documents in the pool and in the sample.
    `has_noise` says that the intervals cover the noise of the judgments. `method` is how they were
    normalised, or None for the default of their scale.
    """

    measure: str
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    intervals: Mapping[str, SystemIntervals]
    filled: FloatArray
    documents: int
    sampled: int
    has_noise: bool
    method: Method | None

    @cached_property
    def evidence(self) -> Evidence:
        """The evidence to use: "predictions", unless they make the intervals of differences wider.

        Without predictions, it is "people".
        """
        width = self.relative_width
        return "predictions" if width is not None and width <= 1 else "people"

    @cached_property
    def relative_width(self) -> float | None:
        """The mean width of the intervals of differences with predictions, divided by that without them.

        It is None without predictions. If both widths are 0, it is 1.
        """
        if "predictions" not in self.intervals:
            return None
        own, without = (_width(self.intervals[evidence]) for evidence in ("predictions", "people"))
        return 1.0 if own == without else own / without if without else np.inf

    @property
    def chosen(self) -> SystemIntervals:
        """The scores and intervals of the evidence to use."""
        return self.intervals[self.evidence]

    @checked
    def means(self, target: Target = "new_topics", *, level: float = 0.95) -> pl.DataFrame:
        """Return each run's mean over the topics with its interval, for each kind of evidence.

        The columns are `target, evidence, run, topics, mean, low, high, valid`. The kinds of evidence are:

        - `"predictions"`: the sampled gains, and the predictions for all documents. These rows are missing if
          there are no predictions.
        - `"people"`: the sampled gains alone.
        - `"filled"`: sampled gains count as they are, and every other document has its prediction as gain, or
          0 without predictions. This mean is biased: `valid` is false, and there is no interval.

        For the target `"new_topics"`, `low` and `high` are null if there are fewer than two topics. For both
        targets, they are null if the variance cannot be estimated, because fewer than two of the sampled
        documents had a chance below 1 although others were not sampled. Raise `InputError` for an unknown
        target and for a `level` outside (0, 1).
        """
        parts = [
            intervals.means(target, level=level).with_columns(evidence=pl.lit(evidence), valid=True)
            for evidence, intervals in self.intervals.items()
        ]
        rows = [
            (target, FILLED, run, *_filled(scores), None, None, False)
            for run, scores in zip(self.runs, self.filled, strict=True)
        ]
        filled = pl.DataFrame(rows, schema=_COLUMNS, orient="row")
        return pl.concat([*(part.select(list(_COLUMNS)) for part in parts), filled])

    @checked
    def difference(
        self, first: str, second: str, target: Target = "new_topics", *, level: float = 0.95
    ) -> pl.DataFrame:
        """Return the mean of run `first` minus the mean of run `second`, for each kind of evidence.

        The columns are `target, evidence, first, second, topics, mean, low, high, valid`, as in `means`.
        Raise `InputError` in the same cases as `means`, and for an unknown run.
        """
        names = ("target", "evidence", "first", "second", *list(_COLUMNS)[3:])
        schema = {name: _COLUMNS.get(name, pl.String) for name in names}
        parts = [
            intervals.difference(first, second, target, level=level).with_columns(
                evidence=pl.lit(evidence), valid=True
            )
            for evidence, intervals in self.intervals.items()
        ]
        apart = self.filled[self.runs.index(first)] - self.filled[self.runs.index(second)]
        row = (target, FILLED, first, second, *_filled(apart), None, None, False)
        filled = pl.DataFrame([row], schema=schema, orient="row")
        return pl.concat([*(part.select(list(schema)) for part in parts), filled])

    def to_dict(self, level: float) -> dict[str, Any]:
        """Return the size of the sample, the evidence that counts, and all means, as JSON can store them."""
        means = [self.means(target, level=level) for target in TARGETS]
        return {
            "sampled": self.sampled,
            "documents": self.documents,
            "evidence": self.evidence,
            "means": pl.concat(means).to_dicts(),
        }

    def notices(self) -> list[tuple[str, Text]]:
        """Return what to know about the estimates: pairs of a code and a sentence."""
        notices = list(self.chosen.notices())
        if not self.has_noise:
            text = Text(
                "The judgments are unknown, so the intervals do not cover the noise of the sampled gains."
            )
            notices.append(("noise-unknown", text))
        if "predictions" in self.intervals and self.evidence == "people":
            text = Text(
                "The predictions would make the differences between the runs less certain, so the sampled "
                "judgments alone count."
            )
            notices.append(("predictions-left-out", text))
        return notices


def _width(intervals: SystemIntervals) -> float:
    """Return the mean width of the intervals, for these topics, of the differences between neighbouring runs.

    With a single run, it is the width of the interval of its mean. An interval that is unknown has width 0.
    """
    if len(intervals.runs) < 2:
        rows = intervals.means("these_topics")
    else:
        rows = pl.concat(intervals.difference(*pair, "these_topics") for pair in pairwise(intervals.runs))
    return float(np.mean((rows["high"] - rows["low"]).fill_null(0.0).to_numpy()))


def _filled(scores: FloatArray) -> tuple[int, float | None]:
    known = scores[~np.isnan(scores)]
    return len(known), mean_over_topics(known) if len(known) else None


def scores_of(samples: Mapping[str, SampledScores]) -> Scores:
    """Return the estimated scores in each topic, by the evidence to use for each measure.

    A score can be negative, or above the measure's range.
    """
    first, *_ = samples.values()
    values = np.stack([sample.chosen.observed for sample in samples.values()], axis=-1)
    return Scores(first.runs, first.topics, tuple(samples), values)
