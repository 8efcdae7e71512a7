"""Reads about a worker's way: who it is, where it stands, and what it has done."""

from django.db.models import BooleanField, ExpressionWrapper, Q

from judging.models import Assignment, Judgment, Participation


def participation_by_token(slug: str, token: str) -> Participation | None:
    return Participation.objects.select_related("study").filter(study__slug=slug, token=token).first()


def current_assignment(participation: Participation) -> Assignment | None:
    """The live assignment, else the last one that ended; with its topic and question."""
    live_first = ExpressionWrapper(Q(ended_at__isnull=True), output_field=BooleanField())
    assignment = (
        participation.assignments.select_related("topic__question")
        .order_by(live_first.desc(), "-number")
        .first()
    )
    if assignment:
        assignment.participation = participation
    return assignment


def judgment_at_cursor(assignment: Assignment) -> Judgment | None:
    """The document to be shown; None where the unit was ended in this very moment, with its answers."""
    return (
        assignment.judgments.select_related("pool_document__document")
        .filter(position=assignment.cursor)
        .first()
    )


def texts_of(assignment: Assignment) -> list[Judgment]:
    """What was typed in an assignment, for its writer alone."""
    return list(assignment.judgments.exclude(raw_input="", justification="").order_by("position"))
