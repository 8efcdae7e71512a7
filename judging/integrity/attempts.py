"""Rules about attempts at units: attempts that count are complete, and deleted answers are really gone."""

from typing import Final

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from judging.core.selectors.attempts import failures
from judging.core.selectors.judgments import ACCEPTED
from judging.core.selectors.payments import DECIDED, DUE
from judging.integrity.rules import invariant
from judging.models import IMPORTED, Assignment, Judgment, Participation, Visit
from judging.models.fields import values
from judging.protocol.checks import unit_checks
from judging.protocol.states import LIVE, AssignmentState, ParticipationState

HAIR: Final = 1e-6
"""A tolerance in seconds. Databases add the same visits in different orders, so sums can differ slightly."""
_ANSWERS = Judgment.objects.filter(assignment=OuterRef("pk"))
_KEEPS_ANSWERS = Exists(_ANSWERS)
BEGAN = Q(
    state__in=values((AssignmentState.JUDGING, AssignmentState.REVISING, AssignmentState.COMPLETED)),
    judgments_deleted_at__isnull=True,
)
FROM_A_FILE = Q(participation__consent_version=IMPORTED)
_WITHOUT_ANSWERS = values(
    (
        AssignmentState.QUESTION,
        AssignmentState.COMPREHENSION_FAILED,
        AssignmentState.CHECKS_FAILED,
        AssignmentState.RETURNED,
        AssignmentState.CANCELLED,
        AssignmentState.REPORTED,
    )
)


@invariant("An attempt has the topic of its unit.")
def attempt_at_its_units_topic() -> QuerySet[Assignment]:
    return Assignment.objects.exclude(topic=F("unit__topic"))


@invariant("An attempt is by the kind of judge that its unit is planned for.")
def attempt_at_a_unit_of_its_kind() -> QuerySet[Assignment]:
    return Assignment.objects.exclude(unit__kind=F("participation__kind"))


@invariant("A worker's attempts are on topics of the worker's study.")
def attempt_in_its_workers_study() -> QuerySet[Assignment]:
    return Assignment.objects.exclude(topic__study=F("participation__study"))


@invariant("A worker's attempts are numbered from 1 without gaps.")
def attempts_numbered_through() -> QuerySet[Participation]:
    numbered = Participation.objects.annotate(attempts=Count("assignments"), last=Max("assignments__number"))
    return numbered.filter(attempts__gt=0).exclude(attempts=F("last"))


@invariant("Only workers in the state ready have a live attempt.")
def attempt_of_a_worker_who_may() -> QuerySet[Assignment]:
    live = Assignment.objects.filter(state__in=values(LIVE))
    return live.exclude(participation__state=ParticipationState.READY.value)


@invariant(
    "An attempt that is in progress or completed has an answer for each document, numbered without gaps."
)
def attempt_with_every_answer() -> QuerySet[Assignment]:
    began = Assignment.objects.filter(BEGAN).annotate(
        answers=Count("judgments"), last=Max("judgments__position")
    )
    complete = Q(answers__gt=0, last=F("answers") - 1) | (FROM_A_FILE & Q(answers__gt=0, last__isnull=True))
    sized = FROM_A_FILE | Q(answers=F("participation__study__unit_size"))
    return began.exclude(complete & sized)


@invariant("Answers that had to be deleted are deleted.")
def attempt_without_dropped_answers() -> QuerySet[Assignment]:
    dropped = Q(state__in=_WITHOUT_ANSWERS) | Q(judgments_deleted_at__isnull=False)
    return Assignment.objects.filter(dropped).filter(_KEEPS_ANSWERS)


@invariant("Lapsed attempts whose answers are kept, and no others, are marked as such.")
def attempt_tells_of_kept_answers() -> QuerySet[Assignment]:
    """Return attempts whose mark `answers_kept` is wrong.

    The clean-up of old answers skips attempts without this mark.
    """
    lapsed = Q(state=AssignmentState.LAPSED.value)
    unmarked = lapsed & Q(answers_kept=False) & Q(_KEEPS_ANSWERS)
    return Assignment.objects.filter(unmarked | (~lapsed & Q(answers_kept=True)))


@invariant("Only live attempts store the hash of a network address.")
def attempt_forgets_its_address() -> QuerySet[Assignment]:
    return Assignment.objects.exclude(held_from="").exclude(state__in=values(LIVE))


@invariant("What failed finishes contained is stored only while the answers can still change.")
def attempt_forgets_failed_numbers() -> QuerySet[Assignment]:
    can_change = Q(state__in=values(LIVE)) | Q(answers_kept=True)
    stored = Q(failed_numbers__isnull=False) | ~Q(failed_digest="")
    return Assignment.objects.filter(stored).exclude(can_change)


@invariant("A live attempt shows one of its documents.")
def attempt_at_one_of_its_documents() -> QuerySet[Assignment]:
    live = Assignment.objects.filter(state__in=values(LIVE))
    return live.filter(cursor__gte=F("participation__study__unit_size"))


@invariant("Each failed finish failed at least one check, and each check at most once.")
def attempt_counts_its_failures() -> QuerySet[Assignment]:
    by_check = {f"failed_{check.letter}": failures(check.letter) for check in unit_checks()}
    never_more = Q(**{f"{name}__lte": F("failed_finishes") for name in by_check})
    together = sum(map(F, by_check), start=Value(0))
    counted = Assignment.objects.filter(failed_finishes__isnull=False).alias(**by_check)
    return counted.exclude(never_more & Q(failed_finishes__lte=together))


@invariant("Only the ends that a study pays for, and only for a reason, are held or refused.")
def attempt_held_for_a_payment() -> QuerySet[Assignment]:
    return Assignment.objects.exclude(DUE).exclude(DECIDED)


@invariant("The time that was measured for a unit is the sum of its visits, as long as they are there.")
def attempt_measured_as_visited() -> QuerySet[Assignment]:
    visits = Visit.objects.filter(assignment=OuterRef("pk")).order_by().values("assignment")
    spent = Coalesce(Subquery(visits.annotate(sum=Sum("seconds")).values("sum")), 0.0)
    completed = Assignment.objects.filter(ACCEPTED, open_seconds__isnull=False).annotate(spent=spent)
    return completed.exclude(open_seconds__gte=F("spent") - HAIR, open_seconds__lte=F("spent") + HAIR)


@invariant("Only imported attempts have no start and no counts.")
def attempt_counted_where_judged_here() -> QuerySet[Assignment]:
    return Assignment.objects.filter(failed_finishes__isnull=True).exclude(FROM_A_FILE)


@invariant("A completed attempt stores the number of its judgments; every other attempt stores 0.")
def attempt_counts_its_judgments() -> QuerySet[Assignment]:
    """Return attempts that store a wrong number of judgments.

    For attempts whose judgments do not count, the right number is 0.
    """
    counted = Assignment.objects.annotate(answers=Count("judgments"))
    right = Q(ACCEPTED, judgment_count=F("answers")) | (~ACCEPTED & Q(judgment_count=0))
    return counted.exclude(right)
