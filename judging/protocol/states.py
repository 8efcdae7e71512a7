"""The states that studies, participations, units and assignments pass through, and what may follow what."""

from datetime import datetime
from enum import StrEnum
from typing import Final


class StudyState(StrEnum):
    DRAFT = "draft"
    OPEN = "open"
    PAUSED = "paused"
    CLOSED = "closed"


class ParticipationState(StrEnum):
    CONSENTED = "consented"
    PRACTISING = "practising"
    READY = "ready"
    SCREENED_OUT = "screened_out"
    BLOCKED = "blocked"
    WITHDRAWN = "withdrawn"


class UnitState(StrEnum):
    OPEN = "open"
    RESERVED = "reserved"
    DONE = "done"
    RETIRED = "retired"


class AssignmentState(StrEnum):
    QUESTION = "question"
    JUDGING = "judging"
    REVISING = "revising"
    COMPLETED = "completed"
    COMPREHENSION_FAILED = "comprehension_failed"
    CHECKS_FAILED = "checks_failed"
    LAPSED = "lapsed"
    RETURNED = "returned"
    CANCELLED = "cancelled"


class Grade(StrEnum):
    """Known ordinal levels of a document, ascending: not, marginally, relevant, highly relevant."""

    N = "N"
    M = "M"
    R = "R"
    H = "H"


ENDED_PARTICIPATIONS: Final = (
    ParticipationState.SCREENED_OUT,
    ParticipationState.BLOCKED,
    ParticipationState.WITHDRAWN,
)
LIVE: Final = (AssignmentState.QUESTION, AssignmentState.JUDGING, AssignmentState.REVISING)
ENDS: Final = tuple(state for state in AssignmentState if state not in LIVE)
HOLDING: Final = (*LIVE, AssignmentState.COMPLETED)
"""States in which an assignment holds its unit, so that nobody else can have it."""
COMPENSATED: Final = (
    AssignmentState.CANCELLED,
    AssignmentState.CHECKS_FAILED,
    AssignmentState.LAPSED,
    AssignmentState.RETURNED,
)
"""Ends of an attempt that was not completed and may be paid for: by a forced closing, or for a bad topic."""

STUDY_MOVES: Final[dict[StudyState, tuple[StudyState, ...]]] = {
    StudyState.DRAFT: (StudyState.OPEN,),
    StudyState.OPEN: (StudyState.PAUSED, StudyState.CLOSED),
    StudyState.PAUSED: (StudyState.OPEN, StudyState.CLOSED),
    StudyState.CLOSED: (),
}


def may_move(current: StudyState, wanted: StudyState) -> bool:
    """Whether a study in state `current` may be put into state `wanted` (closing is final)."""
    return wanted in STUDY_MOVES[current]


def takes_work(
    state: StudyState, *, opens_at: datetime | None, closes_at: datetime | None, now: datetime
) -> bool:
    """Whether units may be reserved: the study is open and `now` lies within its dates, where it has any."""
    began = opens_at is None or opens_at <= now
    ended = closes_at is not None and closes_at <= now
    return state == StudyState.OPEN and began and not ended
