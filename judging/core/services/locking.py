"""Lock a study, or the rows for a worker's action. The docstring of this package gives the order of locks."""

from judging.core.sql import first_row, for_update
from judging.models import Assignment, Participation, Study


def lock_study(study: Study) -> Study:
    """Lock a study, so that other changes to it wait, and return its current row."""
    return Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def lock_participation(participation: Participation) -> Participation:
    """Lock a participation, so that other actions of the worker wait, and return its current row.

    The row's `study` is not read again: it is the same object as in `participation`. The state of the
    study may have changed in the meantime, so reservations read the state again after the lock
    (`study_state`). Raise Participation.DoesNotExist if the participation has been deleted.
    """
    locked = _lock_participation(participation)
    if locked is None:
        raise Participation.DoesNotExist(f"participation {participation.pk} has been deleted")
    return locked


def lock_assignment(participation: Participation, number: int) -> Assignment | None:
    """Lock a participation and then its assignment with this number, and return the assignment.

    Return None if there is no such assignment. The study is not read again, as in `lock_participation`.
    """
    locked = _lock_participation(participation)
    if locked is None:
        return None
    sql = for_update("SELECT * FROM judging_assignment WHERE participation_id = %s AND number = %s")
    assignment = first_row(Assignment, sql, locked.pk, number)
    if assignment:
        assignment.participation = locked
    return assignment


def _lock_participation(participation: Participation) -> Participation | None:
    sql = for_update("SELECT * FROM judging_participation WHERE id = %s")
    locked = first_row(Participation, sql, participation.pk)
    if locked:
        locked.study = participation.study
    return locked
