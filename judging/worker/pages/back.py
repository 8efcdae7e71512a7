"""The link back to the platform, chosen so that workers do not lose the pay for completed work."""

from dataclasses import dataclass, replace

from judging.core.selectors.payments import latest_submission_id, paid_work
from judging.models import Assignment, Participation, Study
from judging.protocol.paying import PayDecision
from judging.protocol.platforms import platform_of
from judging.protocol.states import AssignmentState, ParticipationState


@dataclass(frozen=True)
class ReturnLink:
    """The link that takes a worker back to the platform.

    `external` says whether workers come from another site and return there. `paid` says whether the worker
    has completed a unit. If so, the link submits the last completion code. `link` is empty if the study has
    no link back to the platform. If `framed` is true, the worker submits a form in the platform's
    frame instead of following a link.
    """

    external: bool
    paid: bool = False
    link: str = ""
    framed: bool = False


def unpaid_return_link(study: Study) -> ReturnLink:
    """Return the link for people who have completed nothing or have not agreed to take part."""
    platform = platform_of(study)
    return ReturnLink(
        platform.is_external, link=platform.no_work_link(study), framed=bool(platform.framed_by)
    )


def pay_and_return_link(participation: Participation) -> dict[str, object]:
    """Return the template context about pay: the paid work with its codes, and the link to the platform."""
    paid = paid_work(participation)
    completed = [unit for unit in paid if unit.state == AssignmentState.COMPLETED]
    ends: list[Assignment | Participation] = [*paid, participation]
    amounts = [row.amount for row in ends if row.pay_decision == PayDecision.PAY]
    return {
        "completed": completed,
        "paid_work": paid,
        "screened_out_pay": participation.compensation,
        "screened_out": participation,
        "under_review": any(row.pay_decision == PayDecision.HOLD for row in ends),
        "total_pay": sum(amounts) if sum(1 for amount in amounts if amount) > 1 else None,
        "back": _return_link(participation, completed),
    }


def _return_link(participation: Participation, completed: list[Assignment]) -> ReturnLink:
    # After completed work, offer only the link that pays for it.
    study = participation.study
    platform, unpaid = platform_of(study), unpaid_return_link(study)
    if completed:
        link = platform.completion_link(
            study, code=completed[-1].completion_code or "", submission_id=latest_submission_id(participation)
        )
        return ReturnLink(platform.is_external, paid=True, link=link, framed=bool(platform.framed_by))
    screened_out = participation.state == ParticipationState.SCREENED_OUT
    link = platform.screen_out_link(study) if screened_out else ""
    return replace(unpaid, link=link) if link else unpaid
