"""Simulate the judgments of a study: plan its units, draw its workers, and let them judge."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from evaluation.arrays import FloatArray, IntArray
from evaluation.crowds.model import Crowd
from evaluation.crowds.rounding import favourite
from evaluation.crowds.truth import Truth
from evaluation.errors import InputError
from evaluation.frames import Judgments

Booleans = npt.NDArray[np.bool_]
TRIES: int = 3
"""How often a worker can try to finish a unit before it goes to another worker."""


@dataclass(frozen=True, eq=False)
class SimulatedStudy:
    """The judgments of a simulated study, and how it went.

    `judgments` has the columns `topic_id, unit_id, worker_id, document_id, relevance_score, gold`. `seconds`
    has one value for each judgment. `failed_units` is the share of attempts at units that failed the check of
    the anchors at least once, and `spam_units` is the share of completed units that a spammer judged.
    """

    truth: Truth
    judgments: Judgments
    seconds: FloatArray
    failed_units: float
    spam_units: float


def simulate_study(
    truth: Truth,
    crowd: Crowd,
    rng: np.random.Generator,
    *,
    judgments_per_document: int = 10,
    unit_size: int = 8,
    workers: int | None = None,
    plan: IntArray | None = None,
) -> SimulatedStudy:
    """Return a study in which each document that is no anchor gets `judgments_per_document` judgments.

    Each unit has the two anchors and `unit_size` − 2 other documents of one topic, in random order. No worker
    gets a topic twice. `workers` is the size of the crowd: by default, one worker for every 3 units, but not
    fewer than the largest topic has units. `plan` (units, unit_size − 2) replaces the random plan. It has the
    indexes in `truth` of the documents of each unit, or −1 for an empty place. The same state of `rng` gives
    the same study. Raise `InputError` for a `unit_size` below 3, for no judgments, and for too few workers.
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
    crowd_size = max(most, len(others) // 3) if workers is None else workers
    if crowd_size < most:
        raise InputError(
            "too-few-simulated-workers",
            "{workers} workers are too few, because a topic has {units} units and no worker gets a topic "
            "twice; give {units} workers or more",
            workers=crowd_size,
            units=most,
        )
    documents = np.column_stack([truth.high[unit_topic], truth.low[unit_topic], others])
    worker = _assign(unit_topic, crowd_size, rng)
    traits = _Workers.drawn(crowd, crowd_size, rng)
    typed, failed, spam, worker = _judged(truth, documents, worker, traits, crowd, rng)
    return _study(truth, documents, worker, typed, crowd, rng, failed, spam)


def plan_units(truth: Truth, judgments: int, places: int, rng: np.random.Generator) -> IntArray:
    """Return the documents of each unit (units, places), without the anchors; −1 is an empty place.

    Every document of a topic occurs in `judgments` units, and no unit has a document twice.
    """
    is_anchor = np.isin(np.arange(len(truth.topic)), [*truth.high, *truth.low])
    parts = []
    for topic in range(len(truth.topics)):
        pool = np.flatnonzero((truth.topic == topic) & ~is_anchor)
        for _ in range(judgments if len(pool) else 0):
            units = -(-len(pool) // places)
            filled = np.full(units * places, -1)
            # The last unit of a round can have empty places. They are spread over all units of the round.
            filled[np.arange(len(pool)) // units + (np.arange(len(pool)) % units) * places] = rng.permutation(
                pool
            )
            parts.append(filled.reshape(units, places))
    return np.concatenate(parts)


@dataclass(frozen=True, eq=False)
class _Workers:
    """The traits of each worker of a crowd."""

    location: FloatArray
    exponent: FloatArray
    noise: FloatArray
    taste: IntArray
    reads: Booleans
    corrects: FloatArray

    @classmethod
    def drawn(cls, crowd: Crowd, number: int, rng: np.random.Generator) -> "_Workers":
        shares = np.array(crowd.rounding)
        return cls(
            location=rng.normal(crowd.location, crowd.location_sigma, number),
            exponent=crowd.exponent * np.exp(rng.normal(0, crowd.exponent_sigma, number)),
            noise=crowd.noise * np.exp(rng.normal(0, crowd.noise_sigma, number)),
            taste=rng.choice(len(shares), size=number, p=shares / shares.sum()),
            reads=rng.random(number) >= crowd.spammers,
            corrects=np.full(number, crowd.corrections),
        )


def _assign(unit_topic: IntArray, workers: int, rng: np.random.Generator) -> IntArray:
    """Return a worker for each unit, so that no worker has two units of a topic."""
    worker = np.empty(len(unit_topic), dtype=np.int64)
    for topic in np.unique(unit_topic):
        places = np.flatnonzero(unit_topic == topic)
        worker[places] = rng.permutation(workers)[: len(places)]
    return worker


def _judged(
    truth: Truth,
    documents: IntArray,
    worker: IntArray,
    traits: _Workers,
    crowd: Crowd,
    rng: np.random.Generator,
) -> tuple[FloatArray, float, float, IntArray]:
    """Return the numbers of each unit, the shares of failed and of spam units, and who judged each unit.

    The first two columns of `documents` are the anchors. A unit is done when H has more than N. A worker who
    fails corrects the work with less noise, inverts the numbers, or gives the unit to another worker.
    """
    level = np.where(documents >= 0, truth.level[documents], 0.0)
    typed = np.empty(documents.shape)
    worker = worker.copy()
    open_, fresh = np.arange(len(documents)), np.ones(len(documents), dtype=bool)
    care = np.ones(len(documents))
    attempts, failures = 0, 0
    while open_.size:
        numbers = _numbers(level[open_], traits, worker[open_], care[open_], crowd, rng)
        fails = numbers[:, 0] <= numbers[:, 1]
        attempts += int(fresh[open_].sum())
        failures += int((fresh[open_] & fails).sum())
        typed[open_[~fails]] = numbers[~fails]
        again, wrong = open_[fails], numbers[fails]
        mood = rng.random(len(again))
        corrects = traits.reads[worker[again]] & (mood < traits.corrects[worker[again]])
        inverts = (
            ~corrects & (mood > 0.5 * (1 + traits.corrects[worker[again]])) & (wrong[:, 0] < wrong[:, 1])
        )
        inverts |= ~traits.reads[worker[again]] & (mood < 0.5) & (wrong[:, 0] < wrong[:, 1])
        typed[again[inverts]] = _reversed(wrong[inverts])
        leaves = ~corrects & ~inverts
        care[again[corrects]] *= 0.6
        fresh[again] = False
        replaced = again[leaves]
        worker[replaced] = _others(documents, worker, replaced, truth, len(traits.reads), rng)
        care[replaced], fresh[replaced] = 1.0, True
        open_ = again[~inverts]
    return typed, failures / max(attempts, 1), float((~traits.reads[worker]).mean()), worker


def _numbers(
    level: FloatArray,
    traits: _Workers,
    worker: IntArray,
    care: FloatArray,
    crowd: Crowd,
    rng: np.random.Generator,
) -> FloatArray:
    """Return the number that each worker types for each document of a unit (units, documents)."""
    shape = level.shape
    is_read = traits.reads[worker][:, None] & (rng.random(shape) >= crowd.lapses * care[:, None])
    seen = np.where(is_read, level, rng.normal(0.5, 0.6, shape))
    logs = (
        traits.location[worker][:, None]
        + traits.exponent[worker][:, None] * seen
        + rng.normal(size=shape) * (traits.noise[worker] * care)[:, None]
    )
    return favourite(np.exp(logs), np.broadcast_to(traits.taste[worker][:, None], shape))


def _reversed(numbers: FloatArray) -> FloatArray:
    """Return the numbers of each unit in reverse order: the largest replaces the smallest, and so on."""
    order = np.argsort(numbers, axis=1, kind="stable")
    result = np.empty_like(numbers)
    np.put_along_axis(result, order, np.take_along_axis(numbers, order[:, ::-1], axis=1), axis=1)
    return result


def _others(
    documents: IntArray,
    worker: IntArray,
    units: IntArray,
    truth: Truth,
    workers: int,
    rng: np.random.Generator,
) -> IntArray:
    """Return another worker for each of these units, who has no unit of its topic if there is one."""
    topic = truth.topic[documents[:, 0]]
    chosen = []
    for unit in units:
        free = np.setdiff1d(np.arange(workers), worker[topic == topic[unit]])
        chosen.append(rng.choice(free) if free.size else rng.integers(workers))
    return np.array(chosen, dtype=np.int64)


def _study(
    truth: Truth,
    documents: IntArray,
    worker: IntArray,
    typed: FloatArray,
    crowd: Crowd,
    rng: np.random.Generator,
    failed: float,
    spam: float,
) -> SimulatedStudy:
    units, size = documents.shape
    position = rng.permuted(np.tile(np.arange(size), (units, 1)), axis=1)
    slope = np.log(crowd.last_seconds / crowd.first_seconds) / max(size - 1, 1)
    seconds = crowd.first_seconds * np.exp(
        slope * position + rng.normal(0, crowd.seconds_sigma, documents.shape)
    )
    order = np.argsort(position, axis=1)
    rows = [np.take_along_axis(part, order, axis=1).ravel() for part in (documents, typed, seconds)]
    marks = np.tile(np.array(["H", "N", *[""] * (size - 2)]), (units, 1))
    gold = np.take_along_axis(marks, order, axis=1).ravel()
    present = rows[0] >= 0
    unit = np.repeat(np.arange(units), size)[present]
    document = rows[0][present]
    names = pl.Series("document_id", truth.documents, dtype=pl.String)
    topics = pl.Series("topic_id", truth.topics, dtype=pl.String)
    table = pl.DataFrame(
        [
            topics[truth.topic[document]],
            pl.Series("unit_id", unit).cast(pl.String),
            pl.Series("worker_id", worker[unit]).cast(pl.String),
            names[document],
            pl.Series("relevance_score", rows[1][present]),
            pl.Series("gold", gold[present], dtype=pl.String),
        ]
    )
    return SimulatedStudy(truth, Judgments.from_checked(table), rows[2][present], failed, spam)
