"""What cannot be drawn is refused in one sentence."""

import numpy as np
import polars as pl
import pytest

from evaluation import figures
from evaluation.errors import InputError
from tests.evaluation.figure_tables import (
    LONG,
    boxes,
    changes,
    curves,
    histogram,
    profile,
    ratios,
    stable,
    swaps,
    taus,
)

ZERO = pl.lit(0.0)
REFUSED = {
    "no table": (figures.ratio_histogram, {"ratio": [1]}, {}, "a polars DataFrame is needed, not dict"),
    "no rows": (figures.ratio_histogram, histogram([5], [4]).clear(), {}, "has no rows"),
    "no column": (
        figures.ratio_histogram,
        histogram([5], [4]).drop("hidden"),
        {},
        "has no column hidden; it has ratio, units",
    ),
    "no mark": (
        figures.ratio_histogram,
        histogram([5], [4]).cast({"hidden": pl.Int64}),
        {},
        "hidden must hold true or false",
    ),
    "no number": (figures.ratio_histogram, histogram(["a"], [4]), {}, "ratio must hold numbers, not String"),
    "twice": (
        figures.ratio_histogram,
        histogram([5, 5], [4, 9]),
        {},
        "row 2: ratio 5.0 stands in the table twice",
    ),
    "fewer than none": (figures.ratio_histogram, histogram([5], [-4]), {}, "units must be 0 or more"),
    "NaN": (
        figures.ratio_histogram,
        histogram([5.0, np.nan], [4, 4]),
        {},
        "row 2: ratio is empty or no number",
    ),
    "infinite": (figures.ratio_histogram, histogram([5.0, np.inf], [4, 4]), {}, "row 2: ratio is not finite"),
    "no name": (
        figures.stability_curves,
        stable(["AP"]).with_columns(measure=pl.lit(None, dtype=pl.String)),
        {},
        "row 1: measure is empty",
    ),
    "a box of 0 on a log axis": (
        figures.box_plots,
        boxes().with_columns(low=ZERO),
        {},
        "row 1: low 0 is not above 0, and a logarithmic axis has no place for it",
    ),
    "a box upside down": (
        figures.box_plots,
        boxes().with_columns(q1=pl.lit(1e9)),
        {},
        "q1 must not exceed median",
    ),
    "half a box": (
        figures.box_plots,
        boxes().with_columns(high=pl.lit(None, dtype=pl.Float64)),
        {},
        "q3 must not exceed high in any row, and a row has all five or none",
    ),
    "an outlier of no grade": (
        figures.box_plots,
        boxes(),
        {"outliers": pl.DataFrame({"grade": [9.0], "value": [1.0]})},
        "an outlier of grade 9.0 has no box",
    ),
    "a profile of 0": (
        figures.gain_profiles,
        profile().with_columns(linear=ZERO),
        {},
        "linear 0 is not above 0",
    ),
    "eight named runs": (
        figures.gain_curves,
        curves("ABCDEFGH", 3),
        {"named": list("ABCDEFGH")},
        "8 runs cannot be told apart in one figure; name 7 at most",
    ),
    "an unknown run": (
        figures.gain_curves,
        curves(["A"], 3),
        {"named": [LONG]},
        "no run of the table is named",
    ),
    "a run named ideal": (
        figures.gain_curves,
        curves(["ideal"], 3),
        {},
        "a run named ideal cannot be told from",
    ),
    "two ideals": (
        figures.gain_curves,
        curves(["A", "B"], 3).with_columns(ideal=pl.int_range(6).cast(pl.Float64)),
        {},
        "the ideal at rank 1 differs between runs; average over the same topics",
    ),
    "τ of 2": (
        figures.tau_distributions,
        taus([("m", "k")]).with_columns(tau_b=2.0),
        {},
        "tau_b must lie between",
    ),
    "no τ": (
        figures.tau_distributions,
        taus([("m", "k")]).with_columns(tau_b=pl.lit(None, dtype=pl.Float64)),
        {},
        "have a value in one at least",
    ),
    "no bins": (figures.tau_distributions, taus([("m", "k")]), {"bins": 0}, "bins must be 1 or more, not 0"),
    "a ratio of 0": (
        figures.grade_ratios,
        ratios(2).with_columns(median=ZERO),
        {},
        "median 0 is not above 0",
    ),
    "more above than pairs": (
        figures.grade_ratios,
        ratios(2).with_columns(above=pl.lit(10**6)),
        {},
        "above no more than them",
    ),
    "a minority rate of 2": (
        figures.stability_curves,
        stable(["AP"]).with_columns(minority_rate=pl.lit(2.0)),
        {},
        "minority_rate must be between 0 and 1",
    ),
    "a swap rate below 0": (
        figures.swap_rate_curves,
        swaps(["AP"]).with_columns(swap_rate=pl.lit(-0.1)),
        {},
        "swap_rate must be between 0 and 1",
    ),
    "one number of two runs": (
        figures.rank_changes,
        changes(["AP"], 3).with_columns(number=pl.lit(1)),
        {},
        "row 2: measure 'AP', number 1.0 stands in the table twice",
    ),
}


@pytest.mark.parametrize(("draw", "table", "settings", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_a_table_that_cannot_be_drawn_is_refused(draw, table, settings, message):
    with pytest.raises(InputError) as refused:
        draw(table, **settings)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
