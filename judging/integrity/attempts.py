"""Attempts at units: whole answers where they count, none where they were to be deleted."""

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Value

from judging.core.selectors.attempts import failures
from judging.core.selectors.judgments import ACCEPTED
from judging.integrity.rules import Invariant
from judging.models import IMPORTED, Assignment, Judgment, Participation
from judging.models.fields import values
from judging.protocol.checks import unit_checks
from judging.protocol.states import LIVE, AssignmentState, ParticipationState

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
    )
)


def _at_another_topic_than_the_unit() -> QuerySet[Assignment]:
    return Assignment.objects.exclude(topic=F("unit__topic"))


def _in_another_study_than_the_worker() -> QuerySet[Assignment]:
    return Assignment.objects.exclude(topic__study=F("participation__study"))


def _not_numbered_through() -> QuerySet[Participation]:
    numbered = Participation.objects.annotate(attempts=Count("assignments"), last=Max("assignments__number"))
    return numbered.filter(attempts__gt=0).exclude(attempts=F("last"))


def _live_of_somebody_who_left() -> QuerySet[Assignment]:
    live = Assignment.objects.filter(state__in=values(LIVE))
    return live.exclude(participation__state=ParticipationState.READY.value)


def _without_an_answer_for_every_document() -> QuerySet[Assignment]:
    began = Assignment.objects.filter(BEGAN).annotate(
        answers=Count("judgments"), last=Max("judgments__position")
    )
    whole = Q(answers__gt=0, last=F("answers") - 1) | (FROM_A_FILE & Q(answers__gt=0, last__isnull=True))
    sized = FROM_A_FILE | Q(answers=F("participation__study__unit_size"))
    return began.exclude(whole & sized)


def _keeping_answers() -> QuerySet[Assignment]:
    dropped = Q(state__in=_WITHOUT_ANSWERS) | Q(judgments_deleted_at__isnull=False)
    return Assignment.objects.filter(dropped).filter(_KEEPS_ANSWERS)


def _keeping_answers_untold() -> QuerySet[Assignment]:
    """What is not told of is not looked up when the day is over."""
    lapsed = Q(state=AssignmentState.LAPSED.value)
    untold = lapsed & Q(answers_kept=False) & Q(_KEEPS_ANSWERS)
    return Assignment.objects.filter(untold | (~lapsed & Q(answers_kept=True)))


def _keeping_an_address() -> QuerySet[Assignment]:
    return Assignment.objects.exclude(held_from="").exclude(state__in=values(LIVE))


def _keeping_failed_magnitudes() -> QuerySet[Assignment]:
    going_on = Q(state__in=values(LIVE)) | Q(answers_kept=True)
    return Assignment.objects.filter(failed_magnitudes__isnull=False).exclude(going_on)


def _away_from_its_documents() -> QuerySet[Assignment]:
    """The page that is shown is that of one of the documents."""
    live = Assignment.objects.filter(state__in=values(LIVE))
    return live.filter(cursor__gte=F("participation__study__unit_size"))


def _counting_failures_wrongly() -> QuerySet[Assignment]:
    """A failed finish is one of at least one check, and of each at most once."""
    by_check = {f"failed_{check.letter}": failures(check.letter) for check in unit_checks()}
    never_more = Q(**{f"{name}__lte": F("failed_finishes") for name in by_check})
    together = sum(map(F, by_check), start=Value(0))
    counted = Assignment.objects.filter(failed_finishes__isnull=False).alias(**by_check)
    return counted.exclude(never_more & Q(failed_finishes__lte=together))


def _without_counts_though_judged_here() -> QuerySet[Assignment]:
    return Assignment.objects.filter(failed_finishes__isnull=True).exclude(FROM_A_FILE)


def _counting_judgments_wrongly() -> QuerySet[Assignment]:
    """The number is kept for the lists of large studies, and only while the judgments count."""
    counted = Assignment.objects.annotate(answers=Count("judgments"))
    right = Q(ACCEPTED, judgment_count=F("answers")) | (~ACCEPTED & Q(judgment_count=0))
    return counted.exclude(right)


INVARIANTS = (
    Invariant(
        "attempt_at_its_units_topic",
        "An attempt names its unit's topic.",
        _at_another_topic_than_the_unit,
    ),
    Invariant(
        "attempt_in_its_workers_study",
        "A worker's attempts are at topics of the study that the worker takes part in.",
        _in_another_study_than_the_worker,
    ),
    Invariant(
        "attempts_numbered_through",
        "A worker's attempts are numbered from 1, without a gap.",
        _not_numbered_through,
    ),
    Invariant(
        "attempt_of_a_worker_who_may",
        "Only workers who are ready, and have not left, have a live attempt.",
        _live_of_somebody_who_left,
    ),
    Invariant(
        "attempt_with_every_answer",
        "An attempt being judged, or completed, has a row for each document, numbered through.",
        _without_an_answer_for_every_document,
    ),
    Invariant(
        "attempt_without_dropped_answers",
        "Answers that were to be deleted are gone.",
        _keeping_answers,
    ),
    Invariant(
        "attempt_tells_of_kept_answers",
        "Attempts that lapsed, and no others, say so while their answers are kept.",
        _keeping_answers_untold,
    ),
    Invariant(
        "attempt_forgets_its_address",
        "Only live attempts have the hash of a network address.",
        _keeping_an_address,
    ),
    Invariant(
        "attempt_forgets_failed_magnitudes",
        "Magnitudes of failed tries are there only while the answers may still change.",
        _keeping_failed_magnitudes,
    ),
    Invariant(
        "attempt_at_one_of_its_documents",
        "A live attempt is at one of its documents.",
        _away_from_its_documents,
    ),
    Invariant(
        "attempt_counts_its_failures",
        "Each failed finish is one of a check at the end of the unit, or of several.",
        _counting_failures_wrongly,
    ),
    Invariant(
        "attempt_counted_where_judged_here",
        "Only an attempt that came in a file lacks its start and its counts.",
        _without_counts_though_judged_here,
    ),
    Invariant(
        "attempt_counts_its_judgments",
        "A completed attempt knows how many judgments it has, and any other knows of none.",
        _counting_judgments_wrongly,
    ),
)
