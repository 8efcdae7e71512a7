"""The expected end, by hand."""

from datetime import UTC, datetime, timedelta

from judging.protocol.pace import Pace, window

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


def test_what_is_left_at_the_pace_of_the_last_hours() -> None:
    pace = Pace(done=30, span=6 * HOUR, until=NOON)
    assert pace.per_hour == 5
    assert pace.end(20) == NOON + 4 * HOUR
    assert pace.end(0) == NOON


def test_without_a_pace_there_is_no_end() -> None:
    assert Pace(0, 6 * HOUR, NOON).end(20) is None
    assert Pace(1, 6 * HOUR, NOON).end(20_000) is None, "13 years are no answer"
    assert Pace(1, 6 * HOUR, NOON).end(10**12) is None


def test_a_young_study_is_judged_by_its_age() -> None:
    assert window(first=None, now=NOON) is None
    assert window(first=NOON - timedelta(minutes=29), now=NOON) is None
    assert window(first=NOON - 2 * HOUR, now=NOON) == 2 * HOUR
    assert window(first=NOON - 9 * HOUR, now=NOON) == 6 * HOUR
