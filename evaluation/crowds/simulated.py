"""Simulate the judgments of a study: plan its units, draw its workers, and let them judge."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from ..arrays import FloatArray, IntArray
from ..compared import COMPARED_WITH
from ..errors import InputError
from ..frames import Judgments
from ..options import checked
from ..scales import DEFAULT, ScaleName, scale_named
from ..scales.scale import Scale
from ..showing import short_repr
from .model import LEAST_SECONDS, TRIES, Crowd
from .pages import Pages, Ring, SingleDocuments
from .truth import Truth
from .workers import INVERTING, MORE_CARE, Answer, BoolArray, Workers, draw_workers

_MOST_ROUNDS: Final = 1000


@short_repr
@dataclass(frozen=True, eq=False)
class SimulatedStudy:
    """The judgments of a simulated study, with its truth and its shares of failed and spam units.

    `judgments` has the columns `topic_id, unit_id, worker_id, document_id, relevance_score, gold`. `seconds`
    has the time of each judgment. `failed_units` is the share of units that failed a check when their worker
    first tried to finish. The two checks are the order of the anchors and the minimum time. If another worker
    takes over a unit, the unit is counted again. `spam_units` is the share of units that a spammer completed.
    """

    truth: Truth
    judgments: Judgments
    seconds: FloatArray
    failed_units: float
    spam_units: float


@checked
def simulate_study(
    truth: Truth,
    crowd: Crowd,
    rng: np.random.Generator,
    *,
    judgments_per_document: int = 10,
    unit_size: int = 8,
    workers: int | None = None,
    plan: IntArray | None = None,
    scale: ScaleName = DEFAULT,
) -> SimulatedStudy:
    """Return a study in which each document except the anchors gets `judgments_per_document` judgments.

    Each unit has the two anchors and `unit_size` − 2 other documents of one topic, in random order. No worker
    gets a topic twice. `workers` is the size of the crowd. By default, it is a third of the number of units,
    but at least 1.3 times the number of units of the largest topic. The same state of `rng` gives the same
    study.

    `plan` replaces the random plan. It has a row for each unit and `unit_size` − 2 columns. Its values are
    the indexes of the unit's documents in `truth`, or −1 for an empty place.

    `scale` is the scale on which the workers judge. Workers perceive documents in the same way on all scales.
    If the scale compares two documents, the documents of a unit form a ring: each is compared with the next
    one, and both anchors are neighbours.

    Raise `InputError` for a scale on which no crowd can be simulated, such as `"rating"`. Also raise it if
    `unit_size` is below 3 or `judgments_per_document` is below 1, if there are too few workers, or if the
    workers never say that the H anchor is more relevant than the N anchor.

    >>> from plumbline_ir.crowds import TYPICAL, draw_truth
    >>> rng = np.random.default_rng(1)
    >>> truth = draw_truth([{"N": 4, "M": 2, "R": 2, "H": 2, "": 4}], TYPICAL, rng)
    >>> study = simulate_study(truth, TYPICAL, rng)
    >>> study.judgments.table.height, study.judgments.table["document_id"].n_unique()
    (160, 14)
    """
    if unit_size < 3 or judgments_per_document < 1:
        raise InputError(
            "no-unit-to-simulate",
            "units of {size} documents with {judgments} judgments for each document cannot be simulated; "
            "give 3 or more documents and 1 or more judgments",
            size=unit_size,
            judgments=judgments_per_document,
        )
    others = plan_units(truth, judgments_per_document, unit_size - 2, rng) if plan is None else plan
    unit_topic = truth.topic[others[:, 0]]
    most = int(np.bincount(unit_topic).max())
    crowd_size = max(-(-13 * most // 10), len(others) // 3) if workers is None else workers
    if crowd_size < most:
        raise InputError(
            "too-few-simulated-workers",
            "{workers} workers are too few, because a topic has {units} units and no worker gets a topic "
            "twice; give {units} workers or more",
            workers=crowd_size,
            units=most,
        )
    documents = np.column_stack([truth.high[unit_topic], truth.low[unit_topic], others])
    simulation = _Simulation(
        truth, documents, unit_topic, draw_workers(crowd, crowd_size, rng), rng, scale_named(scale)
    )
    return simulation.study()


def plan_units(truth: Truth, judgments: int, places: int, rng: np.random.Generator) -> IntArray:
    """Return an array (units, places) with the documents of each unit. An empty place has the value −1.

    The array does not contain the anchors. Every other document occurs in `judgments` units of its topic, and
    never twice in the same unit.
    """
    is_anchor = np.isin(np.arange(len(truth.topic)), [*truth.high, *truth.low])
    parts = []
    for topic in range(len(truth.topics)):
        pool = np.flatnonzero((truth.topic == topic) & ~is_anchor)
        if not len(pool):
            continue
        units = -(-len(pool) // places)
        # In one round, each document is judged once. If the last unit of a round would have many empty
        # places, they are spread over all units of the round.
        order = np.arange(len(pool))
        filled = np.full((judgments, units * places), -1)
        shuffled = rng.permuted(np.tile(pool, (judgments, 1)), axis=1)
        filled[:, order // units + (order % units) * places] = shuffled
        parts.append(filled.reshape(-1, places))
    return np.concatenate(parts)


def _answers_on(scale: Scale) -> Answer:
    """Return the answers on a scale. Raise `InputError` if no crowd can be simulated on it."""
    if scale.answers is None:
        raise InputError(
            "scale-without-crowd",
            "no crowd can be simulated on the scale {scale}; choose another scale",
            scale=scale.name,
        )
    return scale.answers


class _Simulation:
    """The work on the units of a study. The first two columns of `documents` are the anchors H and N.

    A unit is done when its numbers say that H is more relevant than N and no document took less than the
    minimum time. Until then, the worker corrects the unit with more care, inverts the numbers, or gives up.
    Another worker replaces a worker who gives up or has used up all tries. If every worker has already had
    the topic, the same worker starts again.
    """

    def __init__(
        self,
        truth: Truth,
        documents: IntArray,
        unit_topic: IntArray,
        workers: Workers,
        rng: np.random.Generator,
        scale: Scale,
    ) -> None:
        self.truth, self.documents, self.unit_topic = truth, documents, unit_topic
        self.workers, self.rng, self.scale = workers, rng, scale
        self.answers = _answers_on(scale)
        self.pages: Pages = (Ring if scale.compares_pairs else SingleDocuments)(documents, rng)
        self.had = np.zeros((len(truth.topics), len(workers)), dtype=bool)
        self.worker = self._assigned()
        self.numbers, self.seconds = np.empty(documents.shape), np.empty(documents.shape)
        self.attempts = self.failures = 0

    def study(self) -> SimulatedStudy:
        """Let workers judge until every unit is done, and return the study."""
        level = np.where(self.documents >= 0, self.truth.level[self.documents], 0.0)
        size = self.documents.shape[1]
        progress, anchor = self.pages.position / max(size - 1, 1), np.arange(size) < 2
        open_, tries = np.arange(len(level)), np.zeros(len(level), dtype=int)
        for _round in range(_MOST_ROUNDS):
            if not open_.size:
                return self._result()
            first = tries[open_] == 0
            numbers, seconds = self.workers[self.worker[open_]].judge(
                level[open_],
                progress[open_],
                anchor,
                self.rng,
                care=MORE_CARE ** tries[open_],
                answers=self.answers,
                second=None if self.pages.second is None else self.pages.second[open_],
            )
            # Revising takes time as well, so only the first try can be too fast.
            seconds[~first] = np.maximum(seconds[~first], LEAST_SECONDS)
            fast = ((seconds < LEAST_SECONDS) & (self.documents[open_] >= 0)).any(axis=1)
            fails = ~self.pages.is_ordered(open_, numbers) | fast
            self.attempts += int(first.sum())
            self.failures += int((first & fails).sum())
            other_way = self.pages.turned(numbers)
            inverts = self._react(open_, fails, tries, other_way)
            numbers[inverts] = other_way[inverts]
            seconds[inverts] = np.maximum(seconds[inverts], LEAST_SECONDS)
            done = ~fails | inverts
            self.numbers[open_[done]], self.seconds[open_[done]] = numbers[done], seconds[done]
            open_ = open_[~done]
        raise InputError(
            "units-never-pass",
            "{units} units of topic {topic} never pass the checks, because the workers never give anchor H "
            "a larger number than anchor N; give the crowd a larger exponent or more noise",
            units=int((self.unit_topic == self.unit_topic[open_[0]])[open_].sum()),
            topic=self.truth.topics[self.unit_topic[open_[0]]],
        )

    def _react(self, open_: IntArray, fails: BoolArray, tries: IntArray, other_way: FloatArray) -> BoolArray:
        """Return which units pass because their workers invert the numbers, which gives `other_way`.

        Numbers are inverted by their ranks. If several of a unit are equal, H can get the same number as N,
        and then the unit does not pass. Replace workers who give up or have used up all tries.
        """
        mood, corrects = self.rng.random(len(open_)), self.workers.corrects[self.worker[open_]]
        inverts = fails & (mood >= 1 - INVERTING * (1 - corrects)) & self.pages.is_ordered(open_, other_way)
        tries[open_[fails]] += 1
        leaves = fails & ~inverts & ((mood >= corrects) | (tries[open_] >= TRIES))
        for unit in open_[leaves]:
            topic = self.unit_topic[unit]
            tries[unit] = 0
            # If everybody has had the topic, the same worker starts again.
            if (free := np.flatnonzero(~self.had[topic])).size:
                self.worker[unit] = free[self.rng.integers(free.size)]
                self.had[topic, self.worker[unit]] = True
        return inverts

    def _assigned(self) -> IntArray:
        """Return a randomly drawn worker for each unit. No worker gets two units of the same topic."""
        worker = np.empty(len(self.unit_topic), dtype=np.int64)
        for topic in range(len(self.truth.topics)):
            places = np.flatnonzero(self.unit_topic == topic)
            worker[places] = self.rng.permutation(len(self.workers))[: len(places)]
            self.had[topic, worker[places]] = True
        return worker

    def _result(self) -> SimulatedStudy:
        units, size = self.documents.shape
        order = np.argsort(self.pages.position, axis=1)
        marks = np.tile(np.array([1, 2, *[0] * (size - 2)]), (units, 1))
        parts = (self.documents, self.numbers, self.seconds, marks)
        document, number, seconds, mark = (np.take_along_axis(part, order, axis=1).ravel() for part in parts)
        present = document >= 0
        unit, document = np.repeat(np.arange(units), size)[present], document[present]
        columns = [
            _named("topic_id", self.truth.topics, self.truth.topic[document]),
            pl.Series("unit_id", np.arange(units)).cast(pl.String)[unit],
            pl.Series("worker_id", np.arange(len(self.workers))).cast(pl.String)[self.worker[unit]],
            _named("document_id", self.truth.documents, document),
            pl.Series("relevance_score", number[present]),
            _named("gold", ("", "H", "N"), mark[present]),
        ]
        if self.pages.second is not None:
            others = np.take_along_axis(self.documents, self.pages.second, axis=1)
            compared = np.take_along_axis(others, order, axis=1).ravel()[present]
            columns.append(_named(COMPARED_WITH, self.truth.documents, compared))
        return SimulatedStudy(
            self.truth,
            Judgments.from_checked(pl.DataFrame(columns)).on_scale(self.scale.name),
            seconds[present],
            self.failures / max(self.attempts, 1),
            float((~self.workers.reads[self.worker]).mean()),
        )


def _named(column: str, names: tuple[str, ...], index: IntArray) -> pl.Series:
    return pl.Series(column, names, dtype=pl.String)[index]
