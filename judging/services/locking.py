"""Taking the locks of a worker's action, in the order that the package names."""

from judging.models import Assignment, Participation


def lock_participation(participation: Participation) -> Participation:
    """The participation as it is now, with its study; whoever else acts for the same worker waits."""
    return (
        Participation.objects.select_for_update(no_key=True, of=("self",))
        .select_related("study")
        .get(pk=participation.pk)
    )


def lock_assignment(participation: Participation, number: int) -> Assignment | None:
    """The worker's assignment of that number, or None; `participation` must be locked already."""
    assignment = (
        Assignment.objects.select_for_update(no_key=True)
        .filter(participation=participation, number=number)
        .order_by("pk")
        .first()
    )
    if assignment:
        assignment.participation = participation
    return assignment
