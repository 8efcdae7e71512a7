"""Simulated systems, put together from lists whose top documents all have a grade [T15].

Such systems help if few grades are known. A sub-run is one run's list for one topic. A sub-run is complete if
its documents down to rank `depth` all have a grade. Only topics with two or more complete sub-runs are used.
A simulated system has one complete sub-run for each of these topics.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import IntArray
from ..conventions import Ties
from ..errors import InputError
from ..frames import Gains
from ..measures import Measure, parse
from ..options import checked
from ..ranking import rank
from ..runs import Run
from ..score_table import Scores
from ..showing import short_repr


@short_repr
@dataclass(frozen=True, eq=False)
class SimulatedSystems:
    """Simulated systems, each with one sub-run for each topic.

    `picks` (systems, topics) has, for each sub-run, the index of its run in `runs`. `complete` has the number
    of complete sub-runs of each topic. Complete sub-runs are graded down to rank `depth`.
    """

    names: tuple[str, ...]
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    complete: tuple[int, ...]
    picks: IntArray
    depth: int

    def scores(self, scores: Scores) -> Scores:
        """Return the scores of the simulated systems, taken from the runs' `scores` in each topic.

        `scores` can be computed from any gains, not only from the grades. The values are copied, not computed
        again, so each ideal list still contains the topic's whole recall base. Raise `InputError` for scores
        of other runs, if a topic is missing, and for a measure that uses documents below rank `depth`.
        """
        if scores.runs != self.runs or not set(self.topics) <= set(scores.topics):
            raise InputError(
                "scores-of-other-runs",
                "the scores and the simulated systems cover different runs, or the scores do not "
                "cover every topic; score the same runs in all topics",
            )
        for name in scores.measures:
            self.refuse_below_depth(parse(name))
        places = [scores.topics.index(topic) for topic in self.topics]
        return Scores(self.names, self.topics, scores.measures, scores.values[self.picks, places])

    def uses_only_graded(self, measure: Measure) -> bool:
        """Return whether a measure uses no documents below rank `depth`, which may have no grade."""
        return measure.last_rank is not None and measure.last_rank <= self.depth

    def refuse_below_depth(self, measure: Measure) -> None:
        """Raise `InputError` for a measure that uses documents below rank `depth`."""
        if not self.uses_only_graded(measure):
            raise InputError(
                "measure-below-depth",
                "{measure} uses documents below rank {depth}, which may have no grade; give the measure "
                "a cut-off of {depth} or less",
                measure=str(measure),
                depth=self.depth,
            )


@checked
def simulate_systems(
    grades: Gains,
    runs: Sequence[Run],
    *,
    rng: np.random.Generator,
    systems: int = 100,
    depth: int = 10,
    ties: Ties = "trec_eval",
) -> SimulatedSystems:
    """Return simulated systems whose sub-runs are drawn uniformly and independently of each other.

    `systems` is the number of simulated systems. `grades` has the known grades of documents. The same state
    of `rng` gives the same systems. Raise `InputError` for fewer than one system, for a `depth` below 1, and
    if no topic has two complete sub-runs.
    """
    if systems < 1:
        raise InputError(
            "too-few-simulated-systems", "systems={systems} is too small; give 1 or more", systems=systems
        )
    if depth < 1:
        raise InputError("depth-too-small", "depth is {depth}; give 1 or more ranks", depth=depth)
    lists = rank(grades, runs, ties=ties).lists
    graded = np.bincount(lists.cell[lists.rank <= depth], minlength=lists.length.size)
    complete = graded.reshape(lists.shape) == depth
    usable_topics = np.flatnonzero(complete.sum(axis=0) >= 2)
    if not usable_topics.size:
        raise InputError(
            "no-complete-lists",
            "no topic has two lists that are graded down to rank {depth}; choose a smaller depth",
            depth=depth,
        )
    choices = [np.flatnonzero(complete[:, topic]) for topic in usable_topics]
    picks = np.stack([rng.choice(choice, size=systems) for choice in choices], axis=1)
    digits = len(str(systems))
    return SimulatedSystems(
        names=tuple(f"simulated-{number:0{digits}}" for number in range(1, systems + 1)),
        runs=lists.runs,
        topics=tuple(lists.topics[topic] for topic in usable_topics),
        complete=tuple(len(choice) for choice in choices),
        picks=picks.astype(np.int64),
        depth=depth,
    )
