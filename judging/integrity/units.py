"""Units: held by one worker at a time, done once, made of the topic's documents, enough of them planned."""

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from judging.core.selectors.judgments import ACCEPTED
from judging.integrity.rules import Invariant
from judging.models import IMPORTED, Assignment, PoolDocument, Study, Topic, Unit, UnitDocument
from judging.models.fields import values
from judging.protocol.settings import ANCHORS_PER_UNIT
from judging.protocol.states import LIVE, AssignmentState, StudyState, UnitState

_ATTEMPTS = Assignment.objects.filter(unit=OuterRef("pk"))
_HELD = Exists(_ATTEMPTS.filter(state__in=values(LIVE)))
_COMPLETED = Exists(_ATTEMPTS.filter(ACCEPTED))
_FROM_A_FILE = Exists(_ATTEMPTS.filter(participation__consent_version=IMPORTED))


def _reserved_otherwise_than_held() -> QuerySet[Unit]:
    reserved = Q(state=UnitState.RESERVED.value)
    return Unit.objects.filter((reserved & ~_HELD) | (~reserved & _HELD))


def _done_otherwise_than_completed() -> QuerySet[Unit]:
    done = Q(state=UnitState.DONE.value)
    return Unit.objects.filter((done & ~_COMPLETED) | (~done & _COMPLETED))


def _open_in_a_retired_topic() -> QuerySet[Unit]:
    return Unit.objects.filter(state=UnitState.OPEN.value, topic__retired_at__isnull=False)


def _of_another_size() -> QuerySet[Unit]:
    """Units whose judgments came in a file are as large as there."""
    sized = Unit.objects.annotate(size=Count("unit_documents"))
    return sized.exclude(size=F("topic__study__unit_size") - ANCHORS_PER_UNIT).exclude(_FROM_A_FILE)


def _documents_of_other_topics() -> QuerySet[UnitDocument]:
    return UnitDocument.objects.exclude(pool_document__topic=F("unit__topic"))


def _planned_anchors() -> QuerySet[UnitDocument]:
    return UnitDocument.objects.exclude(pool_document__anchor="")


def _copies_of_other_topics() -> QuerySet[Unit]:
    return Unit.objects.filter(copy_of__isnull=False).exclude(copy_of__topic=F("topic"))


def _topics_without_their_anchors() -> QuerySet[Topic]:
    """A draft may still lack them; a topic retired before it opened is never judged."""
    anchored = Topic.objects.annotate(anchors=Count("pool", filter=~Q(pool__anchor="")))
    planned = Exists(Unit.objects.filter(topic=OuterRef("pk")).exclude(_FROM_A_FILE))
    return anchored.filter(planned).exclude(anchors=ANCHORS_PER_UNIT)


def _planned_too_seldom() -> QuerySet[PoolDocument]:
    begun = Study.objects.exclude(state=StudyState.DRAFT.value)
    wanted = PoolDocument.objects.filter(topic__study__in=begun, topic__retired_at__isnull=True, anchor="")
    in_use = Count("units", filter=~Q(units__state=UnitState.RETIRED.value))
    return wanted.annotate(planned=in_use).filter(planned__lt=F("topic__study__judgments_per_document"))


def _held_by_two() -> QuerySet[Unit]:
    holding = Q(assignments__state__in=values(LIVE)) | Q(
        assignments__state=AssignmentState.COMPLETED.value, assignments__judgments_deleted_at__isnull=True
    )
    return Unit.objects.annotate(holders=Count("assignments", filter=holding)).filter(holders__gt=1)


INVARIANTS = (
    Invariant(
        "unit_reserved_as_held",
        "A unit is reserved exactly while somebody works at it.",
        _reserved_otherwise_than_held,
    ),
    Invariant(
        "unit_done_as_completed",
        "A unit is done exactly while it has judgments that count.",
        _done_otherwise_than_completed,
    ),
    Invariant("unit_held_once", "A unit is held by one worker at most.", _held_by_two),
    Invariant(
        "unit_of_retired_topic_closed", "No unit of a retired topic is open.", _open_in_a_retired_topic
    ),
    Invariant(
        "unit_of_its_size", "A unit has as many documents as the study says, less two.", _of_another_size
    ),
    Invariant(
        "unit_of_its_topic", "A unit's documents are those of its topic's pool.", _documents_of_other_topics
    ),
    Invariant("unit_without_anchors", "Anchors are planned into no unit: all have them.", _planned_anchors),
    Invariant("unit_copied_in_its_topic", "A unit is copied inside its topic.", _copies_of_other_topics),
    Invariant(
        "topic_with_its_anchors",
        "A topic with units has one H anchor and one N anchor.",
        _topics_without_their_anchors,
    ),
    Invariant(
        "document_planned_often_enough",
        "A document of a study that has opened is in as many units as judgments are wanted of it, or more.",
        _planned_too_seldom,
    ),
)
