"""What cannot be drawn is refused in one sentence."""

import numpy as np
import polars as pl
import pytest

from evaluation import figures
from tests.evaluation.figure_tables import (
    LONG,
    boxes,
    changes,
    curves,
    histogram,
    means,
    profile,
    ratios,
    stable,
    swaps,
    taus,
)
from tests.evaluation.refusals import refused

ZERO = pl.lit(0.0)
REFUSED = {
    "no table": (figures.ratio_histogram, {"ratio": [1]}, {}, ["DataFrame", "dict"], ""),
    "no rows": (figures.ratio_histogram, histogram([5], [4]).clear(), {}, [], ""),
    "no column": (
        figures.ratio_histogram,
        histogram([5], [4]).drop("hidden"),
        {},
        ["hidden", "ratio", "units"],
        "",
    ),
    "no mark": (
        figures.ratio_histogram,
        histogram([5], [4]).cast({"hidden": pl.Int64}),
        {},
        ["hidden"],
        "",
    ),
    "no number": (figures.ratio_histogram, histogram(["a"], [4]), {}, ["ratio", "String"], ""),
    "twice": (
        figures.ratio_histogram,
        histogram([5, 5], [4, 9]),
        {},
        ["ratio 5.0"],
        "row 2",
    ),
    "fewer than none": (figures.ratio_histogram, histogram([5], [-4]), {}, ["units"], ""),
    "NaN": (
        figures.ratio_histogram,
        histogram([5.0, np.nan], [4, 4]),
        {},
        ["ratio"],
        "row 2",
    ),
    "infinite": (figures.ratio_histogram, histogram([5.0, np.inf], [4, 4]), {}, ["ratio"], "row 2"),
    "no name": (
        figures.stability_curves,
        stable(["AP"]).with_columns(measure=pl.lit(None, dtype=pl.String)),
        {},
        ["measure"],
        "row 1",
    ),
    "a box of 0 on a log axis": (
        figures.box_plots,
        boxes().with_columns(low=ZERO),
        {},
        ["low 0"],
        "row 1",
    ),
    "a box upside down": (
        figures.box_plots,
        boxes().with_columns(q1=pl.lit(1e9)),
        {},
        ["q1", "median"],
        "",
    ),
    "half a box": (
        figures.box_plots,
        boxes().with_columns(high=pl.lit(None, dtype=pl.Float64)),
        {},
        ["q3", "high"],
        "",
    ),
    "an outlier of no grade": (
        figures.box_plots,
        boxes(),
        {"outliers": pl.DataFrame({"grade": [9.0], "value": [1.0]})},
        ["grade 9.0"],
        "",
    ),
    "a profile of 0": (
        figures.gain_profiles,
        profile().with_columns(linear=ZERO),
        {},
        ["linear 0"],
        "row 1",
    ),
    "eight named runs": (
        figures.gain_curves,
        curves("ABCDEFGH", 3),
        {"named": list("ABCDEFGH")},
        ["8", "7"],
        "",
    ),
    "an unknown run": (
        figures.gain_curves,
        curves(["A"], 3),
        {"named": [LONG]},
        [LONG[:30].rpartition(" ")[0]],
        "",
    ),
    "a run named ideal": (
        figures.gain_curves,
        curves(["ideal"], 3),
        {},
        ["ideal"],
        "",
    ),
    "two ideals": (
        figures.gain_curves,
        curves(["A", "B"], 3).with_columns(ideal=pl.int_range(6).cast(pl.Float64)),
        {},
        ["1"],
        "",
    ),
    "τ of 2": (
        figures.tau_distributions,
        taus([("m", "k")]).with_columns(tau_b=2.0),
        {},
        ["tau_b"],
        "",
    ),
    "no τ": (
        figures.tau_distributions,
        taus([("m", "k")]).with_columns(tau_b=pl.lit(None, dtype=pl.Float64)),
        {},
        ["tau_b"],
        "",
    ),
    "no bins": (figures.tau_distributions, taus([("m", "k")]), {"bins": 0}, ["bins", "0"], ""),
    "a ratio of 0": (
        figures.grade_ratios,
        ratios(2).with_columns(median=ZERO),
        {},
        ["median 0"],
        "row 1",
    ),
    "more above than pairs": (
        figures.grade_ratios,
        ratios(2).with_columns(above=pl.lit(10**6)),
        {},
        ["pairs", "above"],
        "",
    ),
    "an interval upside down": (
        figures.mean_intervals,
        means(["AP"], ["A"], half=-0.1),
        {},
        ["low", "high"],
        "",
    ),
    "half an interval": (
        figures.mean_intervals,
        means(["AP"], ["A"]).with_columns(high=pl.lit(None, dtype=pl.Float64)),
        {},
        ["low", "high"],
        "",
    ),
    "an interval of no mean": (
        figures.mean_intervals,
        means(["AP"], ["A"]).with_columns(mean=pl.lit(None, dtype=pl.Float64)),
        {},
        ["low", "high", "mean"],
        "",
    ),
    "a run twice": (figures.mean_intervals, means(["AP"], ["A", "A"]), {}, ["'AP'", "'A'"], "row 2"),
    "a baseline that is no run": (
        figures.mean_intervals,
        means(["AP"], ["A", "B"]),
        {"baseline": "C"},
        ["'C'", "A", "B"],
        "",
    ),
    "a minority rate of 2": (
        figures.stability_curves,
        stable(["AP"]).with_columns(minority_rate=pl.lit(2.0)),
        {},
        ["minority_rate"],
        "",
    ),
    "a swap rate below 0": (
        figures.swap_rate_curves,
        swaps(["AP"]).with_columns(swap_rate=pl.lit(-0.1)),
        {},
        ["swap_rate"],
        "",
    ),
    "one number of two runs": (
        figures.rank_changes,
        changes(["AP"], 3).with_columns(number=pl.lit(1)),
        {},
        ["'AP'", "number 1.0"],
        "row 2",
    ),
}


@pytest.mark.parametrize(
    ("draw", "table", "settings", "named", "place"), REFUSED.values(), ids=REFUSED.keys()
)
def test_a_table_that_cannot_be_drawn_is_refused(draw, table, settings, named, place):
    with refused(
        (
            "baseline-not-drawn",
            "box-out-of-order",
            "empty-cell",
            "impossible-pairs",
            "interval-out-of-order",
            "negative-units",
            "no-tau",
            "not-a-data-frame",
            "outlier-without-box",
            "rate-out-of-bounds",
            "run-named-ideal",
            "several-ideals",
            "table-column-missing",
            "table-column-not-boolean",
            "table-column-not-numeric",
            "table-number-missing",
            "table-number-not-finite",
            "table-number-not-positive",
            "table-row-twice",
            "table-without-rows",
            "tau-out-of-bounds",
            "too-few-bins",
            "too-many-named-runs",
            "unknown-run",
        ),
        *named,
        at=place,
    ):
        draw(table, **settings)
