"""Check (d): seconds as the server counts them."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.protocol.timing import is_too_soon, short_documents, visit_seconds

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
CAP = 15 * 60


@pytest.mark.parametrize(
    ("seconds", "counted"),
    [
        (0, 0),
        (0.25, 0.25),
        (20, 20),
        (899.5, 899.5),
        (900, 900),
        (901, 900),
        (86_400, 900),
        (-1, 0),
        (-1e6, 0),
    ],
)
def test_a_visit_is_never_negative_and_counts_at_most_fifteen_minutes(seconds: float, counted: float) -> None:
    assert visit_seconds(NOON, NOON + timedelta(seconds=seconds), most=CAP) == counted


@given(st.floats(-1e6, 1e6))
def test_counted_seconds_stay_in_range(seconds: float) -> None:
    assert 0 <= visit_seconds(NOON, NOON + timedelta(seconds=seconds), most=CAP) <= CAP


def test_short_documents_are_those_below_the_limit() -> None:
    assert short_documents([20, 20.0, 900], least=20) == 0
    assert short_documents([19.999, 20, 0, 19], least=20) == 3
    assert short_documents([0, 0], least=0) == 0


@pytest.mark.parametrize(
    ("seconds", "too_soon"), [(-1, False), (0, True), (4.999, True), (5, False), (6, False)]
)
def test_an_answer_is_too_soon_before_the_least_time_and_not_at_it(seconds: float, too_soon: bool) -> None:
    assert is_too_soon(NOON, NOON + timedelta(seconds=seconds), least=5) is too_soon
