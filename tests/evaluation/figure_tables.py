"""Tables for the figures: plain ones, and those at the edges of what a figure must bear."""

from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import polars as pl

from evaluation import figures
from evaluation.figures.boxes import BOX_COLUMNS

LONG = "a very long name of a run, with $x^2$ and _under_, that no legend has room for, v2.17"
WIDE = "W" * 80
MEASURE = 'nDCG(discount="jk", base=2, gain="exp", ideal="retrieved")@1000'
"""Such measures are written out, however long."""
BATTERY = [
    *(
        f"{kind} {name}"
        for kind in ("relaxed", "rigid")
        for name in ("AP", "Rprec", "P@10", "P@100", "P@1000")
    ),
    *("Q", "R_measure"),
    *(f"{name}@{cutoff}" for name in ("nCG", "AnCG", "nDCG", "AnDCG") for cutoff in (10, 100, 1000)),
]


class Case(NamedTuple):
    """A figure to draw: `draw(table, *more, **settings)`."""

    draw: Callable[..., figures.Figure]
    table: pl.DataFrame
    settings: dict = {}
    more: tuple = ()

    def drawn(self, width="column") -> figures.Figure:
        return self.draw(self.table, *self.more, width=width, **self.settings)


def curves(runs, ranks, panels=(("1-2-3-4", "CG"),), gain=1.0):
    ideal = gain * np.cumsum(4 / np.sqrt(np.arange(1, ranks + 1)))
    parts = []
    for scheme, measure in panels:
        for place, run in enumerate(runs):
            own = ideal * (0.1 + 0.8 * place / len(runs))
            columns = {"rank": np.arange(1, ranks + 1), "value": own, "ideal": ideal}
            names = {"scheme": scheme, "measure": measure, "run": run}
            parts.append(
                pl.DataFrame(columns).select(*(pl.lit(v).alias(k) for k, v in names.items()), *columns)
            )
    return pl.concat(parts)


def boxes(topics=None, grades=(0.0, 1.0, 2.0, 3.0, None), empty=None, largest=1.0):
    rng = np.random.default_rng(5)
    rows = []
    for topic in topics or [None]:
        for place, grade in enumerate(grades):
            five = np.sort(np.exp(rng.normal(place, 1, 5))) * largest
            row = {
                "grade": grade,
                "documents": int(rng.integers(3, 4000)),
                **dict(zip(figures.boxes.BOX_COLUMNS, five, strict=True)),
            }
            if place == empty:
                row |= {"documents": 0, **dict.fromkeys(figures.boxes.BOX_COLUMNS)}
            rows.append({"topic_id": topic, **row} if topics else row)
    schema = {"grade": pl.Float64, **dict.fromkeys(BOX_COLUMNS, pl.Float64)}
    return pl.DataFrame(rows, schema_overrides=schema, infer_schema_length=None)


def profile():
    columns = {
        "grade": [0.0, 1.0, 2.0, 3.0, None],
        "judgments": [900, 320, 210, 150, 4000],
        "low": [0.2, 0.4, 0.5, 0.8, 0.1],
        "q1": [0.9, 1.5, 2.5, 5.0, 1.0],
        "median": [1.0, 2.2, 4.5, 9.0, 2.1],
        "q3": [1.2, 4.0, 9.0, 20.0, 5.0],
        "high": [1.6, 7.0, 17.0, 39.0, 11.0],
        "linear": [1.0, 2.0, 3.0, 4.0, None],
        "exponential": [2.0, 4.0, 8.0, 16.0, None],
    }
    whole = pl.DataFrame(columns)
    parts = {False: whole.with_columns(pl.col("low", "q1", "median") * 0.9), True: whole}
    return pl.concat(part.with_columns(anchors=pl.lit(anchors)) for anchors, part in parts.items())


def scatter(runs, panels=(("medians", "grades", "nDCG@10"),), equal=False):
    rng = np.random.default_rng(7)
    rows = []
    for judged, known, measure in panels:
        for run in range(runs):
            x = 0.5 if equal else rng.random()
            y = x / 2 + (0 if equal else 0.1 * rng.random())
            values = {"judged_value": y, "known_value": x, "judged_top": x > 0.7, "known_top": x > 0.8}
            rows.append({"judged": judged, "known": known, "measure": measure, "run": f"run{run}", **values})
    return pl.DataFrame(rows)


def taus(panels, draws=1000, spread=0.05):
    rng = np.random.default_rng(9)
    parts = [
        pl.DataFrame({"tau_b": np.clip(rng.normal(0.6 + 0.05 * place, spread, draws), -1, 1)}).with_columns(
            measure=pl.lit(measure), known=pl.lit(known)
        )
        for place, (measure, known) in enumerate(panels)
    ]
    return pl.concat(parts)


def ratios(topics, without=()):
    rng = np.random.default_rng(3)
    rows = [
        (str(401 + place), 8, None if place in without else float(np.exp(rng.normal(1, 1))), place % 8)
        for place in range(topics)
    ]
    return pl.DataFrame(
        [*rows, ("all", 123_456, 3.1, 60_000)], schema=["topic_id", "pairs", "median", "above"], orient="row"
    )


def boxed_ratios(topics, without=()):
    rng = np.random.default_rng(17)
    rows = ratios(topics, without).drop("median").rows(named=True)
    for place, row in enumerate(rows):
        five = [None] * 5 if place in without else np.sort(np.exp(rng.normal(1, 1, 5))).tolist()
        row |= dict(zip(BOX_COLUMNS, five, strict=True))
    return pl.DataFrame(rows, schema_overrides=dict.fromkeys(BOX_COLUMNS, pl.Float64))


def agreement(comparisons, topics, grades=4, missing=()):
    """A share for each topic and pair of grades. In the first comparison, the `missing` pairs have none."""
    rng = np.random.default_rng(19)
    return pl.DataFrame(
        [
            {"comparison": name, "topic_id": topic, "lower": low, "higher": high, "agree": rng.random()}
            for name in comparisons
            for topic in topics
            for low, high in combinations(map(float, range(grades)), 2)
            if not (name == comparisons[0] and (low, high) in missing)
        ]
    )


def histogram(ratios, units):
    return pl.DataFrame({"ratio": ratios, "units": units, "hidden": [number < 4 for number in units]})


def stable(measures, lowest=0.0):
    steps = np.arange(1, 11)
    parts = [
        pl.DataFrame(
            {
                "fuzziness": steps / 100,
                "minority_rate": np.maximum(lowest, 0.15 * np.exp(-steps / (3 + place % 5))),
                "proportion_of_ties": (0.02 + 0.01 * (place % 7)) * steps,
            }
        ).with_columns(measure=pl.lit(measure))
        for place, measure in enumerate(measures)
    ]
    return pl.concat(parts)


def swaps(measures, zero_from=18, empty_from=20):
    bins = np.arange(21)
    parts = []
    for place, measure in enumerate(measures):
        rates = np.where(bins < zero_from, 0.45 * np.exp(-bins / (3 + place % 4)), 0.0).tolist()
        rates[empty_from:] = [None] * (21 - empty_from)
        columns = {"difference": bins / 100, "swap_rate": pl.Series(rates, dtype=pl.Float64)}
        parts.append(pl.DataFrame(columns).with_columns(measure=pl.lit(measure)))
    return pl.concat(parts)


def changes(measures, runs):
    rng = np.random.default_rng(11)
    parts = []
    for place, measure in enumerate(measures):
        values = np.linspace(0.5, 0.05, runs) + (0 if place == 0 else rng.normal(0, 0.01, runs))
        columns = {
            "number": np.arange(1, runs + 1),
            "value": values,
            "rise": np.diff(values, prepend=values[:1]) > 1e-12,
        }
        names = pl.Series("run", [f"run{run}" for run in range(runs)])
        parts.append(pl.DataFrame(columns).with_columns(names, measure=pl.lit(measure)))
    return pl.concat(parts)


def means(measures, runs, half=0.06):
    rng = np.random.default_rng(13)
    parts = []
    for measure in measures:
        mean = np.linspace(0.5, 0.1, len(runs)) + rng.normal(0, 0.01, len(runs))
        columns = {"run": runs, "mean": mean, "low": mean - half, "high": mean + half}
        parts.append(pl.DataFrame(columns).select(pl.lit(measure).alias("measure"), *columns))
    return pl.concat(parts)


_SCHEMES = [(scheme, measure) for scheme in ("1-2-3-4", "0-1-10-100") for measure in ("CG", f"nDCG({LONG})")]
_KNOWN = [("nDCG@10", "binary"), ('ERR(gmax="topic")@10', "grades"), (LONG, "medians"), (WIDE, WIDE)]
_TOPICS = [str(401 + place) for place in range(17)] + [LONG]
_OUTLIERS = pl.DataFrame({"grade": [0.0, None, None], "value": [90.0, 0.01, 1234.5]})

_MANY = [f"run{place}" for place in range(129)]

CASES = {
    "curves": Case(figures.gain_curves, curves(["A", "_B", LONG], 20)),
    "curves of 129 runs": Case(figures.gain_curves, curves(_MANY, 100, _SCHEMES)),
    "curves of wide names": Case(
        figures.gain_curves, curves([WIDE + str(n) for n in range(7)], 1000, gain=1e6)
    ),
    "curves of a long measure": Case(
        figures.gain_curves, curves(["A", "B"], 20, [("linear", MEASURE), ("0-1-5-10", MEASURE)])
    ),
    "curves of one rank": Case(figures.gain_curves, curves(["only"], 1)),
    "curves of runs whose letters are in no font": Case(figures.gain_curves, curves(["ระบบ", "系统"], 20)),
    "curves without gain": Case(figures.gain_curves, curves(["none"], 10, gain=0.0)),
    "curves without ideal": Case(figures.gain_curves, curves(["A", "B"], 10).with_columns(ideal=None)),
    "boxes": Case(figures.box_plots, boxes(), {"names": figures.NMRH}, (_OUTLIERS,)),
    "boxes with an empty grade": Case(figures.box_plots, boxes(empty=2)),
    "boxes of one empty grade": Case(figures.box_plots, boxes(grades=(1.0,), empty=0)),
    "boxes by topic": Case(figures.box_plots, boxes(_TOPICS, empty=2), {"names": figures.NMRH}),
    "boxes on a linear axis": Case(
        figures.box_plots, boxes(["1", "2"], (0.0, 1.0), largest=1e6), {"log": False}
    ),
    "boxes over many powers": Case(
        figures.box_plots, boxes(largest=1e-9).vstack(boxes(grades=(7.0,), largest=1e9))
    ),
    "profiles": Case(figures.gain_profiles, profile(), {"names": figures.NMRH}),
    "profiles without grades": Case(figures.gain_profiles, profile().tail(1)),
    "scatter": Case(figures.system_scatter, scatter(10).drop("judged_top", "known_top")),
    "scatter of 129 systems": Case(
        figures.system_scatter, scatter(129, [("medians", k, m) for m, k in _KNOWN])
    ),
    "scatter of 5 systems by long measures": Case(
        figures.system_scatter, scatter(5, [("magnitudes", "trec", m) for m in ("nDCG@10", MEASURE)])
    ),
    "scatter of 18 systems": Case(figures.system_scatter, scatter(18)),
    "scatter of one system": Case(figures.system_scatter, scatter(1)),
    "scatter of equal systems": Case(figures.system_scatter, scatter(5, equal=True)),
    "taus": Case(figures.tau_distributions, taus(_KNOWN[:1])),
    "taus of many": Case(figures.tau_distributions, taus([(m, k) for m, _ in _KNOWN for _, k in _KNOWN])),
    "taus side by side": Case(
        figures.tau_distributions, taus([(m, k) for m, _ in _KNOWN for _, k in _KNOWN[:2]]), {"across": 2}
    ),
    "taus all equal": Case(figures.tau_distributions, taus(_KNOWN[:2], spread=0).with_columns(tau_b=1.0)),
    "taus of a long measure": Case(figures.tau_distributions, taus([(MEASURE, "grades")])),
    "taus of one draw": Case(figures.tau_distributions, taus(_KNOWN[:1], draws=1)),
    "ratios": Case(figures.grade_ratios, ratios(18, without=(3, 17))),
    "ratios of 129 topics": Case(figures.grade_ratios, ratios(129)),
    "ratios of one topic": Case(figures.grade_ratios, ratios(1, without=(0,))),
    "ratios as boxes": Case(figures.ratio_boxes, boxed_ratios(18, without=(3, 17))),
    "ratios as boxes of 129 topics": Case(figures.ratio_boxes, boxed_ratios(129)),
    "ratios as boxes of one topic": Case(figures.ratio_boxes, boxed_ratios(1, without=(0,))),
    "agreement": Case(
        figures.pair_agreement,
        agreement(["magnitudes–grades", "trec–grades", LONG], _TOPICS, missing=[(0, 1)]),
        {"names": figures.NMRH},
    ),
    "agreement of one topic": Case(figures.pair_agreement, agreement([""], ["401"], 2).drop("comparison")),
    "agreement of many grades": Case(figures.pair_agreement, agreement([WIDE], _TOPICS, 11)),
    "histogram": Case(figures.ratio_histogram, histogram([0, 5, 10, 15, 25, 60], [12, 40, 22, 9, 3, 1])),
    "histogram far out": Case(figures.ratio_histogram, histogram([5, 10, 1_000_000], [400, 9000, 4])),
    "histogram of one bar": Case(figures.ratio_histogram, histogram([5], [4])),
    "histogram all hidden": Case(figures.ratio_histogram, histogram([5, 10], [1, 2])),
    "means": Case(figures.mean_intervals, means(BATTERY[:3], ["A", "_B", "c"]), {"baseline": "c"}),
    "means of 129 runs": Case(figures.mean_intervals, means(BATTERY[:2], _MANY), {"baseline": "run7"}),
    "means by the battery": Case(figures.mean_intervals, means(BATTERY, _MANY[:5]), {"level": 0.9}),
    "means of long names": Case(figures.mean_intervals, means([MEASURE, LONG], [LONG, WIDE, "a"])),
    "means of runs whose letters are in no font": Case(
        figures.mean_intervals, means(["AP"], ["ระบบหนึ่ง", "系统", "plain"])
    ),
    "means of one run": Case(figures.mean_intervals, means(["AP"], ["only"], half=0.0)),
    "means without intervals": Case(
        figures.mean_intervals, means(["AP"], ["A", "B"]).with_columns(low=None, high=None)
    ),
    "means of large numbers": Case(
        figures.mean_intervals,
        means(["CG@1000"], ["A", "B"]).with_columns(pl.col("mean", "low", "high") * 1e6),
    ),
    "stability": Case(figures.stability_curves, stable(BATTERY[:4])),
    "stability of the battery": Case(figures.stability_curves, stable(BATTERY)),
    "stability of long names": Case(figures.stability_curves, stable([LONG, *BATTERY[:8], WIDE])),
    "stability on 2 topics": Case(
        figures.stability_curves, stable([MEASURE, "AP"]).with_columns(topics=2, size=1)
    ),
    "stability without a minority": Case(
        figures.stability_curves, stable(["AP"]).with_columns(minority_rate=0.0, proportion_of_ties=0.0)
    ),
    "swap rates": Case(figures.swap_rate_curves, swaps(BATTERY[:8])),
    "swap rates on 18 topics": Case(
        figures.swap_rate_curves, swaps([MEASURE, "AP"]).with_columns(topics=18, size=9)
    ),
    "swap rates on 50 topics": Case(figures.swap_rate_curves, swaps(["AP"]).with_columns(topics=50, size=25)),
    "swap rates of the battery": Case(figures.swap_rate_curves, swaps(BATTERY)),
    "swap rates of 0": Case(figures.swap_rate_curves, swaps(["AP"], zero_from=0)),
    "swap rates above 0": Case(figures.swap_rate_curves, swaps(["AP"], zero_from=21, empty_from=21)),
    "rank changes": Case(figures.rank_changes, changes(BATTERY[:4], 10)),
    "rank changes of the battery": Case(figures.rank_changes, changes(BATTERY, 129)),
    "rank changes of long measures": Case(figures.rank_changes, changes([MEASURE, "AP"], 5), {"by": MEASURE}),
    "rank changes of one": Case(figures.rank_changes, changes([WIDE], 1)),
}


def figure_of(name: str, width: str = "column") -> figures.Figure:
    """The figure of a case, drawn once for all tests that only look at it."""
    return _drawn(name, width)


@cache  # which takes a default that is left out for another argument than the same one given
def _drawn(name: str, width: str) -> figures.Figure:
    return CASES[name].drawn(width)
