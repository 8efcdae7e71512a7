"""Means of runs under several gain schemes, compared by Friedman's test [JK02, table II]."""

from collections.abc import Sequence
from itertools import combinations
from string import ascii_lowercase
from typing import Final, Literal

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..comparison.friedman import FriedmanResult, conover, friedman
from ..conventions import Ties
from ..errors import InputError, shown
from ..frames import Gains
from ..measures import Measures, several
from ..options import checked
from ..runs import Run
from ..scores import score
from .schemes import JK, SCHEMES, refuse_empty, with_scheme

MEASURES: Final = ("AnCG@200", f"AnDCG({JK})@200")
Marks = Literal["letters", "stars"]
STARS: Final = ((0.01, "**"), (0.05, "*"))
"""The levels of significance that [JK02] marks, the strictest first."""
FRIEDMAN: Final = "Friedman’s p"
"""The name of the last row of `scheme_table`."""
TABLE = {
    "scheme": pl.String,
    "measure": pl.String,
    "letter": pl.String,
    "run": pl.String,
    "mean": pl.Float64,
    "marks": pl.String,
    "friedman_p": pl.Float64,
}
PAIRS = {
    "scheme": pl.String,
    "measure": pl.String,
    "first": pl.String,
    "second": pl.String,
    "p": pl.Float64,
}


@checked
def scheme_means(
    gains: Gains,
    runs: Sequence[Run],
    *,
    measures: Measures = MEASURES,
    schemes: Sequence[str] = SCHEMES,
    alpha: float = 0.05,
    marks: Marks = "letters",
    ties: Ties = "trec_eval",
) -> pl.DataFrame:
    """Return the mean of each run by each measure and scheme, and mark significant differences between runs.

    `gains` are grades. Each run gets a letter, starting with a. The `marks` of a run are the letters of the
    runs that differ significantly from it (at the level `alpha`). The test is Conover's comparison after
    Friedman's test. If Friedman's p is not below `alpha`, there are no marks. If no document of a topic has a
    gain above 0 under a scheme, the topic is left out of the results for that scheme.

    With `marks="stars"`, the marks say which run is better, as in [JK02]. They are the letters of the runs
    with a significantly lower rank sum. Each letter has a star if p is below .05, or two if it is below .01.

    Return `scheme, measure, letter, run, mean, marks, friedman_p`. Rows are in the order of `schemes`,
    `measures` and `runs`. Raise `InputError` for fewer than two runs or fewer than two topics, for a measure
    that takes no scheme, and for a grade that a scheme does not cover.
    """
    letters = [letter_of(place) for place in range(len(runs))]
    rows = []
    for scheme, measure, means, test in _tested(gains, runs, measures, schemes, ties):
        of_runs = _differing(test, letters, alpha) if marks == "letters" else _better(test, letters, alpha)
        for place, of_run in enumerate(of_runs):
            own = letters[place], runs[place].tag, float(means[place])
            rows.append((scheme, measure, *own, " ".join(of_run), test.p))
    return pl.DataFrame(rows, schema=TABLE, orient="row")


def scheme_table(means: pl.DataFrame, measure: str) -> pl.DataFrame:
    """Arrange the means of one measure as in table II of [JK02]: a row per run, and columns for each scheme.

    `means` comes from `scheme_means`. The first columns are `letter, run`. Each scheme has two more: a column
    of means, named after the scheme, and the column of marks, `differs_SCHEME`. The marks are the letters of
    the runs that differ significantly. The last row has the p-value of Friedman's test under each scheme. Its
    letter is "" and its run is `Friedman’s p`. Raise `InputError` for a measure that is not in `means`.
    """
    of_measure = means.filter(measure=measure)
    if of_measure.is_empty():
        raise InputError(
            "measure-not-in-means",
            "the means do not include the measure {measure}; choose from {known}",
            measure=shown(measure),
            known=", ".join(means["measure"].unique(maintain_order=True)),
        )
    parts = of_measure.partition_by("scheme", maintain_order=True)
    columns = [*parts[0].select("letter", "run")]
    last: list[str | float | None] = ["", FRIEDMAN]
    for part in parts:
        scheme = part["scheme"][0]
        columns += [part["mean"].alias(scheme), part["marks"].alias(f"differs_{scheme}")]
        last += [part["friedman_p"][0], ""]
    table = pl.DataFrame(columns)
    return table.vstack(pl.DataFrame([last], schema=table.schema, orient="row"))


@checked
def scheme_differences(
    gains: Gains,
    runs: Sequence[Run],
    *,
    measures: Measures = MEASURES,
    schemes: Sequence[str] = SCHEMES,
    ties: Ties = "trec_eval",
) -> pl.DataFrame:
    """Return the p-value of Conover's comparison for every pair of runs, regardless of Friedman's p.

    `scheme_means` compares these p-values with `alpha`. The columns are `scheme, measure, first, second, p`.
    Rows are in the order of `schemes`, `measures` and `runs`.
    """
    rows = []
    for scheme, measure, _, test in _tested(gains, runs, measures, schemes, ties):
        p = conover(test, protected=False)
        for (i, first), (j, second) in combinations(enumerate(run.tag for run in runs), 2):
            rows.append((scheme, measure, first, second, None if p is None else float(p[i, j])))
    return pl.DataFrame(rows, schema=PAIRS, orient="row")


def letter_of(place: int) -> str:
    """Return the letter of the run with this index: a … z, then aa, ab and so on."""
    before, last = divmod(place, len(ascii_lowercase))
    return (letter_of(before - 1) if before else "") + ascii_lowercase[last]


def _tested(
    gains: Gains, runs: Sequence[Run], measures: Measures, schemes: Sequence[str], ties: Ties
) -> list[tuple[str, str, FloatArray, FriedmanResult]]:
    """Score the runs by each measure under each scheme, and compare them by Friedman's test.

    Return a tuple for each scheme and measure: the scheme, the measure's name, the runs' means and the result
    of the test.
    """
    refuse_empty(measures=measures, schemes=schemes)
    columns = [
        (scheme, str(name), with_scheme(name, scheme)) for scheme in schemes for name in several(measures)
    ]
    scores = score(gains, runs, [measure for *_, measure in columns], ties=ties)
    tests = []
    for place, (scheme, name, _) in enumerate(columns):
        values = scores.values[..., place]
        test = friedman(values)
        tests.append((scheme, name, np.nanmean(values, axis=1), test))
    return tests


def _differing(test: FriedmanResult, letters: Sequence[str], alpha: float) -> list[list[str]]:
    """Return, for each run, the letters of the runs that differ significantly from it."""
    p = conover(test, alpha=alpha)
    if p is None:
        return [[] for _ in letters]
    return [[letter for letter, value in zip(letters, row, strict=True) if value < alpha] for row in p]


def _better(test: FriedmanResult, letters: Sequence[str], alpha: float) -> list[list[str]]:
    """Return, for each run, the letters of the runs with a significantly lower rank sum, with their stars."""
    p = conover(test, alpha=alpha)
    if p is None:
        return [[] for _ in letters]
    return [
        [
            f"{letter}{stars}"
            for letter, value, other in zip(letters, row, test.rank_sums, strict=True)
            if other < own and (stars := next((mark for level, mark in STARS if value < level), ""))
        ]
        for own, row in zip(test.rank_sums, p, strict=True)
    ]
