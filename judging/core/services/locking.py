"""Lock a study, or the rows for a worker's action. The docstring of this package gives the order of locks."""

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
    locked = Participation.objects.select_for_update(no_key=True).get(pk=participation.pk)
    locked.study = participation.study
    return locked


def lock_assignment(participation: Participation, number: int) -> Assignment | None:
    """Lock a participation and then its assignment with this number, and return the assignment.

    The study is not read again: it is the same object as in `participation`. If the assignment does not
    exist, return None and lock nothing. PostgreSQL locks the rows in the order in which the query's argument
    `of` names their tables: the participation first.
    """
    assignment = (
        Assignment.objects.select_for_update(no_key=True, of=("participation", "self"))
        .select_related("participation")
        .filter(participation=participation, number=number)
        .order_by("pk")
        .first()
    )
    if assignment:
        assignment.participation.study = participation.study
    return assignment
