"""What must be true of a study's rows after any load, whoever acted at the same moment."""

from collections import Counter
from collections.abc import Iterator

from judging.models import Assignment, Judgment, Study, Unit, Visit
from judging.protocol.states import HOLDING, LIVE, UnitState


def broken_invariants(study: Study) -> list[str]:
    """A line for each invariant broken in the study; none is how it should be."""
    return [*_of_units(study), *_of_assignments(study), *_of_visits(study)]


def _of_units(study: Study) -> Iterator[str]:
    holders = Counter(
        Assignment.objects.filter(
            participation__study=study, state__in=HOLDING, judgments_deleted_at__isnull=True
        ).values_list("unit_id", "state")
    )
    held_live = {unit for (unit, state) in holders if state in LIVE}
    held_done = {unit for (unit, state) in holders if state == "completed"}
    for unit in Unit.objects.filter(topic__study=study):
        if (unit.state == UnitState.RESERVED) != (unit.pk in held_live):
            yield f"unit {unit} is {unit.state}, held live: {unit.pk in held_live}"
        if (unit.state == UnitState.DONE) != (unit.pk in held_done):
            yield f"unit {unit} is {unit.state}, completed: {unit.pk in held_done}"
        if unit.state == UnitState.OPEN and unit.topic.retired_at:
            yield f"unit {unit} of a retired topic is open"
    yield from (f"unit {unit} is held {times} times" for (unit, _), times in holders.items() if times > 1)


def _of_assignments(study: Study) -> Iterator[str]:
    size = study.unit_size
    for assignment in Assignment.objects.filter(participation__study=study).select_related("topic"):
        judgments = list(Judgment.objects.filter(assignment=assignment).select_related("pool_document"))
        if assignment.judgment_count != (len(judgments) if assignment.state == "completed" else 0):
            yield f"assignment {assignment} counts {assignment.judgment_count} of {len(judgments)} judgments"
        if assignment.judgments_deleted_at:
            if judgments:
                yield f"assignment {assignment} keeps answers that were to be deleted"
            continue
        began = assignment.state in {"judging", "revising", "completed"}
        if began and [one.position for one in judgments] != list(range(size)):
            yield f"assignment {assignment} has no answer for every document"
        if began and Counter(one.pool_document.anchor for one in judgments) != {"": size - 2, "H": 1, "N": 1}:
            yield f"assignment {assignment} has not the two anchors"
        if assignment.state == "completed" and not all(one.given for one in judgments):
            yield f"assignment {assignment} is completed with a gap"
        if not began and assignment.state != "lapsed" and judgments:
            yield f"assignment {assignment} is {assignment.state} and keeps answers"
        if assignment.topic.pk != assignment.unit.topic_id:
            yield f"assignment {assignment} names another topic than its unit"


def _of_visits(study: Study) -> Iterator[str]:
    visits = Visit.objects.filter(assignment__participation__study=study)
    for visit in visits.select_related("assignment", "judgment"):
        if visit.judgment.assignment_id != visit.assignment_id:
            yield f"visit {visit} joins two assignments"
        if visit.closed_at is None and not visit.assignment.live:
            yield f"visit {visit} is open, its assignment has ended"
        if visit.closed_at is None and visit.judgment.position != visit.assignment.cursor:
            yield f"visit {visit} is open away from the cursor"
