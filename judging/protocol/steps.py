"""Choose the page that a worker sees next. Requests for other pages are redirected to it."""

from enum import StrEnum

from judging.protocol.states import ENDED_PARTICIPATIONS, AssignmentState, ParticipationState


class Step(StrEnum):
    """The pages for a worker, in order."""

    INSTRUCTIONS = "instructions"
    PRACTICE = "practice"
    TASK = "task"
    TOPIC = "topic"
    JUDGE = "judge"
    UNITS = "units"
    END = "end"


def next_step(participation: ParticipationState, *, live: AssignmentState | None, had_units: bool) -> Step:
    """Return the next page for a participation.

    `live` is the state of the worker's live assignment, or None if there is none. `had_units` says whether
    the worker has ever seen a topic. `Step.UNITS` is the page between units, which shows how the last unit
    ended.
    """
    if participation in ENDED_PARTICIPATIONS:
        return Step.END
    if participation == ParticipationState.CONSENTED:
        return Step.INSTRUCTIONS
    if participation == ParticipationState.PRACTISING:
        return Step.PRACTICE
    if live is None:
        return Step.UNITS if had_units else Step.TASK
    return Step.TOPIC if live == AssignmentState.QUESTION else Step.JUDGE
