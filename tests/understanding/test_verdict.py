"""The sentences that name the best run."""

import re

import polars as pl
import pytest

from evaluation.report.means import verdict


def means(*rows: tuple[str, int, float | None]) -> pl.DataFrame:
    table = pl.DataFrame(
        rows, schema={"run": pl.String, "topics": pl.Int64, "adjusted": pl.Float64}, orient="row"
    )
    return table.with_columns(p=pl.col("adjusted"))


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ([("run1", 9, None)], ["run1"]),
        ([("run1", 9, None), ("run2", 9, 0.04)], ["run1"]),
        ([("run1", 9, None), ("run2", 9, 0.2), ("run3", 9, 0.04)], ["run1", "run2"]),
        (
            [("run1", 4, None), ("run2", 4, 0.625), ("run3", 4, 0.375)],
            ["run1", "run2", "run3", "4", "0.375"],
        ),
        (
            [(f"run{n}", 30, None if n == 1 else 0.5) for n in range(1, 9)],
            [*(f"run{n}" for n in range(1, 7)), "2"],
        ),
    ],
)
def test_the_best_run_and_those_beside_it(
    rows: list[tuple[str, int, float | None]], named: list[str]
) -> None:
    """They name the runs that the test cannot separate, and with few topics the smallest possible p."""
    assert names_and_numbers(" ".join(map(str, verdict(means(*rows), 0.05)))) == named


def names_and_numbers(sentence: str) -> list[str]:
    return re.findall(r"\brun\d+|\b\d+(?:\.\d+)?", sentence)


def test_six_topics_are_enough_for_a_difference() -> None:
    few, enough = (
        " ".join(map(str, verdict(means(("a", topics, None), ("b", topics, 0.0625)), 0.05)))
        for topics in (5, 6)
    )
    assert names_and_numbers(few) == ["5", "0.0625"]
    assert names_and_numbers(enough) == []
