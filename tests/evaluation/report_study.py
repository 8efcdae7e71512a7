"""A study with everything that a report can be about, made by a simulated crowd."""

from typing import Final

import numpy as np
import polars as pl

from evaluation.crowds import CROWDS, Truth, draw_truth, simulate_study
from evaluation.frames import Gains
from evaluation.report import Input, Parameters, ReportData
from evaluation.runs import Run

FEW: Final = Parameters(
    seed=7, resamples=40, document_resamples=20, worker_resamples=20, draws=10, trials=10, systems=10
)
"""So few draws that the whole report takes seconds."""
QUICK: Final = ("topics", "order-agreement", "systems")


def study_of_everything() -> ReportData:
    """Five topics, judged by a simulated crowd, with grades, binary judgments and three runs."""
    rng = np.random.default_rng(3)
    truth = draw_truth([{"N": 8, "M": 3, "R": 3, "H": 2}] * 5, CROWDS["typical"], rng)
    judgments = simulate_study(truth, CROWDS["typical"], rng, judgments_per_document=3).judgments
    grades = truth.grades()
    binary = Gains.from_checked(grades.table.with_columns((pl.col("gain") > 0).cast(pl.Float64)))
    return ReportData(
        "A study",
        judgments,
        {"grades": grades, "binary": binary},
        [noisy_run(f"run{noise}", truth, noise, rng) for noise in (1, 2, 4)],
        comments=judgments.table.select("topic_id", "document_id", comment=pl.lit("What <I> & you want.")),
        pay=0.2,
        currency="USD",
        inputs=[Input("judgments.csv", "judgments", len(judgments.table), "0" * 64)],
        parameters=FEW,
    )


def noisy_run(tag: str, truth: Truth, noise: float, rng: np.random.Generator) -> Run:
    scores = truth.level + noise * rng.normal(size=len(truth.level))
    return Run.from_columns(tag, truth.table["topic_id"], truth.table["document_id"], scores)
