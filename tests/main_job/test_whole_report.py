"""The report of a study over Cranfield: real topics, grades and rankings, judged by a simulated crowd."""

import csv
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from evaluation import analyses
from evaluation.crowds import CROWDS, draw_truth, simulate_study
from evaluation.files import read_runs
from evaluation.frames import Gains
from evaluation.report import PARTS, Parameters, ReportData, build_report, write_report
from judging.core.faults import Faults, Where
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.cranfield import read_cranfield_documents, read_cranfield_topics
from tests.main_job.rankings import write_runs

DEPTH = 10
LEVELS = {1: 3, 2: 3, 3: 2, 4: 1}
"""Cranfield's codes as grades: 1 is a complete answer, 4 is of minimum interest, and 5 is of none."""


def source(path: Path) -> SourceFile:
    return SourceFile(path, Where("this test"), "path", Faults())


@pytest.mark.long
def test_every_part_of_a_study_over_cranfield(collections: Path, tmp_path: Path) -> None:
    """The pools hold the first ten documents of each run; a document without a grade is not relevant."""
    cranfield = collections / "cranfield"
    documents = list(read_cranfield_documents(source(cranfield / "cran.all.1400")))
    queries = list(read_cranfield_topics(source(cranfield / "cran.qry")))[:40]
    runs = read_runs(write_runs(tmp_path, documents, queries))
    known = grades_of(cranfield / "cranqrel")
    pools = {query.number: pool_of(query.number, runs, known.get(query.number, {})) for query in queries}
    pools = {topic: pool for topic, pool in pools.items() if {"H", "N"} <= set(pool.values())}
    rng = np.random.default_rng(1400)
    truth = draw_truth(pools, CROWDS["typical"], rng)
    judgments = simulate_study(truth, CROWDS["typical"], rng, judgments_per_document=3).judgments
    grades = truth.grades()
    binary = Gains.from_checked(grades.table.with_columns((pl.col("gain") > 0).cast(pl.Float64)))
    choices = Parameters(resamples=100, document_resamples=50, draws=50, trials=50)
    comments = judgments.table.select("topic_id", "document_id", comment=pl.lit("A reason."))
    data = ReportData(
        "Cranfield", judgments, {"cranqrel": grades, "binary": binary}, runs, comments=comments, pay=0.2,
        parameters=choices,
    )  # fmt: skip
    report = build_report(data)
    assert {part.part.key: part.missing for part in report.finished if not part} == {}
    assert [part.part.key for part in report.finished] == [*PARTS]
    files = {path.name for path in write_report(report, tmp_path / "report")}
    assert {"index.html", "report.pdf", "simulated.svg", "scheme-means-1-1.tex"} <= files
    with (tmp_path / "report" / "tables" / "systems-agreement.csv").open(newline="") as file:
        taus = {(row["known"], row["measure"]): float(row["tau_b"]) for row in csv.DictReader(file)}
    known = {name: scores for of in data.known for name, scores in data.scores_by_known(of).items()}
    expected = analyses.system_agreement({"": data.judged_scores}, known)
    assert taus == {(row["known"], row["measure"]): row["tau_b"] for row in expected.iter_rows(named=True)}


def grades_of(path: Path) -> dict[str, dict[str, int]]:
    grades: dict[str, dict[str, int]] = {}
    for line in path.read_text().splitlines():
        topic, document, code = line.split()
        grades.setdefault(topic, {})[document] = LEVELS.get(int(code), 0)
    return grades


def pool_of(topic: str, runs: list, grades: dict[str, int]) -> dict[str, str]:
    """Return the documents in the pool of a topic with the letters of their grades."""
    pool: dict[str, str] = {}
    for run in runs:
        ranked = run.table.filter(pl.col("topic_id") == topic).sort("score", descending=True)
        for document in ranked["document_id"].head(DEPTH):
            pool[document] = "NMRH"[grades.get(document, 0)]
    return pool
