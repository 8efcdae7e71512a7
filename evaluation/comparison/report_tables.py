"""The parts of a comparison as tables for people to read, with marks and the notes that explain them."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice, product
from string import ascii_lowercase
from typing import Any, Final, Literal

import polars as pl

from ..measures import lower_is_better
from ..options import checked
from ..rendering import Cell, Table, format_p, formatter
from ..result.table import Estimator
from ..showing import counted
from .choices import Choices
from .pair_tests import TESTS

Part = Literal["result", "means", "estimates", "pairs", "overall", "correlations", "top_sets"]
Marks = dict[tuple[str, str], str]
"""The marks of each mean, keyed by measure and run."""

SYMBOLS: Final = ("*", "†", "‡", "§", "¶", "#")
"""The marks of the tests against a baseline, in the order of the tests."""
_BETWEEN: Final = "|"
"""The separator between the marks of one test and those of the next test."""


@checked
def table_of(
    part: Part,
    table: pl.DataFrame,
    pairs: pl.DataFrame,
    choices: Choices,
    digits: int,
    *,
    estimator: Estimator = "observed",
) -> Table:
    """Return `part` as a table for people to read.

    `estimator` says how the means were computed. Raise `InputError` for `digits` outside 0–17.
    """
    if part == "means":
        return _means(table, pairs, choices, digits, estimator=estimator)
    if part == "correlations":
        return _correlations(table, choices, digits)
    return _rows(part, table, choices, digits)


def keys(number: int) -> list[str]:
    """Return short names for `number` runs: a, b, …, z, aa, ab and so on."""
    names = ("".join(letters) for length in count(1) for letters in product(ascii_lowercase, repeat=length))
    return list(islice(names, number))


def marks(pairs: pl.DataFrame, runs: Sequence[str], choices: Choices) -> Marks:
    """Return the marks of the means. Each mark stands for a comparison whose adjusted p is below `alpha`.

    With a baseline, each test has its own symbol, which marks the runs that are better or worse than the
    baseline. Without a baseline, the marks of a run are the short names (see `keys`) of the runs that are
    worse. There is a separate group of names for each test.
    """
    below = pairs.filter(pl.col("adjusted") < choices.alpha)
    if choices.baseline is not None:
        symbol = dict(zip(choices.tests, SYMBOLS, strict=False))
        result: Marks = {}
        for measure, test, run in below.select("measure", "test", "first").iter_rows():
            result[measure, run] = result.get((measure, run), "") + symbol[test]
        return result
    key, between = dict(zip(runs, keys(len(runs)), strict=True)), "," * (len(runs) > len(ascii_lowercase))
    lower: dict[tuple[str, str, str], list[str]] = {}
    for row in below.iter_rows(named=True):
        is_first = (row["difference"] > 0) != lower_is_better(row["measure"])
        winner, loser = (row["first"], row["second"])[:: 1 if is_first else -1]
        lower.setdefault((row["measure"], winner, row["test"]), []).append(loser)
    of_tests: dict[tuple[str, str], list[str]] = {}
    for (measure, winner, test), losers in lower.items():
        groups = of_tests.setdefault((measure, winner), [""] * len(choices.tests))
        groups[choices.tests.index(test)] = between.join(key[run] for run in runs if run in losers)
    return {place: _BETWEEN.join(groups) for place, groups in of_tests.items()}


def _means(
    means: pl.DataFrame, pairs: pl.DataFrame, choices: Choices, digits: int, *, estimator: Estimator
) -> Table:
    write = formatter(digits)
    runs = means["run"].unique(maintain_order=True).to_list()
    measures = means["measure"].unique(maintain_order=True).to_list()
    raised = marks(pairs, runs, choices)
    cells = {
        (measure, run): Cell(
            write(mean),
            raised.get((measure, run), ""),
            "" if low is None else f"[{write(low)}, {write(high)}]",
        )
        for measure, run, mean, low, high in means.select("measure", "run", "mean", "low", "high").iter_rows()
    }
    heads = ("run",) if choices.baseline is not None else ("key", "run")
    rows = tuple(
        (
            *((Cell(key),) if len(heads) == 2 else ()),
            Cell(run),
            *(cells[measure, run] for measure in measures),
        )
        for key, run in zip(keys(len(runs)), runs, strict=True)
    )
    topics = counted(max(means["topics"].to_list(), default=0), "topic")
    caption = f"Means of {counted(len(runs), 'run')} over {topics}"
    notes = tuple(_notes(means, choices, estimator=estimator))
    return Table(caption, (*heads, *measures), rows, len(heads), notes)


def _notes(means: pl.DataFrame, choices: Choices, *, estimator: Estimator) -> Iterator[str]:
    """Yield the notes that explain the brackets and the marks of the means."""
    if means["low"].null_count() < len(means):
        kind = (
            "Student's t" if choices.interval == "t" else f"bootstrap, {choices.resamples} samples of topics"
        )
        kind = _KINDS.get(estimator, kind)
        yield f"[low, high]: {choices.level * 100:g} % interval of the mean for new topics ({kind})."
    if not choices.tests:
        return
    limit = f"p < {choices.alpha:g}"
    titles = [TESTS[name].title for name in choices.tests]
    if choices.baseline is not None:
        for symbol, title in zip(SYMBOLS, titles, strict=False):
            yield f"{symbol}: differs from {choices.baseline}, {limit} ({title})."
    else:
        named = f" {_BETWEEN} ".join(titles)
        yield f"Superscripts: keys of the runs that are worse, {limit} ({named})."
    separate = [TESTS[name].title for name in choices.tests if not TESTS[name].is_joint]
    if choices.correction == "holm" and separate:
        subject = "p" if len(separate) == len(titles) else f"the p of the {' and the '.join(separate)}"
        family = "for all measures together" if choices.family == "all" else "separately for each measure"
        pairs = "all pairs" if choices.baseline is None else "all comparisons with the baseline"
        yield f"Holm's method adjusts {subject} for {pairs}, {family}."


def _correlations(table: pl.DataFrame, choices: Choices, digits: int) -> Table:
    write = formatter(digits)
    measures = table["first"].unique(maintain_order=True).to_list()
    values = {(first, second): value for first, second, value in table.iter_rows()}
    rows = tuple(
        (Cell(first), *(Cell(write(values[first, second])) for second in measures)) for first in measures
    )
    caption = f"Correlation of the runs' means between measures ({choices.statistic})"
    return Table(caption, ("measure", *measures), rows)


_KINDS: Final[dict[Estimator, str]] = {
    "corrected": "Student's t, corrected for the noise of the judgments",
    "sampled": "Student's t, widened for skewness, from a sample of the documents",
}
"""The kinds of interval that depend on how the means were computed."""
_CAPTIONS: Final[dict[str, Callable[[Choices], str]]] = {
    "estimates": lambda choices: (
        f"Means estimated from a sample, with {choices.level * 100:g} % intervals, by target and evidence"
    ),
    "pairs": lambda choices: "Comparisons of two runs",
    "overall": lambda choices: "Tests of all runs together",
    "top_sets": lambda choices: (
        f"Top sets: the best run, and those with p ≥ {choices.alpha:g} against it "
        f"({TESTS['wilcoxon'].title}, "
        f"{'not adjusted' if choices.correction == 'none' else 'adjusted for all pairs'})"
    ),
}


def _rows(part: str, table: pl.DataFrame, choices: Choices, digits: int) -> Table:
    """Return a part of the comparison as a table for people to read, with the rows and columns of `table`.

    The text columns to the left of the first number column are the headings of the rows.
    """
    heads = next((place for place, kind in enumerate(table.dtypes) if kind != pl.String), 1)
    write = formatter(digits)

    def cell(column: str, value: Any) -> Cell:
        if column in ("p", "adjusted"):
            return Cell(format_p(value, digits))
        return Cell(write(value) if isinstance(value, float | None) else str(value))

    rows = tuple(tuple(map(cell, table.columns, row)) for row in table.iter_rows())
    return Table(_CAPTIONS[part](choices), tuple(table.columns), rows, heads, tuple(_effects(part, choices)))


def _effects(part: str, choices: Choices) -> Iterator[str]:
    """If the part is `pairs`, yield a note that names the effect size of each test."""
    named = [f"{TESTS[name].effect} for {name}" for name in choices.tests if TESTS[name].effect]
    if part == "pairs" and named:
        yield f"effect: {', '.join(named)}."
