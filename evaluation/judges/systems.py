"""How runs are ranked if labels replace people, or help them, and which runs labels favour."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..comparison.correlation import tau_b
from ..comparison.item_resampling import percentiles, resampled_items
from ..comparison.report import Comparison, compare
from ..comparison.topset import overlap
from ..distances.ratings import Ratings
from ..errors import InputError, shown
from ..frames import Gains
from ..runs import Runs
from ..sampling.chances import Sampling
from ..sources import Source
from .pairing import Drawing

SYSTEMS: Final = {
    "judge": pl.String,
    "evidence": pl.String,
    "runs": pl.Int64,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "overlap": pl.Float64,
    "best": pl.String,
    "width": pl.Float64,
    "used": pl.Boolean,
}
FAVOUR: Final = {
    "judge": pl.String,
    "runs": pl.Int64,
    "topics": pl.Int64,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}
LABELS: Final = "labels"
BOTH: Final = "both"


class Rankings:
    """The comparison of the runs by people, and by the labels of each judge."""

    def __init__(
        self,
        people: Source,
        labels: Mapping[str, Ratings],
        runs: Runs,
        measure: str,
        drawing: Drawing,
        sampling: Sampling | None,
        **of_gains: Any,
    ) -> None:
        self._compare = partial(
            compare, runs=runs, measures=[measure], level=drawing.level, seed=drawing.seed
        )
        given = dict(of_gains)
        if sampling is not None:
            given |= {"inclusion": sampling.inclusion, "design": sampling.design}
        self.drawing = drawing
        self.people = self._compare(people, **given)
        self.alone = {name: self._compare(_gains_of(name, ratings)) for name, ratings in labels.items()}
        self.both = {
            name: self._compare(people, predictions=[ratings], **given)
            for name, ratings in labels.items()
            if sampling is not None
        }

    def systems_table(self) -> pl.DataFrame:
        """Return the columns of `SYSTEMS`, with a row for each judge and kind of evidence.

        `value` is Kendall's τ_b between the means of the runs by people and by the other evidence, and
        `overlap` the share of runs in both top sets. `best` is the best run by the other evidence. The
        evidence `labels` has labels in the place of people. If only a sample of the documents was judged, the
        evidence `both` has the judgments of people with the labels as predictions. Then `width` is the width
        of the intervals with the labels, as a share of that without them, and `used` is false if labels that
        make the intervals wider are left out.
        """
        rows = []
        for name, alone in self.alone.items():
            rows.append((name, LABELS, *self._beside_people(alone), None, None))
            if name in self.both:
                sample = self.both[name].result().sample
                used = None if sample is None else sample.evidence == "predictions"
                width = None if sample is None else sample.relative_width
                rows.append((name, BOTH, *self._beside_people(self.both[name]), width, used))
        return pl.DataFrame(rows, schema=SYSTEMS, orient="row")

    def favour_table(self, families: Mapping[str, str]) -> pl.DataFrame:
        """Return the columns of `FAVOUR`: by how much a judge favours the runs of its own family.

        `families` maps runs to the judges whose family they belong to. The labels in the place of people
        change the score of a run in a topic by some amount. `value` is this amount for the judge's own `runs`
        minus the amount for all other runs, as a mean over the topics. A judge without runs of its own, or
        without other runs, has no row. Raise `InputError` for runs and judges that there are not.
        """
        known = self.people.scores.runs
        for run, judge in families.items():
            if run not in known or judge not in self.alone:
                raise InputError(
                    "family-unknown",
                    "there is no run {run} or no judge {judge}; the judges are {judges}",
                    run=shown(run),
                    judge=shown(judge),
                    judges=", ".join(map(shown, self.alone)),
                )
        rows = []
        for judge, alone in self.alone.items():
            own = np.array([families.get(run) == judge for run in known])
            if own.all() or not own.any():
                continue
            people, labels, topics = _common(self.people, alone)
            shift = labels - people
            apart = shift[own].mean(axis=0) - shift[~own].mean(axis=0)
            value = self.drawing.mean(apart[None])
            rows.append((judge, int(own.sum()), len(topics), *value))
        return pl.DataFrame(rows, schema=FAVOUR, orient="row")

    def _beside_people(self, other: Comparison) -> tuple[object, ...]:
        ours, theirs = self.people.result(), other.result()
        both = ours.table.select("run", "mean").join(theirs.table.select("run", other="mean"), on="run")
        value = tau_b(both["mean"], both["other"])
        tops = ours.top_set, theirs.top_set
        shared = overlap(*tops) if all(tops) else None
        return both.height, value, *self._bounds(other, value), shared, theirs.best

    def _bounds(self, other: Comparison, value: float | None) -> tuple[float | None, float | None]:
        """Return the interval of τ_b from samples of the topics that both comparisons have."""
        people, labels, topics = _common(self.people, other)
        if value is None or len(topics) < 2:
            return None, None

        def taus(counts: FloatArray) -> FloatArray:
            means = [counts @ scores.T for scores in (people, labels)]
            found = [tau_b(*pair) for pair in zip(*means, strict=True)]
            return np.array([np.nan if tau is None else tau for tau in found])

        rng = np.random.default_rng(self.drawing.seed)
        return percentiles(
            resampled_items(len(topics), rng, self.drawing.resamples, taus), self.drawing.level
        )


def _gains_of(judge: str, labels: Ratings) -> Gains:
    """Return labels as gains. Raise `InputError` if one is negative."""
    table = labels.table
    if (table["score"] < 0).any():
        raise InputError(
            "labels-negative",
            "the judge {judge} has negative labels, and runs cannot be scored with these; leave them out",
            judge=shown(judge),
        )
    return Gains.from_columns(table["topic_id"], table["document_id"], table["score"])


def _common(one: Comparison, other: Comparison) -> tuple[FloatArray, FloatArray, list[str]]:
    """Return the scores of both (runs, topics), over the topics in which every run has both scores."""
    topics = [topic for topic in one.scores.topics if topic in set(other.scores.topics)]
    values = []
    for scores in (one.scores, other.scores):
        places = [scores.topics.index(topic) for topic in topics]
        runs = [scores.runs.index(run) for run in one.scores.runs]
        values.append(scores.values[runs][:, places, 0])
    known = np.flatnonzero(~np.isnan(np.array(values)).any(axis=(0, 1)))
    return values[0][:, known], values[1][:, known], [topics[place] for place in known]
