"""What a worker sees next. The server alone knows the step: a wrong address redirects to it."""

from enum import StrEnum

from judging.protocol.states import ENDED_PARTICIPATIONS, AssignmentState, ParticipationState


class Step(StrEnum):
    """The pages of a worker's way, in the order in which they come."""

    INSTRUCTIONS = "instructions"
    PRACTICE = "practice"
    TASK = "task"
    TOPIC = "topic"
    JUDGE = "judge"
    UNITS = "units"
    END = "end"


def next_step(participation: ParticipationState, *, live: AssignmentState | None, had_units: bool) -> Step:
    """The page that belongs to a participation.

    `live` is the state of its live assignment, if there is one; `had_units` whether it was ever shown a
    topic. `Step.UNITS` is the page between units, where every outcome of a unit is told.
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
