"""Pages show exactly the numbers that the library computes from the exported files."""

import re
import statistics
from html import unescape
from typing import Any

import numpy as np
import polars as pl
import pytest
from django.test import Client

from evaluation import analyses, figures
from evaluation.comparison import (
    STATISTICS,
    SystemIntervals,
    system_intervals,
    t_interval,
    wilcoxon,
)
from evaluation.comparison.report import compare
from evaluation.magnitudes import intervals
from evaluation.report import Parameters
from evaluation.scores import score
from judging.models import Report, ReportKind
from judging.understanding.reports import drawing
from judging.understanding.reports.catalogue import FIGURES
from tests.understanding.conftest import Exported
from tests.understanding.reading import base, csv_of, make, numbers, states_of_figures, tables_in, text_of

MEASURES = ["nDCG@10", 'ERR(gmax="topic")@10', "P(rel=2)@5"]
WORKER_RESAMPLES = Parameters().worker_resamples
WHISKERS = {"low": "whisker_low", "high": "whisker_high"}
LETTERS = {0.0: "N", 1.0: "M", 2.0: "R", 3.0: "H", None: "U"}
pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_documents_with_interval_number_grade_and_spread(exported: Exported, console: Client) -> None:
    study = exported.study
    assert make(study, ReportKind.DOCUMENTS).state == "done"
    rng = np.random.default_rng(study.seed)
    wanted = {
        (row["topic_id"], row["document_id"]): row
        for row in intervals(exported.judgments, exported.normalised, rng).iter_rows(named=True)
    }
    grades = {(topic, document): grade for topic, document, grade in exported.grades.table.iter_rows()}
    magnitudes = exported.judgments.table.with_columns(value=exported.normalised)
    seen = set()
    for topic in sorted({topic for topic, _ in wanted}):
        (rows,) = tables_in(text_of(console, f"{base(study)}documents/?topic={topic}"))
        for document, grade, _, count, _, *cells in rows:
            found, key = numbers(cells, slice(None)), (topic, document)
            row = wanted[key]
            values = magnitudes.filter(topic_id=topic, document_id=document)["value"].to_numpy()
            assert found[:3] == [row["gain"], row["low"], row["high"]]
            assert int(count) == row["judgments"] == len(values)
            assert found[3] == row["high"] - row["low"]
            assert found[4] == pytest.approx(np.exp(np.log(values).std()), rel=1e-12)
            assert found[5:] == [values.min(), values.max()]
            assert grade == LETTERS[grades[key]]
            seen.add(key)
    assert seen == wanted.keys()


def test_one_document_with_every_magnitude_raw_and_normalised(exported: Exported, console: Client) -> None:
    study = exported.study
    make(study, ReportKind.DOCUMENTS)
    rows = exported.rows.with_columns(value=exported.normalised).filter(topic_id="2")
    document = rows["document_id"][0]
    (shown,) = tables_in(text_of(console, f"{base(study)}document/?topic=2&id={document}"))
    mine = rows.filter(document_id=document).sort("unit_id")
    assert len(shown) == len(mine) > 5
    for cells, row in zip(shown, mine.iter_rows(named=True), strict=True):
        unit, worker, normalised, said, typed, magnitude, place, seconds, _ = cells
        assert (unit, worker, int(place) - 1) == (row["unit_id"], row["worker_id"], int(row["doc_pos"]))
        assert (typed, said) == (row["raw_input"], row["comment"])
        assert magnitude == float(row["relevance_score"])
        assert normalised == row["value"] == float(row["normalized_relevance_score"])
        assert float(seconds) == pytest.approx(float(row["cumulative_time"]), abs=0.051)


def grade_tables(exported: Exported) -> dict[str, pl.DataFrame]:
    """Return key of a table of the report `grades` → rows that the library computes."""
    medians, grades, judgments = exported.medians, exported.grades, exported.judgments
    ratios = analyses.unit_ratios(judgments)
    cells = analyses.pairwise_agreement(medians, grades)
    profile = analyses.gain_profile(judgments, grades)
    alphas = analyses.worker_agreement(judgments, exported.normalised).rename({"raw": "alpha_as_given"})
    words = {"false": "without", "true": "with"}
    of_grades = {
        "boxes": analyses.boxes(medians, grades).rename(WHISKERS),
        "boxes-by-topic": analyses.boxes(medians, grades, by_topic=True).rename(WHISKERS),
        "profile": profile.with_columns(pl.col("anchors").cast(pl.String).replace(words)).rename(WHISKERS),
        "adjacent": pl.concat(
            analyses.adjacent_grades(medians, grades, **choice)
            for choice in ({"log": True}, {}, {"equal_variances": True})
        ),
        "disagreements": analyses.disagreements(medians, grades),
        "grade-ratios": analyses.grade_ratios(medians, grades),
    }
    named, compared = (
        pl.lit(name).alias(column)
        for column, name in (("grades", "grade"), ("comparison", "magnitudes–grade"))
    )
    return {
        **{key: table.select(named, pl.all()) for key, table in of_grades.items()},
        "agreement": analyses.overall_agreement(cells).select(compared, pl.all()),
        "agreement-pairs": analyses.agreement_by_pair(cells).select(compared, pl.all()),
        "ratio-bars": analyses.ratio_histogram(ratios["ratio"]),
        "unit-ratios": ratios,
        "alpha": alphas.with_columns(pl.col("anchors").cast(pl.String).replace(words)),
    }


def as_text(value: Any, column: str) -> Any:
    if column in ("grade", "nearest", "lower", "higher"):
        return LETTERS[value]
    return "" if value is None else str(value)


def test_grades_ratios_and_agreement(exported: Exported, console: Client) -> None:
    study = exported.study
    assert make(study, ReportKind.GRADES).state == "done"
    report = Report.objects.get(study=study, kind="grades")
    address = f"{base(study)}reports/{report.pk}/table.csv"
    for key, table in grade_tables(exported).items():
        columns, *rows = csv_of(console, f"{address}?table={key}")
        places = [columns.index(name) for name in table.columns]
        rows = [[row[place] for place in places] for row in rows]
        wanted = [
            [as_text(value, name) for name, value in zip(table.columns, row, strict=True)]
            for row in table.iter_rows()
        ]
        assert rows == wanted, key
    shown = tables_in(text_of(console, f"{base(study)}grades/"))
    boxes = grade_tables(exported)["boxes"]
    keys = [table["key"] for table in report.content["tables"]]
    of_boxes = shown[keys.index("boxes")]
    names = [name for name, _ in report.content["tables"][keys.index("boxes")]["columns"]]
    places = [names.index(name) for name in ("whisker_low", "q1", "median", "q3", "whisker_high")]
    assert [[float(row[place]) for place in places] for row in of_boxes] == [
        list(row[3:8]) for row in boxes.iter_rows()
    ]
    columns, *_, totals = csv_of(console, f"{address}?table=ratios")
    ratios = grade_tables(exported)["unit-ratios"]["ratio"].to_numpy()
    quartiles = np.quantile(ratios, [0, 0.25, 0.5, 0.75, 1])
    assert totals[:2] == ["all", str(len(ratios))]
    cells = [float(totals[columns.index(name)]) for name in ("least", "q1", "median", "q3", "most")]
    np.testing.assert_allclose(cells, quartiles, rtol=1e-15)
    assert float(totals[columns.index("low")]) <= quartiles[2] <= float(totals[columns.index("high")])


def judged_shares(exported: Exported, name: str, measure: str) -> dict[str, float]:
    """Return each run's mean share of judged documents down to the measure's cut-off, counted one by one."""
    # Documents of the pools that the file of grades does not list are graded, too.
    tables = [exported.gains] if name == "magnitudes" else [exported.known[name], exported.grades]
    judged = {row for gains in tables for row in gains.table.select("topic_id", "document_id").iter_rows()}
    cutoff = int(measure.partition("@")[2])
    shares = {}
    for run in exported.runs:
        lists = run.table.sort(
            "topic_id", "score", "document_id", descending=[False, True, True]
        ).partition_by("topic_id")
        tops = [of.head(cutoff).select("topic_id", "document_id").rows() for of in lists]
        shares[run.tag] = statistics.mean(sum(row in judged for row in top) / len(top) for top in tops)
    return shares


def test_scores_with_intervals_correlations_and_top_sets(exported: Exported, console: Client) -> None:
    study = exported.study
    assert make(study, ReportKind.SCORES, measures=MEASURES).state == "done"
    by = {
        "magnitudes": score(exported.gains, exported.runs, MEASURES),
        "grade": score(exported.known["grade"], exported.runs, MEASURES),
    }
    rng = np.random.default_rng(study.seed)
    anew = system_intervals(exported.judgments, exported.runs, MEASURES, rng=rng, resamples=WORKER_RESAMPLES)
    agreement: list[list[Any]] = []
    for place, measure in enumerate(MEASURES):
        page = console.get(f"{base(study)}results/", {"measures": "\n".join(MEASURES), "measure": measure})
        titles = re.findall(r'<h3 id="table\d">(.*?)</h3>', page.content.decode())
        for title, name in zip(map(unescape, titles), by, strict=False):
            assert measure in title
            assert name in title
        assert len(titles) > len(by)
        *_, first, second, agreement = tables_in(page.content.decode())
        tables = first, second
        for (name, scores), rows in zip(by.items(), tables, strict=True):
            shares = judged_shares(exported, name, measure)
            values = scores.values[..., place]
            means = {row.run: row.value for row in scores.means() if row.measure == measure}
            estimates = means
            if name == "magnitudes":
                estimates = dict(anew[measure].means().select("run", "mean").iter_rows())
            best_run, *_others = in_order = sorted(estimates, key=lambda run: (-estimates[run], run))
            best = values[scores.runs.index(best_run)]
            pairs = compare(scores, resamples=2).pairs.filter(measure=measure)
            adjusted = {frozenset(pair): p for *pair, p in pairs["first", "second", "adjusted"].iter_rows()}
            assert [row[0] for row in rows] == in_order
            for run, topics, *cells in rows:
                is_corrected = name == "magnitudes"
                *bounds, judged = numbers([cell for cell in cells if cell not in ("yes", "no")], slice(None))
                observed = bounds.pop() if is_corrected else means[run]
                *bounds, difference, low, high, p, adjusted_p, wins, _ties, losses = bounds
                own = values[scores.runs.index(run)]
                assert judged == pytest.approx(shares[run])
                assert (observed, int(topics)) == (means[run], len(own))
                if is_corrected:
                    assert bounds == pytest.approx(bounds_of(anew[measure], run))
                else:
                    assert bounds == [means[run], *t_interval(own, within=(0, 1))]
                if run == rows[0][0]:
                    assert (difference, low, high, p, adjusted_p, wins, losses) == (None,) * 7
                    continue
                assert (wins, losses) == ((own > best).sum(), (own < best).sum())
                assert p == wilcoxon(own, best).p
                assert adjusted_p == pytest.approx(adjusted[frozenset((run, best_run))])
                if name == "magnitudes":
                    row = anew[measure].difference(run, best_run).row(0, named=True)
                    assert [difference, low, high] == pytest.approx([row["mean"], row["low"], row["high"]])
                else:
                    bounds = t_interval(own - best, within=(-1, 1))
                    assert [difference, low, high] == pytest.approx([(own - best).mean(), *bounds])
    for row, place in zip(agreement, range(len(MEASURES)), strict=True):
        means = [
            [item.value for item in scores.means() if item.measure == MEASURES[place]]
            for scores in by.values()
        ]
        crowd, truth = means
        tau, *others = (
            STATISTICS[name](truth, crowd) for name in ("tau_b", "tau_ap", "tau_a", "tau_c", "rho")
        )
        topics = str(len(by["grade"].topics))
        assert row[:4] == ["grade", MEASURES[place], "5", topics]
        assert numbers(row, slice(4, 5)) == pytest.approx([tau], abs=1e-15)
        assert numbers(row, slice(7, 11)) == pytest.approx(others, abs=1e-15)
        assert row[11:14] == ["5", "5", "5"]  # five topics tell no two systems apart


def bounds_of(result: SystemIntervals, run: str) -> list[float]:
    """Return the columns of a run between its mean and its difference: corrected, and two intervals."""
    new, anew = (
        result.means(target).filter(run=run).row(0, named=True) for target in ("new_topics", "these_topics")
    )
    return [new["mean"], new["low"], new["high"], anew["low"], anew["high"]]


def test_an_interval_does_not_hang_on_what_else_is_asked_for(exported: Exported) -> None:
    study = exported.study
    for measures in (["nDCG@10"], ["P(rel=1)@3", "nDCG@10"]):
        make(study, ReportKind.SCORES, measures=measures)
    alone, beside = (
        next(table for table in report.content["tables"] if table.get("about") == ["magnitudes", "nDCG@10"])
        for report in Report.objects.filter(study=study, kind="scores")
        if "nDCG@10" in report.parameters["measures"] and len(report.parameters["measures"]) < 3
    )
    assert alone["rows"] == beside["rows"]


def library_tables(data: Exported) -> dict[str, pl.DataFrame]:
    """Return name of a figure → its table, which the library computes from the exported files."""
    medians, grades, judgments, runs = data.medians, data.grades, data.judgments, data.runs
    measures = list(FIGURES["systems"].measures)
    scores = analyses.scores_by({"magnitudes": medians}, runs, measures)
    known = analyses.scores_by(data.known, runs, measures)
    more = analyses.scores_by({"magnitudes": medians}, runs, FIGURES["rank-changes"].measures)["magnitudes"]

    def dice() -> np.random.Generator:
        return np.random.default_rng(data.study.seed)

    def boxes(**by: bool) -> figures.Figure:
        return figures.box_plots(
            analyses.boxes(medians, grades, **by), analyses.outliers(medians, grades, **by)
        )

    curves = {"depth": 100}
    by_grades = analyses.gain_curves(data.known["grade"], runs, **curves)
    draws = analyses.tau_distributions(
        judgments, data.normalised, runs, data.known, rng=dice(), measures=measures
    )
    reliability = analyses.measure_reliability(scores["magnitudes"], rng=dice())
    ratios = analyses.ratio_histogram(analyses.unit_ratios(judgments)["ratio"])
    drawn = {
        "magnitudes-by-grade": boxes(),
        "magnitudes-by-topic": boxes(by_topic=True),
        "gain-profile": figures.gain_profiles(analyses.gain_profile(judgments, grades)),
        "anchor-ratios": figures.ratio_histogram(ratios),
        "grade-ratios": figures.grade_ratios(analyses.grade_ratios(medians, grades)),
        "gain-curves": figures.gain_curves(
            analyses.gain_curves(medians, runs, schemes=("linear",), **curves)
        ),
        "gain-curves-by-grades": figures.gain_curves(by_grades),
        "systems": figures.system_scatter(analyses.system_scatter(scores, known)),
        "tau": figures.tau_distributions(draws),
        "rank-changes": figures.rank_changes(analyses.rank_changes(more, by="nDCG@10")),
        "stability": figures.stability_curves(reliability.stability),
        "swap-rates": figures.swap_rate_curves(reliability.discrimination),
    }
    return {name: figure.table for name, figure in drawn.items()}


def test_every_figure_of_the_sample(
    exported: Exported, console: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check SVG and CSV only: PDF and PNG show the same and take as long again."""
    monkeypatch.setattr(drawing, "FORMATS", ("svg", "csv"))
    study, wanted = exported.study, library_tables(exported)
    assert wanted.keys() == FIGURES.keys()
    for name, table in wanted.items():
        measures = {"measures": list(FIGURES[name].measures)} if FIGURES[name].measures else {}
        job = make(study, ReportKind.FIGURE, figure=name, **measures)
        assert job.state == "done", job.error
        report = Report.objects.get(study=study, kind="figure", parameters__figure=name)
        address = f"{base(study)}reports/{report.pk}"
        text = text_of(console, f"{base(study)}figures/{name}/")
        assert f'<img src="{address}.svg" alt="{FIGURES[name].title}. ' in text
        assert b"".join(console.get(f"{address}.svg").streaming_content).startswith(b"<?xml")
        assert b"".join(console.get(f"{address}.csv").streaming_content).decode() == table.write_csv()
        rows = csv_of(console, f"{address}/table.csv?table=numbers")
        assert rows[0] == table.columns, name
        places = [place for place, column in enumerate(table.columns) if column not in ("grade", "anchors")]
        results = [[row[place] for place in places] for row in rows[1:]]
        drawn = [
            ["" if row[place] is None else str(row[place]) for place in places] for row in table.iter_rows()
        ]
        assert results == drawn, name
    assert states_of_figures(console, study) == dict.fromkeys(FIGURES, "made")
