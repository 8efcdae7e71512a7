"""Lock a study, or the rows of a worker's action in the order that the package describes."""

from judging.core.statements import Prepared
from judging.models import Assignment, Participation, Study

_PARTICIPATION = Prepared(
    lambda key: Participation.objects.select_for_update(no_key=True).filter(pk=key).order_by("pk"), key=int
)
_ASSIGNMENT = Prepared(
    lambda worker, number: (
        Assignment.objects.select_for_update(no_key=True, of=("participation", "self"))
        .select_related("participation")
        .filter(participation_id=worker, number=number)
        .order_by("pk")
    ),
    worker=int,
    number=int,
)


def lock_study(study: Study) -> Study:
    """Lock a study and return its current row. Other changes to the study wait."""
    return Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def lock_participation(participation: Participation) -> Participation:
    """Lock a participation and return its current row, with the study that the caller has read.

    Other actions of the same worker wait. Only the state of a study can change while workers judge. The lock
    can take time, so reservations read the state again (`study_state`).

    Raise Participation.DoesNotExist if it has been deleted.
    """
    locked = _PARTICIPATION.first(key=participation.pk)
    if locked is None:
        raise Participation.DoesNotExist(f"participation {participation.pk} has been deleted")
    locked.study = participation.study
    return locked


def lock_assignment(participation: Participation, number: int) -> Assignment | None:
    """Lock a participation and then its assignment with this number, and return the assignment.

    Its participation is as `lock_participation` returns it. Return None and lock nothing if there is no such
    assignment. PostgreSQL locks the rows in the order in which the statement names the tables.
    """
    assignment = _ASSIGNMENT.first(worker=participation.pk, number=number)
    if assignment:
        assignment.participation.study = participation.study
    return assignment
