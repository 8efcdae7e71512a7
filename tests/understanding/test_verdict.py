"""Which run is the best, in a sentence."""

import polars as pl
import pytest

from judging.analysis.reports.systems import verdict


def means(*rows: tuple[str, int, float | None]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"run": pl.String, "topics": pl.Int64, "p": pl.Float64}, orient="row")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("a", 9, 1.0)], "a is the only run."),
        (
            [("a", 9, 1.0), ("b", 9, None)],
            "a has the best mean, and all others are told apart from it.",
        ),
        (
            [("a", 9, 1.0), ("b", 9, 0.2), ("c", 9, None)],
            "a has the best mean; not told apart from it: b.",
        ),
        (
            [("a", 4, 1.0), ("b", 4, 0.625), ("c", 4, 0.125)],
            "a has the best mean; not told apart from it: b, c;"
            " on so few topics (4) p cannot be under 0.125, so that no two can be.",
        ),
        (
            [("a", 30, 1.0), *((f"r{n}", 30, 0.5) for n in range(7))],
            "a has the best mean; not told apart from it: r0, r1, r2, r3, r4 and 2 more.",
        ),
    ],
)
def test_the_best_run_and_those_beside_it(rows: list[tuple[str, int, float | None]], said: str) -> None:
    assert verdict(means(*rows)) == said


def test_six_topics_are_enough_for_a_difference() -> None:
    assert "cannot be under" in verdict(means(("a", 5, 1.0), ("b", 5, 0.0625)))
    assert "cannot be under" not in verdict(means(("a", 6, 1.0), ("b", 6, 0.0625)))
