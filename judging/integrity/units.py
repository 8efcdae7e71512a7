"""Rules about units: their states, their documents, their holders, and whether enough units are planned."""

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from judging.core.selectors.judgments import ACCEPTED
from judging.integrity.rules import invariant
from judging.models import IMPORTED, Assignment, PoolDocument, Study, Topic, Unit, UnitDocument
from judging.models.fields import values
from judging.protocol.anchor_pairs import ANCHORS_PER_PAIR
from judging.protocol.judges import planned_for
from judging.protocol.settings import Purpose
from judging.protocol.states import LIVE, AssignmentState, StudyState, UnitState

_ATTEMPTS = Assignment.objects.filter(unit=OuterRef("pk"))
_HELD = Exists(_ATTEMPTS.filter(state__in=values(LIVE)))
_COMPLETED = Exists(_ATTEMPTS.filter(ACCEPTED))
_FROM_A_FILE = Exists(_ATTEMPTS.filter(participation__consent_version=IMPORTED))


@invariant("A unit is reserved exactly while a worker has a live attempt at it.")
def unit_reserved_as_held() -> QuerySet[Unit]:
    reserved = Q(state=UnitState.RESERVED.value)
    return Unit.objects.filter((reserved & ~_HELD) | (~reserved & _HELD))


@invariant("A unit is done exactly while it has judgments that count.")
def unit_done_as_completed() -> QuerySet[Unit]:
    done = Q(state=UnitState.DONE.value)
    return Unit.objects.filter((done & ~_COMPLETED) | (~done & _COMPLETED))


@invariant("No unit of a retired topic is open.")
def unit_of_retired_topic_closed() -> QuerySet[Unit]:
    return Unit.objects.filter(state=UnitState.OPEN.value, topic__retired_at__isnull=False)


@invariant("A unit has unit_size documents, including the anchors.")
def unit_of_its_size() -> QuerySet[Unit]:
    """Return units that have the wrong size. Imported units can have any size."""
    sized = Unit.objects.annotate(size=Count("unit_documents"))
    anchors = F("topic__study__anchor_pairs") * ANCHORS_PER_PAIR
    return sized.exclude(size=F("topic__study__unit_size") - anchors).exclude(_FROM_A_FILE)


@invariant("The documents of a unit are from the pool of its topic.")
def unit_of_its_topic() -> QuerySet[UnitDocument]:
    return UnitDocument.objects.exclude(pool_document__topic=F("unit__topic"))


@invariant("No unit is planned with an anchor, because every unit gets all anchors.")
def unit_without_anchors() -> QuerySet[UnitDocument]:
    return UnitDocument.objects.exclude(pool_document__anchor="")


@invariant("The copy of a unit has the same topic.")
def unit_copied_in_its_topic() -> QuerySet[Unit]:
    return Unit.objects.filter(copy_of__isnull=False).exclude(copy_of__topic=F("topic"))


@invariant("A topic with units has an H anchor and an N anchor for each pair of the study.")
def topic_with_its_anchors() -> QuerySet[Topic]:
    """Return topics that have units but not all anchors.

    A topic of a draft may lack anchors, because it has no units yet.
    """
    anchored = Topic.objects.annotate(anchors=Count("pool", filter=~Q(pool__anchor="")))
    planned = Exists(Unit.objects.filter(topic=OuterRef("pk")).exclude(_FROM_A_FILE))
    return anchored.filter(planned).exclude(anchors=F("study__anchor_pairs") * ANCHORS_PER_PAIR)


def _planned() -> Q:
    """Return the condition that a document's units are of the kind that their study is planned for."""
    kinds = {rehearsal: planned_for(rehearsal=rehearsal).name for rehearsal in (False, True)}
    return Q(topic__study__simulated=False, units__kind=kinds[False]) | Q(
        topic__study__simulated=True, units__kind=kinds[True]
    )


@invariant("After a study has opened, each document to judge is in at least judgments_per_document units.")
def document_planned_often_enough() -> QuerySet[PoolDocument]:
    begun = Study.objects.exclude(state=StudyState.DRAFT.value).exclude(purpose=Purpose.ANALYSIS.value)
    live = PoolDocument.objects.filter(topic__study__in=begun, topic__retired_at__isnull=True)
    wanted = live.filter(anchor="", sampled=True)
    in_use = Count("units", filter=~Q(units__state=UnitState.RETIRED.value) & _planned())
    return wanted.annotate(planned=in_use).filter(planned__lt=F("topic__study__judgments_per_document"))


@invariant("At most one worker holds a unit.")
def unit_held_once() -> QuerySet[Unit]:
    holding = Q(assignments__state__in=values(LIVE)) | Q(
        assignments__state=AssignmentState.COMPLETED.value, assignments__judgments_deleted_at__isnull=True
    )
    return Unit.objects.annotate(holders=Count("assignments", filter=holding)).filter(holders__gt=1)
