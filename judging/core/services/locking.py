"""Taking locks: of a study, and those of a worker's action in the order that the package names."""

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
    """The study as it is now; whoever else changes it, or what belongs to it, waits."""
    return Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def lock_participation(participation: Participation) -> Participation:
    """The participation as it is now, with its study as the caller has read it.

    Whoever else acts for the same worker waits. A study stands still while it is judged, but for its state:
    who hands out work asks for that again (`study_state`), since a lock may take its time.

    Raises Participation.DoesNotExist where it was deleted meanwhile.
    """
    locked = _PARTICIPATION.first(key=participation.pk)
    if locked is None:
        raise Participation.DoesNotExist(f"participation {participation.pk} is not there any more")
    locked.study = participation.study
    return locked


def lock_assignment(participation: Participation, number: int) -> Assignment | None:
    """The worker's assignment of that number, with the participation as `lock_participation` returns it.

    Locks both, in this order, or neither where there is no such assignment: PostgreSQL takes the locks of a
    row in the order in which the statement names the tables.
    """
    assignment = _ASSIGNMENT.first(worker=participation.pk, number=number)
    if assignment:
        assignment.participation.study = participation.study
    return assignment
