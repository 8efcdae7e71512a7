"""Queries about a worker: the participation, the current assignment and the judgments."""

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from django.db.models import BooleanField, ExpressionWrapper, Q

from judging.core.clock import DatabaseTime
from judging.core.statements import Prepared
from judging.models import Assignment, Event, Judgment, Participation, Study, Visit
from judging.models.fields import values
from judging.protocol.checks import told_of, unit_checks
from judging.protocol.checks.base import Told
from judging.protocol.states import LIVE, AssignmentState

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _Read(TypedDict):
        read_at: datetime

    KnownWorker = WithAnnotations[Participation, _Read]
    """A participation with the database time at which it was read."""

_live_first = ExpressionWrapper(Q(ended_at__isnull=True), output_field=BooleanField()).desc()
_BY_TOKEN: "Prepared[KnownWorker]" = Prepared(
    lambda slug, token: (
        Participation.objects.select_related("study")
        .annotate(read_at=DatabaseTime())
        .filter(study__slug=slug, token=token)
        .order_by("pk")[:1]
    ),
    slug=str,
    token=str,
)
_STATE = Prepared(lambda key: Participation.objects.filter(pk=key).only("state"), key=int)
_LIVE = Prepared(
    lambda worker: Assignment.objects.filter(participation_id=worker, state__in=values(LIVE)).order_by(
        "number"
    )[:1],
    worker=int,
)
_CURRENT = Prepared(
    lambda worker: (
        Assignment.objects.select_related("topic__question")
        .filter(participation_id=worker)
        .order_by(_live_first, "-number")[:1]
    ),
    worker=int,
)
_AT_CURSOR = Prepared(
    lambda assignment, position: (
        Judgment.objects.select_related("pool_document__document")
        .filter(assignment_id=assignment, position=position)
        .order_by("pk")[:1]
    ),
    assignment=int,
    position=int,
)
_AT_POSITION = Prepared(
    lambda assignment, position: Judgment.objects.filter(
        assignment_id=assignment, position=position
    ).order_by("pk")[:1],
    assignment=int,
    position=int,
)
_JUDGMENTS = Prepared(
    lambda assignment: Judgment.objects.filter(assignment_id=assignment).order_by("position"), assignment=int
)


def participation_by_token(slug: str, token: str) -> "KnownWorker | None":
    """Return the participation with this token, or None. Its study and the database time are loaded too."""
    return _BY_TOKEN.first(slug=slug, token=token)


def state_of(participation: Participation) -> str:
    """Return the current state in the database.

    Raise Participation.DoesNotExist if the participation has been deleted.
    """
    current = _STATE.first(key=participation.pk)
    if current is None:
        raise Participation.DoesNotExist(f"participation {participation.pk} was deleted")
    return current.state


def live_assignment(participation: Participation) -> Assignment | None:
    """Return the worker's live assignment, or None."""
    return _LIVE.first(worker=participation.pk)


def current_assignment(participation: Participation) -> Assignment | None:
    """Return the live assignment, or else the latest ended assignment, or else None.

    The topic and its question are loaded with the assignment.
    """
    assignment = _CURRENT.first(worker=participation.pk)
    if assignment:
        assignment.participation = participation
    return assignment


def judgment_at_cursor(assignment: Assignment) -> Judgment | None:
    """Return the judgment of the document to show, or None if the unit has just ended."""
    return _AT_CURSOR.first(assignment=assignment.pk, position=assignment.cursor)


def judgment_at(assignment: Assignment, position: int, *, visit: Visit | None) -> Judgment | None:
    """Return the judgment at a position, without its document, or None if there is no such position.

    No query is needed if the open `visit` belongs to this judgment.
    """
    if visit is not None and visit.judgment.position == position:
        return visit.judgment
    return _AT_POSITION.first(assignment=assignment.pk, position=position)


def judgments_of(assignment: Assignment) -> list[Judgment]:
    """Return an assignment's judgments in the order shown, including those without an answer.

    The list is empty before judging has started.
    """
    judgments = _JUDGMENTS.all(assignment=assignment.pk)
    for judgment in judgments:
        judgment.assignment = assignment
    return judgments


class OwnAnswer(NamedTuple):
    """A document of a unit, with what the worker typed about it. Each text can be empty."""

    title: str
    number: str
    reason: str


def own_answers(assignment: Assignment) -> list[OwnAnswer]:
    """Return an assignment's documents in the order shown, with the answers so far."""
    rows = assignment.judgments.order_by("position").values_list(
        "pool_document__document__title", "raw_input", "justification"
    )
    return [OwnAnswer(*row) for row in rows]


def told_at_last_attempt(assignment: Assignment) -> list[Told]:
    """Return what the page says about the last failed attempt; see `told_of`."""
    study = assignment.participation.study
    if study.failure_message == "paper":
        return []
    checks = {check.event: check for check in unit_checks()}
    failures = Event.objects.filter(
        assignment=assignment, attempt=assignment.failed_finishes, kind__in=list(checks)
    )
    return told_of([checks[kind] for kind in failures.values_list("kind", flat=True)], study)


def previous_numbers(assignment: Assignment, *, shown: str) -> list[tuple[int, str]]:
    """Return the place (counted from 1) and the typed number of each document before the current one.

    `shown` is the setting `show_previous` of the study: "all", "last" (only the last number) or "none".
    """
    if shown == "none":
        return []
    before = assignment.judgments.filter(position__lt=assignment.cursor).exclude(raw_input="")
    numbers = [
        (1 + (position or 0), text)
        for position, text in before.order_by("position").values_list("position", "raw_input")
    ]
    return numbers if shown == "all" else numbers[-1:]


def wrong_answers(participation: Participation) -> int:
    """Return how many questions the worker has answered incorrectly."""
    return participation.assignments.filter(state=AssignmentState.COMPREHENSION_FAILED).count()


def texts_of(assignment: Assignment) -> list[Judgment]:
    """Return the judgments in which the worker typed something. Show their contents only to this worker."""
    return list(assignment.judgments.exclude(raw_input="", justification="").order_by("position"))


def find_by_platform_id(*, study: Study, platform_id: str) -> Participation | None:
    """Return the participation of a person with this id on the platform, or None."""
    return (
        Participation.objects.select_related("study")
        .filter(study=study, identity__platform_id=platform_id)
        .first()
    )
