"""Our side of the benchmark of `evaluation`: each class reads the collection once, and works when asked."""

from dataclasses import replace
from itertools import cycle
from pathlib import Path

import numpy as np

from evaluation.files import read_gains, read_runs
from evaluation.frames import Gains
from evaluation.measures import RankedLists, parse
from evaluation.ranking import rank
from tests.benchmarks.evaluation_peers import Means, runs_in
from tests.benchmarks.evaluation_sizes import MEASURES


class Ranking:
    """Rows of gains and runs → ranked lists → every measure."""

    def __init__(self, folder: Path, runs: int | None = None, topics: int | None = None) -> None:
        """The first so many runs and topics, or all."""
        gains = read_gains(folder / "qrels")
        kept = gains.table["topic_id"].unique().sort().head(topics or len(gains.table)).implode()
        self.gains = Gains(gains.table.filter(gains.table["topic_id"].is_in(kept)))
        read = read_runs([str(path) for path in runs_in(folder)[:runs]])
        self.runs = [run.replaced(table=run.table.filter(run.table["topic_id"].is_in(kept))) for run in read]

    def work(self) -> Means:
        return measured(rank(self.gains, self.runs).lists)


class NewLists(Ranking):
    """Ranked lists that nothing has been computed from yet → every measure."""

    def __init__(self, folder: Path, runs: int | None = None, topics: int | None = None) -> None:
        super().__init__(folder, runs, topics)
        self.lists = rank(self.gains, self.runs).lists
        measured(self.lists)

    def work(self) -> Means:
        # A copy that has forgotten whatever was worked out from it before.
        return measured(replace(self.lists, _known={}, _entries={}))


class PreparedLists(NewLists):
    """The same lists scored again, each time with new gains for the documents that have any."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        rng = np.random.default_rng(1)
        gain = self.lists.gain
        self.others = cycle([gain * rng.uniform(0.5, 2, len(gain)) for _ in range(3)])

    def work(self) -> Means:
        return measured(self.lists.with_gains(next(self.others)))


def measured(lists: RankedLists) -> Means:
    """The mean of every measure over the topics."""
    means = {name: parse(name).values(lists).mean(axis=1) for name in MEASURES}
    return {(run, name): means[name][place] for place, run in enumerate(lists.runs) for name in MEASURES}
