"""What may follow what, and when a study takes work."""

from datetime import UTC, datetime, timedelta

import pytest

from judging.protocol.states import (
    ENDED_PARTICIPATIONS,
    HOLDING,
    LIVE,
    AssignmentState,
    Grade,
    ParticipationState,
    StudyState,
    UnitState,
    may_move,
    takes_work,
)
from judging.protocol.steps import Step, next_step

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
MOVES = {("draft", "open"), ("open", "paused"), ("paused", "open"), ("open", "closed"), ("paused", "closed")}


def test_the_states_are_those_of_the_protocol() -> None:
    assert list(StudyState) == ["draft", "open", "paused", "closed"]
    assert list(ParticipationState) == [
        *("consented", "practising", "ready"),
        *("screened_out", "blocked", "withdrawn"),
    ]
    assert list(UnitState) == ["open", "reserved", "done", "retired"]
    assert list(AssignmentState) == [
        *("question", "judging", "revising", "completed"),
        *("comprehension_failed", "checks_failed", "lapsed", "returned", "cancelled", "reported"),
    ]
    assert list(Grade) == ["N", "M", "R", "H"]
    assert LIVE == ("question", "judging", "revising")
    assert (*LIVE, "completed") == HOLDING
    assert set(ENDED_PARTICIPATIONS) == {"screened_out", "blocked", "withdrawn"}


@pytest.mark.parametrize("current", StudyState)
@pytest.mark.parametrize("wanted", StudyState)
def test_study_moves(current: StudyState, wanted: StudyState) -> None:
    assert may_move(current, wanted) == ((current, wanted) in MOVES)


@pytest.mark.parametrize("state", StudyState)
def test_only_an_open_study_takes_work(state: StudyState) -> None:
    assert takes_work(state, opens_at=None, closes_at=None, now=NOON) == (state == "open")


@pytest.mark.parametrize(
    ("opens", "closes", "open_now"),
    [(0, None, True), (1, None, False), (-1, None, True), (None, 0, False), (None, 1, True), (-1, 1, True)],
)
def test_dates_include_the_first_moment_and_exclude_the_last(
    opens: int | None, closes: int | None, open_now: bool
) -> None:
    opens_at, closes_at = (
        None if seconds is None else NOON + timedelta(seconds=seconds) for seconds in (opens, closes)
    )
    assert takes_work(StudyState.OPEN, opens_at=opens_at, closes_at=closes_at, now=NOON) == open_now


@pytest.mark.parametrize("live", [None, *LIVE])
@pytest.mark.parametrize("state", ENDED_PARTICIPATIONS)
def test_who_has_ended_sees_the_end(state: ParticipationState, live: AssignmentState | None) -> None:
    assert next_step(state, live=live, had_units=True) == Step.END


@pytest.mark.parametrize(
    ("state", "live", "had_units", "step"),
    [
        ("consented", None, False, Step.INSTRUCTIONS),
        ("practising", None, False, Step.PRACTICE),
        ("ready", None, False, Step.TASK),
        ("ready", "question", True, Step.TOPIC),
        ("ready", "judging", True, Step.JUDGE),
        ("ready", "revising", True, Step.JUDGE),
        ("ready", None, True, Step.UNITS),
    ],
)
def test_the_next_step(state: str, live: str | None, had_units: bool, step: Step) -> None:
    assert (
        next_step(
            ParticipationState(state), live=(live and AssignmentState(live)) or None, had_units=had_units
        )
        == step
    )
