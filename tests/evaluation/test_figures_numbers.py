"""What a figure draws is what its table says, of made tables and of those of the analyses."""

import itertools

import numpy as np
import polars as pl
import pytest
from matplotlib.patches import Rectangle, StepPatch
from scipy import stats

from evaluation import analyses, figures
from evaluation.comparison import discrimination, stability
from evaluation.figures.boxes import BOX_COLUMNS
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import gain_profile, gains, grade_ratios, normalise, ratio_histogram, unit_ratios
from evaluation.score_table import Scores
from tests.evaluation.figure_tables import (
    BATTERY,
    CASES,
    MEASURE,
    agreement,
    boxed_ratios,
    boxes,
    changes,
    curves,
    figure_of,
    histogram,
    means,
    profile,
    ratios,
    scatter,
    stable,
    swaps,
    taus,
)
from tests.support.named import assert_all_name, numbers_in

pytestmark = pytest.mark.slow


def points(panel, *, skip=()):
    """Every point of the panel's lines that stand for data, without gaps."""
    result = set()
    for line in panel.lines:
        if line.get_transform() == panel.transData and line not in skip:
            drawn = zip(*(np.asarray(part, dtype=float) for part in line.get_data()), strict=True)
            result |= {point for point in drawn if not np.isnan(point).any()}
    return result


def rows(table, *names):
    return set(table.select(names).drop_nulls().cast(pl.Float64).iter_rows())


# --- the numbers drawn -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_the_csv_holds_the_table(name, tmp_path, monkeypatch):
    figure = figure_of(name)
    monkeypatch.setattr(figure.drawing, "savefig", lambda *_, **__: None)  # looked at in test_figures.py
    *_, written = figure.save(tmp_path / "figure.svg")
    read = pl.read_csv(written, schema=figure.table.schema)
    assert read.equals(figure.table)
    assert not figure.table.is_empty()


@pytest.mark.parametrize(
    "name", ["curves", "curves of 129 runs", "curves of one rank", "curves without ideal"]
)
def test_curves_are_those_of_the_table(name):
    figure = figure_of(name)
    parts = figure.table.partition_by("scheme", "measure", maintain_order=True)
    for panel, part in zip(figure.drawing.axes, parts, strict=True):
        assert points(panel) == rows(part, "rank", "value") | rows(part, "rank", "ideal")


def test_named_runs_are_told_apart_and_the_others_counted():
    table = curves([f"run{place}" for place in range(20)], 5)
    labels = [text.get_text() for text in drawn_legend(figures.gain_curves(table))]
    assert labels[:-1] == ["ideal", "run19", "run9", "run0"]  # the best, the median and the last
    assert numbers_in(labels[-1]) == ["17"]
    labels = [text.get_text() for text in drawn_legend(figures.gain_curves(table, named=["run3", "run7"]))]
    assert labels[:-1] == ["ideal", "run3", "run7"]
    assert numbers_in(labels[-1]) == ["18"]


def drawn_legend(figure):
    (legend,) = figure.drawing.legends
    return legend.get_texts()


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("boxes")])
def test_boxes_are_those_of_the_table(name):
    figure = figure_of(name)
    by_topic = "topic_id" in figure.table.columns
    parts = figure.table.partition_by("topic_id", maintain_order=True) if by_topic else [figure.table]
    for panel, part in zip(figure.drawing.axes, parts, strict=True):
        drawn = {y for _, y in points(panel)} | {
            y for box in panel.patches for y in box.get_path().vertices[:, 1]
        }
        results = {
            value
            for column in (*BOX_COLUMNS, "outlier")
            if column in part.columns
            for value in part[column].drop_nulls()
        }
        assert drawn == results


def test_boxes_stand_by_grade_and_the_ungraded_last():
    table = boxes(empty=1).sample(fraction=1.0, shuffle=True, seed=1)
    panel = figures.box_plots(table, names=figures.NMRH).drawing.axes[0]
    assert [text.get_text().partition("\n")[0] for text in panel.get_xticklabels()] == [
        "N",
        "M",
        "R",
        "H",
        "U",
    ]
    medians = {point[0]: point[1] for point in points(panel)}
    assert 1.0 not in {round(x) for x in medians}  # the empty grade keeps its place


def test_profiles_stand_beside_the_usual_gains():
    figure = figures.gain_profiles(profile())
    lines = {tuple(line.get_ydata()) for line in figure.drawing.axes[0].lines}
    assert {(1.0, 2.0, 3.0, 4.0), (2.0, 4.0, 8.0, 16.0)} <= lines
    labels = [text.get_text() for text in drawn_legend(figure)]
    assert_all_name(labels, ("linear", "1-2-3-4"), ("exponential", "2-4-8-16"))


def test_the_scatter_shows_every_system_and_its_tau():
    table = scatter(30, [("medians", "grades", "nDCG@10"), ("medians", "binary", "nDCG@10")])
    table = table.with_columns(
        known_value=pl.when(pl.col("run") == "run3").then(None).otherwise("known_value")
    )
    figure = figures.system_scatter(table)
    for panel, part in zip(
        figure.drawing.axes, figure.table.partition_by("known", maintain_order=True), strict=True
    ):
        assert points(panel) == rows(part, "known_value", "judged_value")
        assert len(points(panel)) == 29
        known = part.drop_nulls()
        tau = stats.kendalltau(known["known_value"], known["judged_value"]).statistic
        assert part["tau_b"].to_list() == pytest.approx([tau] * 30)
        assert panel.get_title().endswith(f"τ = {tau:.2f}")


@pytest.mark.parametrize("systems", [1, 5, 6, 7, 18, 20])
def test_few_systems_have_their_names_beside_them(systems):
    figure = figures.system_scatter(scatter(systems))
    written = {text.get_text() for text in figure.drawing.axes[0].texts} - {""}
    assert written == {f"run{place}" for place in range(systems)}


def test_many_systems_have_no_names():
    assert not list(figures.system_scatter(scatter(21)).drawing.axes[0].texts)


def test_long_measures_are_written_out():
    def squeezed(text):
        return "".join(text.split())

    for name in CASES:
        if "long measure" in name or "topics" in name.partition(" on ")[2]:
            drawing = figure_of(name).drawing
            titles = [panel.get_title() + panel.get_title(loc="left") for panel in drawing.axes]
            legends = [text.get_text() for legend in drawing.legends for text in legend.get_texts()]
            if "50" not in name:
                assert squeezed(MEASURE) in squeezed("|".join(titles + legends)), name


@pytest.mark.parametrize("kind", ["swap rates on 18 topics", "stability on 2 topics"])
def test_few_topics_are_said_in_the_figure_and_in_its_table(kind):
    figure = CASES[kind].drawn()
    (topics,) = set(figure.table["topics"])
    assert str(topics) in numbers_in(figure.drawing.axes[0].get_xlabel())
    assert set(figure.table["size"]) == {topics // 2}


def test_enough_topics_need_no_caution():
    figure = CASES["swap rates on 50 topics"].drawn()
    assert "Only" not in figure.drawing.axes[0].get_xlabel()
    assert set(figure.table["topics"]) == {50}


def test_ratios_of_anchors_have_a_logarithmic_axis_with_a_place_for_0():
    figure = figures.ratio_histogram(histogram([0, 5, 10, 1000], [40, 90, 20, 5]))
    (panel,) = figure.drawing.axes
    assert panel.get_xscale() == "symlog"
    places = panel.transData.transform([(x, 1) for x in (0, 5, 10, 100, 1000)])[:, 0]
    assert (np.diff(places) > 0.1 * np.ptp(places)).sum() >= 3
    assert 0 in panel.get_xticks()


def test_a_tau_that_does_not_exist_is_said():
    figure = figures.system_scatter(scatter(5, equal=True))
    assert figure.drawing.axes[0].get_title().endswith("no τ")
    assert figure.table["tau_b"].null_count() == 5


def test_bars_count_every_draw():
    table = taus([("nDCG@10", "grades"), ("ERR@10", "grades")], draws=500)
    table = table.with_columns(tau_b=pl.when(pl.int_range(pl.len()) % 50 == 0).then(None).otherwise("tau_b"))
    figure = figures.tau_distributions(table, bins=20)
    for panel, measure in zip(figure.drawing.axes, ("nDCG@10", "ERR@10"), strict=True):
        bars = figure.table.filter(measure=measure)
        (steps,) = (patch for patch in panel.patches if isinstance(patch, StepPatch))
        heights, edges, _ = steps.get_data()
        assert heights.tolist() == bars["draws"].to_list()
        assert edges.tolist() == [*bars["low"], bars["high"][-1]]
        values = table.filter(measure=measure)["tau_b"]
        assert bars["draws"].sum() == 490
        assert set(bars["without"]) == {10}
        assert set(bars["median"]) == {values.median()}
        assert numbers_in(panel.get_title(loc="left"))[-2:] == [f"{values.median():.2f}", "10"]


def test_hidden_bars_are_counted_and_not_drawn():
    figure = figures.ratio_histogram(histogram([0, 5, 10, 60, 70], [12, 40, 3, 1, 1]))
    (panel,) = figure.drawing.axes
    bars = {(bar.get_center()[0], bar.get_height()) for bar in panel.patches if isinstance(bar, Rectangle)}
    assert bars == {(0, 12), (5, 40)}
    assert numbers_in(panel.get_title(loc="right")) == ["3", "5"]
    assert figure.table["units"].sum() == 57


def test_ratios_are_those_of_the_table_the_pooled_one_last():
    figure = figures.grade_ratios(ratios(5, without=(2,)).reverse())
    assert figure.table["topic_id"].to_list() == ["405", "404", "403", "402", "401", "all"]
    (panel,) = figure.drawing.axes
    assert points(panel) == rows(figure.table.with_row_index("place"), "median", "place")
    assert [text.get_text() for text in panel.texts] == [
        "4 of 8",
        "3 of 8",
        "2 of 8",
        "1 of 8",
        "0 of 8",
        "60000 of 123456",
    ]


def test_boxes_of_ratios_are_those_of_the_table_the_pooled_one_last():
    figure = figures.ratio_boxes(boxed_ratios(5, without=(2,)).reverse())
    assert figure.table["topic_id"].to_list() == ["405", "404", "403", "402", "401", "all"]
    (panel,) = figure.drawing.axes
    found = {round(float(x), 9) for patch in panel.patches for x, _ in patch.get_path().vertices}
    found |= {round(float(x), 9) for line in panel.lines[1:] for x in line.get_xdata()}
    wanted = figure.table.select(BOX_COLUMNS).drop_nulls()
    assert found == {round(value, 9) for row in wanted.rows() for value in row}
    assert len(panel.patches) == len(wanted) == 5
    assert len(panel.texts) == 6


def test_dots_of_agreement_and_their_means_are_those_of_the_table():
    table = agreement(["a–b", "b–c"], ["401", "402", "403"], missing=[(0, 1)])
    figure = figures.pair_agreement(table.reverse(), width="page")
    for panel, comparison in zip(figure.drawing.axes, ("b–c", "a–b"), strict=True):
        part = table.filter(comparison=comparison)
        dots, lines = panel.lines[::2], panel.lines[1::2]
        pairs = part.select("lower", "higher").unique().sort("lower", "higher").rows()
        assert len(dots) == len(lines) == len(pairs)
        for (lower, higher), of_pair, line in zip(pairs, dots, lines, strict=True):
            shares = part.filter(lower=lower, higher=higher)["agree"]
            assert sorted(of_pair.get_ydata()) == sorted(shares)
            assert len(set(of_pair.get_xdata())) == 3
            assert line.get_ydata().tolist() == pytest.approx([shares.mean()] * 2)
        assert numbers_in(panel.get_title())[-1] == f"{part['agree'].mean():.2f}"


def test_rankings_are_columns_of_panels_if_there_are_as_many_across():
    table = taus([(measure, known) for measure in ("AP", "RR") for known in ("binary", "grades")])
    figure = figures.tau_distributions(table, across=2)
    places = [panel.get_subplotspec() for panel in figure.drawing.axes]
    assert [(place.rowspan.start, place.colspan.start) for place in places] == [
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
    ]
    assert figures.tau_distributions(table).table.equals(figure.table)


@pytest.mark.parametrize("name", ["means", "means of large numbers", "means without intervals"])
def test_means_and_intervals_are_those_of_the_table_line_by_line(name):
    figure = figure_of(name)
    runs = figure.table["run"].unique(maintain_order=True).to_list()
    measures = figure.table["measure"].unique(maintain_order=True)
    for panel, measure in zip(figure.drawing.axes, measures, strict=True):
        of_measure = figure.table.filter(measure=measure).with_columns(
            place=pl.col("run").replace_strict(runs, range(len(runs)), return_dtype=pl.Float64)
        )
        drawn = set.union(*(rows(of_measure, column, "place") for column in ("mean", "low", "high")))
        assert points(panel) == drawn
        assert panel.yaxis_inverted()
    (label, *_) = (text for text in (figure.drawing.get_supxlabel(), panel.get_xlabel()) if text)
    assert ("95" in label) == (figure.table["low"].null_count() == 0)


def test_the_baseline_has_a_line_in_every_panel():
    figure = figures.mean_intervals(means(["AP", "RR"], ["A", "B"]), baseline="B")
    for panel, measure in zip(figure.drawing.axes, ("AP", "RR"), strict=True):
        mean = figure.table.filter(measure=measure, run="B")["mean"].item()
        vertical = [line for line in panel.lines if line.get_transform() != panel.transData]
        assert [line.get_xdata()[0] for line in vertical] == [mean]


@pytest.mark.parametrize("number", [1, 8, 9, 24])
def test_curves_of_reliability_are_those_of_the_table(number):
    measures = BATTERY[:number]
    for draw, table, x, y in (
        (figures.stability_curves, stable(measures), "proportion_of_ties", "minority_rate"),
        (figures.swap_rate_curves, swaps(measures), "difference", "swap_rate"),
    ):
        figure = draw(table)
        drawn = [points(panel) for panel in figure.drawing.axes]
        assert set.union(*drawn) == rows(figure.table, x, y) == rows(table, x, y)


def test_rises_are_marked_and_counted():
    figure = figures.rank_changes(changes(["AP", "Q"], 30).reverse())
    for panel, measure in zip(figure.drawing.axes, ("Q", "AP"), strict=True):
        part = figure.table.filter(measure=measure)
        assert points(panel) == rows(part, "number", "value")
        curve, risen = panel.lines
        assert curve.get_xdata().tolist() == list(range(1, 31))
        assert set(risen.get_xdata()) == set(part.filter("rise")["number"])
        rises = int((np.diff(part["value"]) > 1e-12).sum())
        assert panel.get_title() == f"{measure}\n{rises} rises"


# --- tables of the analyses --------------------------------------------------------------------------------


@pytest.fixture
def judged():
    """Judgments of two topics by three workers, and the grades of most documents."""
    rng = np.random.default_rng(2)
    given = [
        (topic, f"{topic}-{unit}", f"{topic}-{place}", float(np.exp(place + rng.normal())), mark)
        for topic, unit in itertools.product(("401", "402"), range(3))
        for place, mark in enumerate(["N", "", "", "H", ""])
    ]
    grades = [(topic, f"{topic}-{place}", float(place)) for topic in ("401", "402") for place in range(4)]
    names = ("topic_id", "unit_id", "document_id", "relevance_score", "gold")
    columns = dict(zip(names, zip(*given, strict=True), strict=True))
    return Judgments.from_columns(**columns), Gains.from_columns(*zip(*grades, strict=True))


def test_tables_of_magnitudes_are_drawn_as_they_come(judged):
    judgments, grades = judged
    medians = gains(judgments, normalise(judgments, "n"))
    for by_topic in (False, True):
        table = analyses.boxes(medians, grades, by_topic=by_topic)
        beyond = analyses.outliers(medians, grades, by_topic=by_topic)
        figure = figures.box_plots(table, beyond)
        assert len(figure.drawing.axes) == (2 if by_topic else 1)
    figure = figures.gain_profiles(gain_profile(judgments, grades))
    assert figure.table["anchors"].to_list() == [False] * 3 + [True] * 5
    assert len({panel.get_title() for panel in figure.drawing.axes}) == 2
    assert figures.grade_ratios(grade_ratios(medians, grades)).table["topic_id"].to_list() == [
        "401",
        "402",
        "all",
    ]
    result = ratio_histogram(unit_ratios(judgments)["ratio"], fewest=1)
    assert figures.ratio_histogram(result).table["units"].sum() == 6


def test_tables_of_systems_are_drawn_as_they_come():
    rng = np.random.default_rng(4)
    values = rng.random((6, 12, 2)) * np.linspace(0.5, 1, 6)[:, None, None]
    runs, topics = (tuple(f"{kind}{place}" for place in range(n)) for kind, n in (("r", 6), ("t", 12)))
    parts = values, values * rng.random(values.shape)
    one, other = (Scores(runs, topics, ("AP(rel=1)", "P@10"), part) for part in parts)
    table = analyses.system_scatter({"medians": one}, {"grades": other})
    figure = figures.system_scatter(table)
    agreement = analyses.system_agreement({"medians": one}, {"grades": other})
    assert figure.table["tau_b"].unique(maintain_order=True).to_list() == agreement["tau_b"].to_list()
    steady = stability(one, size=6, trials=50, rng=rng)
    assert len(figures.stability_curves(analyses.stability_curves(steady)).table) == 22
    apart = discrimination(one, trials=50, rng=rng)
    assert len(figures.swap_rate_curves(analyses.discrimination_curves(apart)).table) == 42
    assert len(figures.rank_changes(analyses.rank_changes(one)).table) == 12


def test_tables_of_runs_are_drawn_as_they_come(collection):
    judged, run = collection({"1": ((3, 0, 2), (1,)), "2": ((0, 1), (3,))})
    table = analyses.gain_curves(judged, [run], measures=("CG", "nDCG"), schemes=("linear",), depth=3)
    figure = figures.gain_curves(table)
    assert len(figure.drawing.axes) == 2
    assert rows(figure.table, "rank", "value") == rows(table, "rank", "value")
