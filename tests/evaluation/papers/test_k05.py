"""The tables and figures of [K05], against printed values and plain loops."""

from dataclasses import replace
from itertools import product

import numpy as np
import polars as pl
import pytest
from scipy import stats

from evaluation.frames import Gains
from evaluation.papers import PAPERS, build_paper
from tests.evaluation.papers.by_hand import (
    gains_by_topic,
    graded_study,
    lists_of,
    own_and_ideal,
    tables_of,
    weights_of,
)
from tests.evaluation.report_study import study_of_everything

PRINTED = [1, 0.83, 0.87, 0.78, 0.71, 0.69, 0.73, 0.77, 0.83, 0.81]
"""nDCG′ of the worked example."""
WEIGHTS = {"w1": "0-1-1-1", "w3": "0-1-2-3", "w10": "0-1-5-10", "w100": "0-1-10-100"}


@pytest.fixture(scope="module")
def report():
    return build_paper(graded_study(), "K05")


def test_every_item_has_content(report):
    assert [finished.part.key for finished in report.finished] == [item.key for item in PAPERS["K05"].items]
    for finished in report.finished:
        assert finished, finished.part.key
        assert finished.missing == (), finished.part.key


def test_example_has_the_printed_values(report):
    table = tables_of(report)["example"]
    by_formula, in_paper = (row[2:] for row in table.rows() if row[0] == "nDCG′")
    assert np.array(by_formula) == pytest.approx(PRINTED, abs=0.005001)
    assert in_paper == tuple(PRINTED)


def precision(data, name, run, cutoff):
    """Return the mean precision of a run over the topics with a relevant document."""
    lists, results = lists_of(run), []
    for topic, gains in gains_by_topic(data.known[name]).items():
        if any(gains.values()):
            relevant = sum(gains.get(document, 0) > 0 for document in lists[topic][:cutoff])
            results.append(relevant / cutoff)
    return np.mean(results)


def tau(x, y):
    """Return τ_b of two rankings, or None if one of them ties all runs."""
    value = stats.kendalltau(np.round(x, 12), np.round(y, 12)).statistic
    return None if np.isnan(value) else pytest.approx(value)


def assert_taus(table, means):
    """Assert that the matrix has τ_b of each pair of the named means."""
    assert table["ranking"].to_list() == table.columns[1:]
    for row in table.iter_rows(named=True):
        for name in table.columns[1:]:
            assert row[name] == tau(means[row["ranking"]], means[name]), (row["ranking"], name)


def test_table_3_compares_two_sets_of_judgments(report):
    data = graded_study()
    table = tables_of(report)["table-3-1-2"]
    means = {
        f"P@{cutoff}, {name}": [precision(data, name, run, cutoff) for run in data.runs]
        for name, cutoff in product(data.known, (10, 100, 1000))
    }
    assert table.columns[1:] == list(means)
    assert_taus(table, means)
    assert table["P@10, binary"][0] not in (None, 1.0)


def test_table_3_covers_the_topics_that_both_sets_have():
    data = graded_study()
    some = data.known["binary"].table.filter(pl.col("topic_id") < "t05")
    known = {"grades": data.known["grades"], "binary": Gains.from_checked(some)}
    table = tables_of(build_paper(replace(data, known=known), "K05", only=["table-3"]))["table-3-1-2"]
    few = {
        name: Gains.from_checked(gains.table.filter(pl.col("topic_id") < "t05"))
        for name, gains in known.items()
    }
    means = {
        f"P@{cutoff}, {name}": [precision(replace(data, known=few), name, run, cutoff) for run in data.runs]
        for name, cutoff in product(known, (10, 100, 1000))
    }
    assert_taus(table, means)


def test_sets_without_a_common_topic_have_no_table_3():
    data = graded_study()
    parts = [
        Gains.from_checked(data.known["grades"].table.filter((pl.col("topic_id") < "t05") == is_early))
        for is_early in (True, False)
    ]
    known = dict(zip(("early", "late"), parts, strict=True))
    (finished,) = build_paper(replace(data, known=known), "K05", only=["table-3"]).finished
    assert not finished
    assert len(finished.missing) == 1


def test_figure_1a_is_precision(report):
    data = graded_study()
    (drawn,) = (drawn for finished in report.finished for drawn in finished.content.figures)
    table = drawn.figure.table
    assert table["scheme"].unique(maintain_order=True).to_list() == list(data.known)
    for name, run in product(data.known, data.runs):
        part = table.filter(scheme=name, run=run.tag)
        expected = [precision(data, name, run, cutoff) for cutoff in range(1, 101)]
        assert part["value"].to_list() == pytest.approx(expected)


def mean_of(data, measure, weights, cutoff):
    """Return the mean of each run by CG, DCG or nDCG. The cut-off is a rank or "R"."""
    by_topic = gains_by_topic(data.known["grades"], weights_of(weights))
    with_gain = [sum(gain > 0 for gain in gains.values()) for gains in by_topic.values()]
    ranks = [cutoff if cutoff != "R" else relevant for relevant in with_gain if relevant]
    results = []
    for run in data.runs:
        curves = own_and_ideal(run, by_topic, max(ranks), discounted=measure != "CG")
        values = [
            own[rank - 1] / ideal[rank - 1] if measure == "nDCG" else own[rank - 1]
            for (own, ideal), rank in zip(curves, ranks, strict=True)
        ]
        results.append(np.mean(values))
    return results


def test_tables_4_to_6_correlate_measures_and_weights(report):
    data, tables = graded_study(), tables_of(report)
    p = {
        f"P@{cutoff}": [precision(data, "grades", run, cutoff) for run in data.runs]
        for cutoff in (10, 100, 1000)
    }
    graded = {
        f"{measure} {label} @{cutoff}": mean_of(data, measure, weights, cutoff)
        for measure, (label, weights), cutoff in product(("CG", "DCG", "nDCG"), WEIGHTS.items(), (10, 100))
    }
    means = p | graded
    for measure in ("CG", "DCG", "nDCG"):
        table = tables[f"tables-4-6-1-{measure.lower()}"]
        assert table.columns[1:] == [*p, *(name for name in graded if name.startswith(f"{measure} "))]
        assert_taus(table, means)
    for cutoff in (10, 100):
        table = tables[f"tables-4-6-1-{cutoff}"]
        assert table.columns[1:] == [name for name in means if name.endswith(f"@{cutoff}")]
        assert_taus(table, means)
    every = tables["tables-4-6-1"]
    assert every.select("ranking", "other_ranking").rows() == list(product(means, repeat=2))
    assert every["tau_b"].to_list() == [tau(means[a], means[b]) for a, b in product(means, repeat=2)]
    at_r = {f"nDCG {label} @R": mean_of(data, "nDCG", weights, "R") for label, weights in WEIGHTS.items()}
    assert tables["tables-4-6-1-r"].columns[1:] == [*p, *at_r]
    assert_taus(tables["tables-4-6-1-r"], p | at_r)


def test_crowds_gains_have_no_weights(report):
    names = tables_of(report)["tables-4-6-judgments"].columns[1:]
    measures = product(("CG", "DCG", "nDCG"), (10, 100))
    assert names == [f"{measure} magnitudes @{cutoff}" for measure, cutoff in measures]
    alone = build_paper(replace(graded_study(), known={}, is_random=True), "K05", only=["tables-4-6"])
    assert not alone.finished[0]


@pytest.mark.parametrize("lack", ["runs", "known", "both", "levels"])
def test_a_study_that_lacks_something_has_a_reason(lack):
    study = study_of_everything()
    known = {"runs": study.known, "levels": {"binary": study.known["binary"]}}.get(lack, {})
    runs = () if lack in ("runs", "both") else study.runs
    report = build_paper(replace(study, known=known, runs=runs), "K05")
    for finished in report.finished:
        assert finished or finished.missing, finished.part.key
    assert any(finished.missing for finished in report.finished)
