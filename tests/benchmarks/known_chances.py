"""Simulate adaptive studies whose batches are drawn with known chances."""

from dataclasses import replace
from itertools import count

import numpy as np
import polars as pl

from evaluation.allocation import Decision, Settings, decide
from evaluation.allocation.uncertainty import variance_factor
from evaluation.arrays import BoolArray, FloatArray, IntArray
from evaluation.crowds import Crowd, Truth, simulate_study
from evaluation.frames import Judgments
from evaluation.runs import Run
from tests.benchmarks.adapting import PILOT

KEYS = ["topic_id", "document_id"]
OTHERS, BATCH, HALF = 6, 180, 900
"""The documents of a unit besides the anchors, and the units of a batch and of half a complete study."""
SETTINGS = Settings(units=BATCH, level=0.999, top_level=0.999, draws=20, top_draws=1)
"""These levels are so high that the rule never stops a study before half the cost."""
STEPS = 60
"""In this number of steps, the expected numbers of a batch grow. After each one, the weights are computed."""


def known_chances(
    truth: Truth, crowd: Crowd, runs: list[Run], seed: int, rng: np.random.Generator
) -> tuple[Judgments, list[FloatArray]]:
    """Return a study with known chances, and the expected number of judgments of each document in each batch.

    The documents are sorted by topic and id.
    """
    places = {row: place for place, row in enumerate(truth.table.iter_rows())}
    judgments = simulate_study(truth, crowd, rng, judgments_per_document=PILOT).judgments
    expected: list[FloatArray] = []
    for batch in count(1):
        if judgments.table["unit_id"].n_unique() >= HALF:
            return judgments, expected
        decision = decide(judgments, runs, replace(SETTINGS, units=1), seed=seed, batch=batch)
        keys, is_other = documents_of(judgments)
        wanted = _expected(decision, is_other)
        units, drawn_with = draw_batch(keys["topic_id"].rank("dense").to_numpy().astype(int) - 1, wanted, rng)
        expected.append(drawn_with)
        names = keys.rows()
        plan = np.array([[places[names[document]] for document in unit] for unit in units])
        further = simulate_study(truth, crowd, rng, plan=plan).judgments.table.with_columns(
            pl.concat_str(pl.lit(f"{batch}-"), name).alias(name) for name in ("unit_id", "worker_id")
        )
        judgments = Judgments.from_checked(pl.concat([judgments.table, further]))
    raise AssertionError


def _expected(decision: Decision, is_other: BoolArray) -> FloatArray:
    """Return how many judgments of each document the next batch has on average."""
    table = decision.documents
    number, need = table["judgments"].to_numpy(), table["need"].to_numpy()
    result, equal = np.zeros(len(number)), is_other / is_other.sum()
    for _ in range(STEPS):
        now, then = (variance_factor(number + result + more, "median") for more in (0, 1))
        weight = np.where(is_other, need * (now - then) / variance_factor(number, "median"), 0.0)
        share = weight / weight.sum() if weight.any() else equal
        share = (1 - SETTINGS.explore) * share + SETTINGS.explore * equal
        result += share * BATCH * OTHERS / STEPS
    return result


def draw_batch(topic: IntArray, wanted: FloatArray, rng: np.random.Generator) -> tuple[IntArray, FloatArray]:
    """Draw units, and return them with the expected number of each document, given the units of each topic.

    First the number of units of each topic is drawn, then the number of judgments of each document, both by
    systematic sampling. A document is at most once in a unit.
    """
    units_of = _systematic(np.bincount(topic, wanted) / OTHERS, rng)
    rows, expected = [], np.zeros(len(wanted))
    for number, units in enumerate(units_of):
        documents = np.flatnonzero((topic == number) & (wanted > 0))
        if not units:
            continue
        mean = wanted[documents] * units * OTHERS / wanted[documents].sum()
        while (mean > units + 1e-9).any():
            is_full = mean >= units - 1e-9
            mean[is_full] = units
            mean[~is_full] *= (units * OTHERS - mean[is_full].sum()) / mean[~is_full].sum()
        expected[documents] = mean
        dealt = np.repeat(documents, _systematic(mean, rng))
        # Judgments of a document are next to each other, so they are dealt to different units.
        rows += [dealt[unit::units] for unit in range(units)]
    return np.array(rows), expected


def _systematic(mean: FloatArray, rng: np.random.Generator) -> IntArray:
    """Return whole numbers with these means, each rounded down or up. Their sum is the rounded sum."""
    order = rng.permutation(len(mean))
    ends = np.cumsum(mean[order])
    ends[-1] = np.rint(ends[-1])
    result = np.empty(len(mean), dtype=np.int64)
    start = rng.random()
    result[order] = np.diff(np.floor(np.concatenate([[0.0], ends]) + start)).astype(int)
    return result


def documents_of(judgments: Judgments) -> tuple[pl.DataFrame, BoolArray]:
    """Return the judged documents, sorted, and for each whether it is not an anchor."""
    table = judgments.table.group_by(KEYS).agg((pl.col("gold") == "").all().alias("other")).sort(KEYS)
    return table.select(KEYS), table["other"].to_numpy()
