"""A study with everything that a report can be about, made by a simulated crowd."""

from decimal import Decimal
from typing import Final

import numpy as np
import polars as pl

from evaluation.crowds import CROWDS, Truth, draw_truth, simulate_study
from evaluation.frames import Gains
from evaluation.report import Input, Machine, Parameters, ReportData
from evaluation.runs import Run

FEW: Final = Parameters(
    seed=7, resamples=40, document_resamples=20, worker_resamples=20, draws=10, trials=10, systems=10
)
"""So few draws that the whole report takes seconds."""
MACHINE: Final = Machine(
    name="gauge",
    model="example-model-1",
    prompt="magnitude",
    version="2",
    prompt_sha256="0" * 64,
    temperature=0.0,
    seed=7,
    first_call="2026-11-02",
    units_planned=12,
    units=12,
    units_left=0,
    sittings=3,
    screened_out=0,
    documents=80,
    checks={"practice": (3, 0), "question": (12, 1), "anchors": (12, 2)},
    faults={"refused": 1, "unparsable": 4, "failed": 0},
    calls=130,
    input_tokens=90_000,
    output_tokens=7_000,
    money=Decimal("0.16"),
    seconds=410.5,
    order=(20, 3, 1),
)
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
        machines=[MACHINE],
        labels={MACHINE.name: labels_of_model(truth, rng)},
        families={"run1": MACHINE.name},
        documents=truth.table.select("topic_id", "document_id", length=pl.int_range(pl.len()) % 5),
    )


def labels_of_model(truth: Truth, rng: np.random.Generator) -> Gains:
    return Gains.from_checked(
        truth.table.select(
            "topic_id", "document_id", gain=np.exp(truth.level + rng.normal(size=len(truth.level)))
        )
    )


def noisy_run(tag: str, truth: Truth, noise: float, rng: np.random.Generator) -> Run:
    scores = truth.level + noise * rng.normal(size=len(truth.level))
    return Run.from_columns(tag, truth.table["topic_id"], truth.table["document_id"], scores)
