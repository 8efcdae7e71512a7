"""What would change the answer: the best run and the ranking under other choices than those of the study."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple, cast

import numpy as np
import polars as pl

from ..comparison.correlation import tau_b
from ..comparison.topset import best_first, top_set
from ..conventions import Statistic
from ..errors import InputError
from ..frames import Gains, Judgments
from ..magnitudes import gains, normalise
from ..magnitudes.document_gains import statistic_of
from ..magnitudes.normalisation import WITH_ANCHORS, Method, methods_of
from ..measures import lower_is_better
from ..options import checked
from ..runs import Run
from ..scales import scale_of
from ..score_table import Scores
from ..scores import score

FURTHER: Final = ("nDCG@5", "nDCG@20", 'RBP(p=0.8, gain="linear", gmax="topic")')
"""The measures to try besides those that are given."""
SLOW: Final = ("model",)
"""The methods and statistics that are left out, because they fit a model."""
CHANGES: Final = {
    "changed": pl.String,
    "choice": pl.String,
    "best": pl.String,
    "same_best": pl.Boolean,
    "tau_b": pl.Float64,
    "top_set": pl.Int64,
    "topics": pl.Int64,
}


class _Change(NamedTuple):
    """A choice, what it changes, and the scores of the runs by one measure under it."""

    changed: str
    choice: str
    scores: Scores


@checked
def sensitivity(
    judgments: Judgments,
    runs: Sequence[Run],
    measures: Sequence[str],
    *,
    method: Method | None = None,
    statistic: Statistic | None = None,
    known: Mapping[str, Gains] | None = None,
    flagged: Collection[str] = (),
    alpha: float = 0.05,
) -> pl.DataFrame:
    """Rank the runs under other choices than those of a study, one change at a time.

    The first row has the study's own choices: its `method` of normalisation, its `statistic`, and the first
    of the `measures`. The others change one of these: the normalisation, the statistic, the measure, how
    unjudged documents count, the judgments (the known grades, or without the workers in `flagged`), and the
    topics (without the one topic whose absence changes the ranking most). Methods that need anchors or fit a
    model are left out if there are none, and always. Every mean is the mean of the scores as they are.

    The columns are `changed, choice, best, same_best, tau_b, top_set, topics`. `best` is the best run and
    `tau_b` Kendall's τ_b between the ranking and that of the first row, over the runs that have a mean in
    both; it is null if all runs are tied. `top_set` is the number of runs that Wilcoxon's test, adjusted by
    Holm's method for all pairs, cannot tell from the best run. A choice under which no run has a score is
    left out. Raise `InputError` in the same cases as `score`, and if no run has a score under the study's own
    choices.
    """
    statistic = statistic_of(judgments, statistic)
    changes = _changes(judgments, runs, measures, method, statistic, known or {}, flagged)
    rows, own = [], None
    for change in changes:
        means = _means(change.scores)
        own = means if own is None else own
        lowest = lower_is_better(change.scores.measures[0])
        order = best_first(change.scores.runs, change.scores.values[..., 0], lowest=lowest)
        if not order:
            continue
        best = change.scores.runs[order[0]]
        tops = top_set(
            change.scores.runs, change.scores.values[..., 0], alpha=alpha, correction="holm", lowest=lowest
        )
        rows.append(
            (change.changed, change.choice, best, _tau(own, means), len(tops), len(change.scores.topics))
        )
    names = [name for name in CHANGES if name != "same_best"]
    table = pl.DataFrame(rows, schema={name: CHANGES[name] for name in names}, orient="row")
    return table.with_columns(same_best=pl.col("best") == pl.col("best").first()).select(*CHANGES)


def _changes(
    judgments: Judgments,
    runs: Sequence[Run],
    measures: Sequence[str],
    method: Method | None,
    statistic: Statistic,
    known: Mapping[str, Gains],
    flagged: Collection[str],
) -> Iterator[_Change]:
    first, *others = measures
    scale = scale_of(judgments)
    default, *_ = methods_of(scale)
    own_method: Method = method or default
    own = _gains(judgments, own_method, statistic)
    of_study = score(own, runs, first)
    yield _Change("nothing", "the study’s own", of_study)
    for other in methods_of(scale):
        if other not in (own_method, *SLOW) and (judgments.has_anchors or other not in WITH_ANCHORS):
            make = partial(_gains, judgments, other, statistic)
            yield from _tried("normalisation", other, make, runs, first)
    for name in cast("tuple[Statistic, ...]", scale.statistics):
        if name not in (statistic, *SLOW):
            yield from _tried("statistic", name, partial(_gains, judgments, own_method, name), runs, first)
    for measure in dict.fromkeys((*others, *FURTHER)):
        if measure != first:
            yield from _tried("measure", measure, lambda: own, runs, measure)
    yield _Change("unjudged documents", "left out", score(own, runs, first, unjudged="drop"))
    for set_name, grades in known.items():
        yield from _tried("judgments", set_name, partial(Gains, grades), runs, first)
    if flagged and "worker_id" in judgments.table.columns:
        kept = ~judgments.table["worker_id"].is_in(list(flagged))
        rest = Judgments.from_checked(judgments.table.filter(kept)).on_scale(judgments.scale)
        make = partial(_gains, rest, own_method, statistic)
        yield from _tried("judgments", "without flagged workers", make, runs, first)
    yield from _without_a_topic(of_study)


@checked
def _gains(judgments: Judgments, method: Method, statistic: Statistic) -> Gains:
    return gains(judgments, normalise(judgments, method), statistic)


def _tried(
    changed: str, choice: str, make: Callable[[], Gains], runs: Sequence[Run], measure: str
) -> Iterator[_Change]:
    """Yield a change, unless the library refuses to compute it for these judgments."""
    try:
        yield _Change(changed, choice, score(make(), runs, measure))
    except InputError:
        return


def _without_a_topic(scores: Scores) -> Iterator[_Change]:
    """Yield the change that leaves out the topic whose absence changes the ranking most."""
    if len(scores.topics) < 3:
        return
    own = _means(scores)
    taus = []
    for place in range(len(scores.topics)):
        tau = _tau(own, _means(_only(scores, place)))
        taus.append((1.0 if tau is None else tau, place))
    _, place = min(taus)
    yield _Change("topics", f"without {scores.topics[place]}", _only(scores, place))


def _only(scores: Scores, left_out: int) -> Scores:
    """Return the scores without one topic."""
    topics = tuple(topic for place, topic in enumerate(scores.topics) if place != left_out)
    return Scores(scores.runs, topics, scores.measures, np.delete(scores.values, left_out, axis=1))


def _means(scores: Scores) -> dict[str, float]:
    return {row.run: np.nan if row.value is None else row.value for row in scores.means()}


def _tau(one: Mapping[str, float], other: Mapping[str, float]) -> float | None:
    return tau_b(list(one.values()), [other[run] for run in one])
