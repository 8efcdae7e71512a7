"""How a page shows the numbers of a report."""

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

from judging.core.pages.numbers import exact, rounded
from judging.understanding.pages.measures import LONGEST, parse_measures
from judging.understanding.reports.catalogue import FIGURES, MEASURES
from judging.understanding.reports.stored_table import table_to_store


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.0, "0"),
        (1.0, "1.000"),
        (0.99996, "1.000"),
        (0.9999999999999999, "1.000"),
        (0.95176, "0.9518"),
        (0.00123456, "0.0012"),
        (12.345, "12.35"),
        (-0.714, "−0.7140"),
        (123456.0, "123500"),
        (1.2e-9, "1.200e−09"),
        (3e7, "3.000e+07"),
    ],
)
def test_four_digits_that_count(value: float, said: str) -> None:
    assert rounded(value) == said


def test_every_digit_is_in_the_element() -> None:
    value = 2.6034611665045917
    assert exact(value) == '<data value="2.6034611665045917">2.603</data>'
    assert exact(None) == exact("") == '<span class="none">–</span>'
    assert (exact(True), exact(False), exact(0), exact("a<b")) == ("yes", "no", "0", "a<b")


def test_a_table_is_kept_as_json_has_it() -> None:
    table = pl.DataFrame({"grade": ["N", "H", "U"], "t": [math.inf, math.nan, -math.inf], "mark": [True] * 3})
    result = table_to_store("key", "Title", table)
    assert result["columns"] == [("grade", False), ("t", True), ("mark", False)]
    wanted: list[list[Any]] = [["N", "∞", True], ["H", None, True], ["U", "−∞", True]]
    assert result["rows"] == wanted
    value = float(np.nextafter(0.1, 1))
    assert table_to_store("k", "T", pl.DataFrame({"x": [value]}))["rows"] == [[value]]


def test_measures_are_read_line_by_line() -> None:
    assert parse_measures(" nDCG@10 \n\nnDCG@10\nP( rel = 2 )@5") == (["nDCG@10", "P(rel=2)@5"], [])
    measures, faults = parse_measures("nDCG@10\nno such thing\nAP@x")
    assert measures == ["nDCG@10"]
    assert [fault[:7] for fault in faults] == ["Line 2:", "Line 3:"]
    assert parse_measures("P@1\n" * LONGEST)[1]


def test_what_is_offered_can_be_asked_for() -> None:
    for measures in (MEASURES, *(figure.measures for figure in FIGURES.values() if figure.measures)):
        assert parse_measures("\n".join(measures)) == (list(measures), [])
