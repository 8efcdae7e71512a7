"""The states of studies, participations, units and assignments, and the states that a study can change to."""

from datetime import datetime
from enum import StrEnum
from typing import Final

from judging.protocol.words import WordedEnum
from judging.protocol.words import gettext_noop as _


class StudyState(StrEnum):
    DRAFT = _("draft")
    OPEN = _("open")
    PAUSED = _("paused")
    CLOSED = _("closed")


class NoWork(StrEnum):
    """Why a worker cannot get a unit now. Pages show these values as codes.

    To add a reason, add it here, to `judging.core.selectors.units` and to `worker/_no_work.html`.
    """

    DRAFT = "draft"
    CLOSED = "closed"
    OVER = "over"
    WORKER = "worker"
    """The worker has done as many units as one worker may do."""
    EVERY_TOPIC = "every_topic"
    PREVIEW_OVER = "preview_over"
    NO_TOPIC = "no_topic"
    """The study has no topic. This happens only in previews."""
    ALL_DONE = "all_done"
    PAUSED = "paused"
    NOT_YET = "not_yet"
    RECORD = "record"
    """The worker's record looks like guessing, and a researcher has not looked at it yet."""
    MONEY = "money"
    VISIT = "visit"
    NEXT_ROUND = "next_round"
    """The units of the next round of an adaptive study are not planned yet."""
    RESERVED = "reserved"


FINAL: Final = (NoWork.CLOSED, NoWork.OVER)
"""The reasons of a study that stay, whatever workers do."""


class ParticipationState(WordedEnum):
    CONSENTED = _("consented")
    PRACTISING = _("practising")
    READY = _("ready")
    SCREENED_OUT = "screened_out", _("screened out")
    BLOCKED = _("blocked")
    WITHDRAWN = _("withdrawn")


class UnitState(StrEnum):
    OPEN = _("open")
    RESERVED = _("reserved")
    DONE = _("done")
    RETIRED = _("retired")


class AssignmentState(WordedEnum):
    QUESTION = _("question")
    JUDGING = _("judging")
    REVISING = _("revising")
    COMPLETED = _("completed")
    COMPREHENSION_FAILED = "comprehension_failed", _("comprehension failed")
    CHECKS_FAILED = "checks_failed", _("checks failed")
    LAPSED = _("lapsed")
    RETURNED = _("returned")
    CANCELLED = _("cancelled")
    REPORTED = _("reported")


class Grade(StrEnum):
    """Known grades, ascending: not relevant, marginally relevant, relevant, highly relevant."""

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
"""The states in which an assignment holds its unit, so that no other worker can get it."""
COMPENSATED: Final = (
    AssignmentState.CANCELLED,
    AssignmentState.CHECKS_FAILED,
    AssignmentState.LAPSED,
    AssignmentState.REPORTED,
    AssignmentState.RETURNED,
)
"""The final states in which an assignment can be paid although its unit is not completed.

The study's settings say what to pay for cancelled units, reported documents and failed checks. Owners can
also compensate workers for units that they lost because of a bad topic.
"""

STUDY_MOVES: Final[dict[StudyState, tuple[StudyState, ...]]] = {
    StudyState.DRAFT: (StudyState.OPEN,),
    StudyState.OPEN: (StudyState.PAUSED, StudyState.CLOSED),
    StudyState.PAUSED: (StudyState.OPEN, StudyState.CLOSED),
    StudyState.CLOSED: (),
}


def may_move(current: StudyState, wanted: StudyState) -> bool:
    """Return whether a study can change from state `current` to `wanted`. Closing is final."""
    return wanted in STUDY_MOVES[current]


def why_shut(
    state: StudyState, *, opens_at: datetime | None, closes_at: datetime | None, now: datetime
) -> NoWork | None:
    """Return why nobody can reserve a unit, or None if the study is open and `now` is within its dates."""
    if state in {StudyState.DRAFT, StudyState.CLOSED}:
        return NoWork(state)
    if closes_at is not None and closes_at <= now:
        return NoWork.OVER
    if state == StudyState.PAUSED:
        return NoWork.PAUSED
    return NoWork.NOT_YET if opens_at is not None and now < opens_at else None


def takes_work(
    state: StudyState, *, opens_at: datetime | None, closes_at: datetime | None, now: datetime
) -> bool:
    """Return whether workers can reserve units: the study is open and `now` is within its dates."""
    return why_shut(state, opens_at=opens_at, closes_at=closes_at, now=now) is None
