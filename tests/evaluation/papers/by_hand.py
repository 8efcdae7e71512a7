"""What the tests of [JK02] and [K05] share: a study with graded runs, and cumulated gain in plain loops."""

import math
from functools import cache

import numpy as np
import polars as pl

from evaluation.frames import Gains, Judgments
from evaluation.report import ReportData
from tests.evaluation.analysed import simulated
from tests.evaluation.report_study import FEW


@cache
def graded_study() -> ReportData:
    """Return a study of twelve topics, with six runs, grades, and binary judgments that differ from them."""
    gains, runs = simulated()
    rng = np.random.default_rng(5)
    table = gains.table
    is_wrong = rng.random(len(table)) < 0.2
    binary = ((table["gain"].to_numpy() > 0) != is_wrong).astype(float)
    topics, documents = table["topic_id"], table["document_id"]
    magnitudes = np.exp(table["gain"].to_numpy() + rng.normal(0, 0.3, len(table)))
    judgments = Judgments.from_columns(topics, "u" + topics, documents, magnitudes)
    known = {"grades": gains, "binary": Gains.from_columns(topics, documents, binary)}
    return ReportData("Graded", judgments, known, runs, parameters=FEW)


def lists_of(run) -> dict[str, list[str]]:
    """Return the run's documents by topic, the best first. No scores are tied."""
    ordered = run.table.sort("score", descending=True)
    return {topic: rows["document_id"].to_list() for (topic,), rows in ordered.group_by("topic_id")}


def gains_by_topic(gains: Gains, weights: dict[float, float] | None = None) -> dict[str, dict[str, float]]:
    """Return the gains of the documents by topic. `weights` maps grades to gains."""
    results: dict[str, dict[str, float]] = {}
    for topic, document, gain in gains.table.select("topic_id", "document_id", "gain").iter_rows():
        results.setdefault(topic, {})[document] = gain if weights is None else weights[gain]
    return results


def weights_of(scheme: str) -> dict[float, float]:
    """Return the gain of each grade under a scheme such as 0-1-10-100."""
    return {float(grade): float(gain) for grade, gain in enumerate(scheme.split("-"))}


def cumulated(gains: list[float], depth: int, *, discounted: bool) -> list[float]:
    """Return CG or DCG at each rank down to `depth`, with log₂ from rank 2 on."""
    total, results = 0.0, []
    for rank in range(1, depth + 1):
        gain = gains[rank - 1] if rank <= len(gains) else 0.0
        total += gain / math.log2(rank) if discounted and rank > 2 else gain
        results.append(total)
    return results


def own_and_ideal(run, by_topic, depth: int, *, discounted: bool) -> list[tuple[list[float], list[float]]]:
    """Return, for each topic with a gain, the cumulated gains of the run and of the ideal list."""
    lists, results = lists_of(run), []
    for topic, gains in by_topic.items():
        if any(gains.values()):
            own = [gains.get(document, 0.0) for document in lists[topic]]
            ideal = sorted(gains.values(), reverse=True)
            results.append(
                (
                    cumulated(own, depth, discounted=discounted),
                    cumulated(ideal, depth, discounted=discounted),
                )
            )
    return results


def tables_of(report) -> dict[str, pl.DataFrame]:
    """Return the tables of a report by their keys."""
    return {numbers.key: numbers.table for finished in report.finished for numbers in finished.content.tables}
