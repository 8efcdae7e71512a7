"""How much a ranking of systems depends on which workers happened to judge [T15].

Each draw picks one normalised magnitude for each document as its gain, and ranks the systems by a measure
computed from these gains. This ranking is compared with a fixed ranking.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Final

import numpy as np

from ..arguments import refuse_few_runs
from ..arrays import FloatArray, IntArray
from ..conventions import Ties
from ..errors import InputError
from ..frames import Gains, Judgments
from ..magnitudes.document_gains import KEYS, gains
from ..magnitudes.groups import Groups, Sorted
from ..measures import Measure, RankedLists, parse
from ..measures.many_gains import values_of_many
from ..options import checked
from ..ranking import rank
from ..runs import Run
from ..showing import short_repr
from .results import levels_of_rows
from .simulated import SimulatedSystems

_CHUNK: Final = 250
"""The number of draws that are scored together.

Each chunk has its own random generator, so the result does not depend on the number of processes.
"""

Progress = Callable[[int, int], None]
"""A function that is called with the number of finished draws and the total number of draws."""


@short_repr
@dataclass(frozen=True, eq=False)
class Resampled:
    """The result of `resample`: `reference` (runs,), `means` (draws, runs) and `taus` (draws,).

    `reference` has the runs' means in the fixed ranking, and `means` has the runs' means in each draw. `taus`
    has the correlation of each draw with the fixed ranking. A τ is NaN if all systems are tied in the draw or
    in the fixed ranking.
    """

    measure: str
    runs: tuple[str, ...]
    reference: FloatArray
    means: FloatArray
    taus: FloatArray


@checked
def resample(
    judgments: Judgments,
    normalized: FloatArray,
    runs: Sequence[Run],
    measure: str | Measure,
    *,
    rng: np.random.Generator,
    reference: Gains | None = None,
    simulated: SimulatedSystems | None = None,
    times: int = 1000,
    ties: Ties = "trec_eval",
    processes: int = 1,
    progress: Progress | None = None,
) -> Resampled:
    """Rank the runs by randomly drawn magnitudes, and compare the ranking of each draw with a fixed ranking.

    `normalized` has a normalised magnitude for each judgment. There are `times` draws. Each draw picks one of
    these magnitudes for each document, and ranks the runs by `measure`. Kendall's τ_b compares this ranking
    with the fixed ranking. The fixed ranking uses the gains in `reference`, such as known grades. Without
    `reference`, it uses the median magnitude of each document. Means cover the topics for which there are
    both fixed gains and magnitudes. As in `score`, topics without a value are left out. With `simulated`,
    these systems are ranked instead of the runs, in those of their topics that have both. The same state of
    `rng` gives the same result for any number of `processes`. A script that uses several processes must keep
    its calls under `if __name__ == "__main__"`, as multiprocessing requires.

    Raise `InputError` for fewer than two runs, for fewer than one draw, and if the reference and the
    judgments have no topic in common. Also raise `InputError` if `rank` or the measure does so, for simulated
    systems of other runs, and for a measure that uses documents below their depth.
    """
    refuse_few_runs(len(runs))
    if times < 1:
        raise InputError("too-few-draws", "times={times} is too small; give 1 or more draws", times=times)
    parsed = measure if isinstance(measure, Measure) else parse(measure)
    medians = gains(judgments, normalized)
    lists = rank(medians, runs, ties=ties).lists
    truth = lists if reference is None else rank(reference, runs, ties=ties).lists
    shared = sorted(set(lists.topics) & set(truth.topics))
    names, picks = lists.runs, np.arange(len(lists.runs))[:, None]
    if simulated is not None:
        _refuse_misfit(simulated, lists, parsed)
        shared = [topic for topic in simulated.topics if topic in shared]
        names, picks = simulated.names, simulated.picks[:, [simulated.topics.index(name) for name in shared]]
    if not shared:
        raise InputError(
            "reference-of-other-topics",
            "the reference and the magnitudes have no topic in common; use a reference for the same topics",
        )
    places, places_in_truth = ([ranked.topics.index(topic) for topic in shared] for ranked in (lists, truth))
    fixed = _means(parsed.values(truth)[None, picks, places_in_truth])[0]
    documents = Groups.by(judgments.table, KEYS)
    in_order = documents.sorted(normalized)
    order = judgments.table.select(KEYS)[documents.row].with_row_index("group").sort(KEYS)["group"].to_numpy()
    # The documents are now in the same order as in `lists`.
    magnitudes = Sorted(in_order.values, in_order.starts[order], in_order.sizes[order])
    sizes = [min(_CHUNK, times - start) for start in range(0, times, _CHUNK)]
    chunks = [
        _Chunk(parsed, lists, picks, places, magnitudes, generator, size)
        for generator, size in zip(rng.spawn(len(sizes)), sizes, strict=True)
    ]
    means = np.concatenate(_means_of(chunks, processes, progress))
    return Resampled(str(parsed), names, fixed, means, taus_with(fixed, means))


def _refuse_misfit(simulated: SimulatedSystems, lists: RankedLists, measure: Measure) -> None:
    if simulated.runs != lists.runs:
        raise InputError(
            "systems-of-other-runs",
            "the simulated systems come from other runs; simulate systems from the runs that you give",
        )
    simulated.refuse_below_depth(measure)


def taus_with(fixed: FloatArray, means: FloatArray) -> FloatArray:
    """Return Kendall's τ_b between each row of `means` (rows, systems) and the ranking `fixed` (systems,).

    The result is NaN where τ_b is undefined. The results equal those of `tau_b`, but all rows are computed at
    once.
    """
    truth = levels_of_rows(fixed[None])[0]
    best_first = np.argsort(-truth)
    truth = truth[best_first]
    # With systems as rows, one step compares a system with all systems below it. Ranks fit into 32 bits.
    others = np.ascontiguousarray(levels_of_rows(means).astype(np.int32)[:, best_first].T)
    agreeing, untied = np.zeros((2, len(means)), dtype=np.int64)
    for place, level in enumerate(truth):
        rest = others[place + 1 :]
        above = np.count_nonzero(others[place] > rest, axis=0)
        below = np.count_nonzero(others[place] < rest, axis=0)
        untied += above + below
        # The next rows have the systems that the fixed ranking ties with this system.
        tied = np.searchsorted(-truth, -level, side="right") - place - 1
        agreeing += above - below
        agreeing -= np.sign(others[place] - rest[:tied]).sum(axis=0)
    pairs = untied * float(np.count_nonzero(truth[:, None] != truth) // 2)
    with np.errstate(invalid="ignore"):
        taus: FloatArray = agreeing / np.sqrt(np.where(pairs > 0, pairs, np.nan))
    return taus


@dataclass(frozen=True, eq=False)
class _Chunk:
    measure: Measure
    lists: RankedLists
    picks: IntArray
    topics: list[int]
    magnitudes: Sorted
    generator: np.random.Generator
    number: int

    def compute_means(self) -> FloatArray:
        """Return each system's mean over topics, for each draw (draws, systems)."""
        batch = values_of_many(self.measure, self.lists)
        return _means(batch(self._drawn())[:, self.picks, self.topics])

    def _drawn(self) -> FloatArray:
        """Return the magnitude drawn for each document in each draw (draws, documents)."""
        groups = self.magnitudes
        places = (self.generator.random((self.number, len(groups.sizes))) * groups.sizes).astype(np.int64)
        drawn: FloatArray = groups.values[groups.starts + places]
        return drawn


def _means(values: FloatArray) -> FloatArray:
    """Return the means (draws, runs) of values (draws, runs, topics), over the topics with a value."""
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means: FloatArray = np.where(known, values, 0.0).sum(axis=-1) / known.sum(axis=-1)
    return means


def _means_of(chunks: list[_Chunk], processes: int, progress: Progress | None) -> list[FloatArray]:
    means: list[FloatArray] = []
    total = sum(chunk.number for chunk in chunks)
    if processes > 1:
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
            for part in pool.map(_Chunk.compute_means, chunks):
                means.append(part)
                _report(progress, means, total)
        return means
    for chunk in chunks:
        means.append(chunk.compute_means())
        _report(progress, means, total)
    return means


def _report(progress: Progress | None, means: list[FloatArray], total: int) -> None:
    if progress is not None:
        progress(sum(map(len, means)), total)
