"""The tables and figures of [JK02], against printed values and plain loops."""

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import polars as pl
import pytest
from scipy import stats

from evaluation.frames import Gains
from evaluation.papers import PAPERS, build_paper
from evaluation.papers.jk02.of_judgments import with_totals
from tests.evaluation.papers.by_hand import (
    gains_by_topic,
    graded_study,
    own_and_ideal,
    tables_of,
    weights_of,
)
from tests.evaluation.report_study import study_of_everything

FIGURES = ("figure-1", "figure-2", "figure-3", "figure-4")
PRINTED = {
    "G′": [3, 2, 3, 0, 0, 1, 2, 2, 3, 0],
    "CG′": [3, 5, 8, 8, 8, 9, 11, 13, 16, 16],
    "DCG′": [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61],
    "I′": [3, 3, 3, 2, 2, 2, 1, 1, 1, 1],
    "CG′I": [3, 6, 9, 11, 13, 15, 16, 17, 18, 19],
    "DCG′I": [3, 6, 7.89, 8.89, 9.75, 10.53, 10.88, 11.22, 11.53, 11.83],
    "nCG′": [1, 0.83, 0.89, 0.73, 0.62, 0.6, 0.69, 0.76, 0.89, 0.84],
}
"""As in the paper, except for DCG′I at the ranks 6 and 8, where it has 10.52 and 11.21."""


@pytest.fixture(scope="module")
def report():
    return build_paper(graded_study(), "JK02")


def drawn_of(report):
    """Return the figures of a report by their keys."""
    return {drawn.key: drawn for finished in report.finished for drawn in finished.content.figures}


def test_every_item_has_content(report):
    assert [finished.part.key for finished in report.finished] == [item.key for item in PAPERS["JK02"].items]
    for finished in report.finished:
        assert finished, finished.part.key
        assert finished.missing == (), finished.part.key
    assert drawn_of(report).keys() == {*FIGURES, *(f"{key}-judgments" for key in FIGURES)}


def test_example_has_the_printed_values(report):
    table = tables_of(report)["example"]
    by_formula = table.filter(pl.col("from") == "formula").drop("from")
    assert by_formula["vector"].to_list() == list(PRINTED)
    for name, *values in by_formula.rows():
        assert np.array(values) == pytest.approx(PRINTED[name], abs=0.005001), name
    in_paper = table.filter(pl.col("from") == "paper").drop("from")
    differing = [
        (name, rank)
        for name, *values in in_paper.rows()
        for rank, (value, correct) in enumerate(zip(values, PRINTED[name], strict=True), start=1)
        if value != correct
    ]
    assert differing == [("DCG′I", 6), ("DCG′I", 8)]


def test_table_1_has_the_printed_share():
    """Of 2,772 documents that TREC calls relevant, 691 are not relevant on four levels: 25 %."""
    documents = [str(place) for place in range(2772)]
    grades = Gains.from_columns(["t"] * 2772, documents, [0] * 691 + [2] * 2081)
    binary = Gains.from_columns(["t"] * 2772, documents, [1] * 2772)
    table = with_totals(grades, binary)
    first, last = table.row(0, named=True), table.row(-1, named=True)
    assert (first["relevant"], round(first["relevant_%"])) == (691, 25)
    assert (last["relevant"], last["irrelevant"], last["total"]) == (2772, 0, 2772)
    assert last["irrelevant_%"] is None


def test_table_1_counts_documents(report):
    data = graded_study()
    graded, binary = (gains_by_topic(gains) for gains in data.known.values())
    pairs = [
        (graded[topic][document], binary[topic][document]) for topic in graded for document in graded[topic]
    ]
    table = tables_of(report)["table-1-1-2"]
    assert table["level"].to_list() == ["N", "M", "R", "H", "total"]
    counted = {"relevant": (1.0,), "irrelevant": (0.0,), "total": (0.0, 1.0)}
    for (column, sides), grade in product(counted.items(), range(4)):
        of_side = [first for first, second in pairs if second in sides]
        row = table.row(grade, named=True)
        assert row[column] == of_side.count(grade)
        assert row[f"{column}_%"] == pytest.approx(100 * of_side.count(grade) / len(of_side))
        assert table.row(-1, named=True)[column] == len(of_side)


@pytest.mark.parametrize("key", FIGURES)
@pytest.mark.parametrize("by", ["grades", "judgments"])
def test_figures_have_the_curves_of_plain_loops(report, key, by):
    data = graded_study()
    discounted, is_ratio = key in ("figure-2", "figure-4"), key in ("figure-3", "figure-4")
    table = drawn_of(report)[key if by == "grades" else f"{key}-judgments"].figure.table
    if by == "grades":
        gains = {scheme: gains_by_topic(data.known["grades"], weights_of(scheme)) for scheme in SCHEMES[:2]}
    else:
        gains = {"magnitudes": gains_by_topic(data.gains)}
    assert table["scheme"].unique(maintain_order=True).to_list() == list(gains)
    for (scheme, by_topic), run in product(gains.items(), data.runs):
        own, ideal = (
            np.mean(part, axis=0)
            for part in zip(*own_and_ideal(run, by_topic, 100, discounted=discounted), strict=True)
        )
        part = table.filter(scheme=scheme, run=run.tag)
        assert part["rank"].to_list() == list(range(1, 101))
        assert part["value"].to_numpy() == pytest.approx(own / ideal if is_ratio else own)
        assert part["ideal"].to_numpy() == pytest.approx(np.ones(100) if is_ratio else ideal)


@pytest.mark.parametrize("key", FIGURES)
def test_tables_of_figures_repeat_the_curves_at_some_ranks(report, key):
    drawn, table = drawn_of(report)[key].figure.table, tables_of(report)[f"{key}-at-ranks"]
    runs = [run.tag for run in graded_study().runs]
    with_ideal = [*runs, "ideal"] if key in ("figure-1", "figure-2") else runs
    assert table.select("scheme", "run").rows() == list(product(SCHEMES[:2], with_ideal))
    for row in table.iter_rows(named=True):
        curve = drawn.filter(scheme=row["scheme"], run=row["run"] if row["run"] in runs else runs[0])
        for rank in ("1", "5", "10", "20", "50", "100"):
            column = "value" if row["run"] in runs else "ideal"
            assert row[rank] == curve.filter(rank=int(rank))[column].item()


SCHEMES = ("0-1-1-1", "0-1-10-100", "0-0-0-1")


def averages(data, scheme, *, discounted):
    """Return AnCG@200 or AnDCG@200 of each run (runs, topics)."""
    by_topic = gains_by_topic(data.known["grades"], weights_of(scheme))
    return np.array(
        [
            [
                np.mean(np.array(own) / np.array(ideal))
                for own, ideal in own_and_ideal(run, by_topic, 200, discounted=discounted)
            ]
            for run in data.runs
        ]
    )


def p_of_pairs(values):
    """Return Conover's p of each pair after Friedman's test, by the formulas of his book."""
    ranks = np.apply_along_axis(stats.rankdata, 0, values.round(12)).T
    n, k = ranks.shape
    sums, squares = ranks.sum(axis=0), (ranks**2).sum()
    spread = np.sqrt(2 * (n * squares - (sums**2).sum()) / ((n - 1) * (k - 1)))
    apart = np.abs(sums[:, None] - sums[None, :])
    return 2 * stats.t.sf(apart / spread, (n - 1) * (k - 1)), sums


@pytest.mark.parametrize(("place", "discounted"), [(1, False), (2, True)])
def test_table_2_has_means_and_stars(report, place, discounted):
    data = graded_study()
    table = tables_of(report)[f"table-2-1-{place}"]
    columns = [column for scheme in SCHEMES for column in (scheme, f"better_than_{scheme}")]
    assert table.columns == ["letter", "run", *columns]
    assert table["run"].to_list()[:-1] == [run.tag for run in data.runs]
    marked = set()
    for scheme in SCHEMES:
        values = averages(data, scheme, discounted=discounted)
        assert table[scheme].to_numpy()[:-1] == pytest.approx(values.mean(axis=1))
        assert stats.friedmanchisquare(*values).pvalue < 0.05
        p, sums = p_of_pairs(values)
        for run, marks in enumerate(table[f"better_than_{scheme}"].to_list()[:-1]):
            worse = [other for other in range(6) if sums[other] < sums[run] and p[run, other] < 0.05]
            expected = [f"{'abcdef'[other]}{'**' if p[run, other] < 0.01 else '*'}" for other in worse]
            assert marks == " ".join(expected)
            marked |= {mark[1:] for mark in expected}
    assert marked == {"*", "**"}


def test_differences_reach_the_criteria(report):
    data = graded_study()
    table = tables_of(report)["table-2-1-differences"]
    rows = iter(table.rows())
    for scheme, (measure, discounted) in product(SCHEMES, {"nCG": False, "nDCG": True}.items()):
        means = averages(data, scheme, discounted=discounted).mean(axis=1)
        for one, other in combinations(range(6), 2):
            better, worse = (one, other) if means[one] >= means[other] else (other, one)
            percent = 100 * (means[better] - means[worse]) / means[worse]
            assert next(rows) == (
                *(measure, scheme, f"r{better}", f"r{worse}"),
                pytest.approx(means[better] - means[worse]),
                pytest.approx(percent),
                "10 %" if percent >= 10 else "5 %" if percent >= 5 else "",
            )
    assert next(rows, None) is None
    assert table["reaches"].n_unique() == 3


def test_crowds_gains_take_the_place_of_grades():
    data = replace(graded_study(), known={})
    report = build_paper(data, "JK02")
    made = {finished.part.key for finished in report.finished if finished}
    assert made == {"example", *FIGURES, "table-2"}
    assert tables_of(report)["table-2-0-1"].columns == [
        "letter",
        "run",
        "magnitudes",
        "better_than_magnitudes",
    ]


def test_nothing_is_said_of_runs_by_random_judgments():
    report = build_paper(replace(graded_study(), is_random=True), "JK02", only=["table-2"])
    assert [key for key in tables_of(report) if key.startswith("table-2-0")] == []


@pytest.mark.parametrize("lack", ["runs", "known", "both", "levels", "binary"])
def test_a_study_that_lacks_something_has_a_reason(lack):
    study = study_of_everything()
    known = {"runs": study.known, "levels": {"binary": study.known["binary"]}}.get(lack, {})
    if lack == "binary":
        known = {"grades": study.known["grades"], "same": study.known["grades"]}
    runs = () if lack in ("runs", "both") else study.runs
    report = build_paper(replace(study, known=known, runs=runs), "JK02")
    for finished in report.finished:
        assert finished or finished.missing, finished.part.key
    assert any(finished.missing for finished in report.finished)


def test_a_scheme_without_gain_is_left_out():
    study = study_of_everything()
    grades = study.known["grades"]
    capped = Gains.from_checked(grades.table.with_columns(pl.col("gain").clip(upper_bound=2.0)))
    report = build_paper(replace(study, known={"grades": capped}), "JK02", only=["table-2"])
    (finished,) = report.finished
    assert len(finished.missing) == 1
    assert [c for c in tables_of(report)["table-2-1-1"].columns if c in SCHEMES] == list(SCHEMES[:2])
