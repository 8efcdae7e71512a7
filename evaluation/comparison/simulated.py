"""Simulated systems for sparse known grades [T15], assembled from lists that are fully graded.

A sub-run is one run's list for one topic. It is complete if its first documents all have a grade. Topics with
two or more complete sub-runs are kept. A simulated system has, for each kept topic, one of its complete
sub-runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.arrays import IntArray
from evaluation.errors import InputError
from evaluation.frames import Gains, Run, Scores
from evaluation.measures import parse
from evaluation.ranking import Ties, rank


@dataclass(frozen=True, eq=False)
class SimulatedSystems:
    """Simulated systems: `picks` (systems, kept topics) are places in `runs`.

    `complete` counts the complete sub-runs of each topic, which are graded down to rank `depth`.
    """

    names: tuple[str, ...]
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    complete: tuple[int, ...]
    picks: IntArray
    depth: int

    def scores(self, scores: Scores) -> Scores:
        """Return the scores of the simulated systems, from per-topic scores of the runs by any gains.

        Ideal lists come from the whole recall base, as they did for the runs. Raise `InputError` for scores
        of other runs or without one of the topics, and for a measure that looks below `depth`.
        """
        if scores.runs != self.runs or not set(self.topics) <= set(scores.topics):
            raise InputError(
                "scores-of-other-runs",
                "the scores have other runs, or a topic is missing; score the same runs in all topics",
            )
        for name in scores.measures:
            if (parse(name).cutoff or self.depth + 1) > self.depth:
                raise InputError(
                    "measure-below-depth",
                    "{measure} uses documents below rank {depth}, which may have no grade; give it a cut-off "
                    "of {depth} or less",
                    measure=name,
                    depth=self.depth,
                )
        places = [scores.topics.index(topic) for topic in self.topics]
        return Scores(self.names, self.topics, scores.measures, scores.values[self.picks, places])


def simulate_systems(
    grades: Gains,
    runs: Sequence[Run],
    *,
    rng: np.random.Generator,
    systems: int = 100,
    depth: int = 10,
    ties: Ties = "trec_eval",
) -> SimulatedSystems:
    """Draw `systems` simulated systems; each sub-run is drawn uniformly and independently of the others.

    `grades` are the documents with a known grade. The same state of `rng` gives the same systems. Raise
    `InputError` if no topic has two complete sub-runs.
    """
    if systems < 1:
        raise InputError("too-few-simulated-systems", "systems is {systems}; give 1 or more", systems=systems)
    if depth < 1:
        raise InputError("depth-too-small", "depth is {depth}; give 1 or more ranks", depth=depth)
    lists = rank(grades, runs, ties=ties).lists
    graded = np.bincount(lists.cell[lists.rank <= depth], minlength=lists.length.size)
    complete = graded.reshape(lists.shape) == depth
    kept = np.flatnonzero(complete.sum(axis=0) >= 2)
    if not kept.size:
        raise InputError(
            "no-complete-lists",
            "no topic has two lists that are graded down to rank {depth}; choose a smaller depth",
            depth=depth,
        )
    choices = [np.flatnonzero(complete[:, topic]) for topic in kept]
    picks = np.stack([rng.choice(choice, size=systems) for choice in choices], axis=1)
    digits = len(str(systems))
    return SimulatedSystems(
        names=tuple(f"simulated-{number:0{digits}}" for number in range(1, systems + 1)),
        runs=lists.runs,
        topics=tuple(lists.topics[topic] for topic in kept),
        complete=tuple(len(choice) for choice in choices),
        picks=picks.astype(np.int64),
        depth=depth,
    )
