"""Rules about answers, which must belong to the unit, match the typed text, and be complete if they count."""

from collections.abc import Callable, Iterator

from django.db.models import Case, Exists, F, FloatField, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce, Length, Trim

from judging.core.selectors.judgments import ACCEPTED, judgments_of_any_kind
from judging.integrity.attempts import FROM_A_FILE, HAIR
from judging.integrity.rules import invariant
from judging.limits import LONGEST_NUMBER, LONGEST_PASSAGE, LONGEST_REASON
from judging.models import IMPORTED, Assignment, Judgment, Study, UnitDocument, Visit
from judging.models.fields import values
from judging.protocol.anchor_pairs import PAIRS, Anchor
from judging.protocol.judges import timed_kinds
from judging.protocol.scales import scale_of, with_pairs
from judging.protocol.states import LIVE

_ANSWER_FROM_A_FILE = Q(assignment__participation__consent_version=IMPORTED)
_COUNTING = Assignment.objects.filter(ACCEPTED).exclude(FROM_A_FILE)
_OF_PAIRS = Q(participation__study__scale__in=with_pairs())


@invariant("An answer belongs to a document of its unit or to an anchor of its topic.")
def answer_of_its_unit() -> QuerySet[Judgment]:
    return _outside_its_unit(Judgment.objects.all(), "pool_document")


@invariant("A document that was shown second is from the unit, or is an anchor of its topic.")
def compared_document_of_its_unit() -> QuerySet[Judgment]:
    return _outside_its_unit(Judgment.objects.exclude(compared_with=None), "compared_with")


def _outside_its_unit(judgments: QuerySet[Judgment], document: str) -> QuerySet[Judgment]:
    planned = UnitDocument.objects.filter(unit=OuterRef("assignment__unit"), pool_document=OuterRef(document))
    of_topic, is_no_anchor = (
        Q(**{f"{document}__topic": F("assignment__topic")}),
        Q(**{f"{document}__anchor": ""}),
    )
    return judgments.exclude(of_topic & ~is_no_anchor).exclude(Exists(planned))


@invariant("A judgment compares two documents exactly if the scale of its study does.")
def compared_on_its_scale() -> QuerySet[Judgment]:
    pairs = Q(assignment__participation__study__scale__in=with_pairs())
    return Judgment.objects.filter((pairs & Q(compared_with=None)) | (~pairs & ~Q(compared_with=None)))


@invariant("The pages of a unit of pairs form a ring: each shows the first document of the next page second.")
def pairs_in_a_ring() -> QuerySet[Judgment]:
    """Return judgments that break the ring. Imported units can have any pairs."""
    pages = Judgment.objects.filter(
        assignment=OuterRef("assignment"), pool_document=OuterRef("compared_with")
    )
    following = pages.filter(position=OuterRef("position") + 1)
    first = pages.filter(position=0)
    last = Q(position=F("assignment__participation__study__unit_size") - 1)
    paired = Judgment.objects.exclude(compared_with=None).exclude(_ANSWER_FROM_A_FILE)
    return paired.exclude(Exists(following)).exclude(last & Exists(first))


@invariant("A number is the value of the typed text.")
def answer_read_as_typed() -> QuerySet[Judgment]:
    return Judgment.objects.filter(pk__in=list(_misread()))


def _misread() -> Iterator[int]:
    rows = Judgment.objects.exclude(_ANSWER_FROM_A_FILE).order_by()
    settings = [f"assignment__participation__study__{key}" for key in ("scale", "numbers", "labels")]
    for pk, typed, value, scale, numbers, labels in rows.values_list(
        "pk", "raw_input", "number", *settings
    ).iterator():
        study = Study(scale=scale, numbers=numbers, labels=labels)
        if (judging := scale_of(study).judging) is None:
            continue
        read = judging.parse(typed, study)
        readings = {read.value}
        if read.fault == "point":  # older versions read an ambiguous point as a decimal point
            readings.add(judging.parse(f"{typed.strip()}0", study).value)
        if value not in readings:
            yield pk


@invariant("A number is on the scale of its study. A grade is the number of one of the study's labels.")
def answer_on_the_scale() -> QuerySet[Judgment]:
    return Judgment.objects.filter(pk__in=list(_off_the_scale()))


def _off_the_scale() -> Iterator[int]:
    for study in Study.with_hidden.only("scale", "labels"):
        scale = scale_of(study)
        possible = Q(number__isnull=True)
        if scale.only is None:
            possible |= Q(number__gte=scale.smallest, number__lte=scale.largest)
        else:
            possible |= Q(number__in=list(scale.only(study)))
        judgments = Judgment.objects.filter(assignment__participation__study=study).order_by()
        yield from judgments.exclude(possible).values_list("pk", flat=True)


@invariant("A typed number, a justification and a passage are not longer than the limit.")
def answer_within_its_length() -> QuerySet[Judgment]:
    lengths = Judgment.objects.annotate(typed=Length("raw_input"), reason=Length("justification"))
    lengths = lengths.annotate(passage=Length("highlight"))
    long = Q(typed__gt=LONGEST_NUMBER) | Q(reason__gt=LONGEST_REASON) | Q(passage__gt=LONGEST_PASSAGE)
    return lengths.exclude(_ANSWER_FROM_A_FILE).filter(long)


@invariant("A judgment that counts has a number and a justification.")
def answer_whole_where_it_counts() -> QuerySet[Judgment]:
    """Return judgments that count but are incomplete. Imported judgments need no justification."""
    reasonless = Q(reason="") & ~_ANSWER_FROM_A_FILE
    counting = judgments_of_any_kind(with_excluded=True).annotate(reason=Trim("justification"))
    return counting.filter(Q(number__isnull=True) | reasonless)


def _anchor(anchor: Anchor) -> Subquery:
    answers = Judgment.objects.filter(
        assignment=OuterRef("pk"), pool_document__anchor=anchor.value
    ).order_by()
    return Subquery(answers.values("number")[:1])


def _points(anchor: Anchor, other: Anchor) -> Subquery:
    """Return the points of an anchor in its pair with another one, whichever of them was shown first."""
    answers = Judgment.objects.filter(assignment=OuterRef("pk")).order_by()
    as_first = Q(pool_document__anchor=anchor.value, compared_with__anchor=other.value)
    as_second = Q(pool_document__anchor=other.value, compared_with__anchor=anchor.value)
    points = Case(When(as_first, then=F("number")), When(as_second, then=1.0 - F("number")))
    return Subquery(answers.filter(as_first | as_second).annotate(points=points).values("points")[:1])


@invariant(
    "In a unit that counts, H has a larger number than N in each pair, or the same if ties pass in the study."
)
def anchors_in_order_where_they_count() -> QuerySet[Assignment]:
    return _out_of_order(_COUNTING.exclude(_OF_PAIRS), _anchor_numbers)


@invariant("In a unit of pairs that counts, H is preferred to N, or equal to it if ties pass in the study.")
def anchors_preferred_where_they_count() -> QuerySet[Assignment]:
    return _out_of_order(_COUNTING.filter(_OF_PAIRS), _anchor_points)


def _anchor_numbers(high: Anchor, low: Anchor) -> tuple[Subquery, Subquery]:
    return _anchor(high), _anchor(low)


def _anchor_points(high: Anchor, low: Anchor) -> tuple[Subquery, Subquery]:
    return _points(high, low), _points(low, high)


def _out_of_order(
    counting: QuerySet[Assignment], numbers: Callable[[Anchor, Anchor], tuple[Subquery, Subquery]]
) -> QuerySet[Assignment]:
    """Return the attempts in which some H has no larger number than its N, unless ties pass."""
    all_passed = Q()
    for number, (high, low) in enumerate(PAIRS, start=1):
        of_high, of_low = numbers(high, low)
        counting = counting.annotate(**{high.value: of_high, low.value: of_low})
        passed = Q(**{f"{high}__gt": F(low.value)})
        tied = Q(participation__study__anchor_ties="pass", **{high.value: F(low.value)})
        all_passed &= passed | tied | Q(participation__study__anchor_pairs__lt=number)
    return counting.exclude(all_passed)


@invariant(
    "The document of a judgment that counts was open for the study's minimum time, if its judge is timed."
)
def seen_long_enough_where_it_counts() -> QuerySet[Judgment]:
    visits = Visit.objects.filter(judgment=OuterRef("pk")).order_by().values("judgment")
    seconds = Subquery(visits.annotate(all=Sum("seconds")).values("all"), output_field=FloatField())
    timed = Q(assignment__participation__kind__in=timed_kinds())
    counting = judgments_of_any_kind(with_excluded=True).filter(timed).exclude(_ANSWER_FROM_A_FILE)
    least = F("assignment__participation__study__seconds_per_document") - HAIR
    return counting.annotate(spent=Coalesce(seconds, 0.0)).filter(spent__lt=least)


@invariant("A visit and its answer belong to the same attempt.")
def visit_of_one_attempt() -> QuerySet[Visit]:
    return Visit.objects.exclude(judgment__assignment=F("assignment"))


@invariant("No visit is open after its attempt has ended.")
def visit_closed_at_the_end() -> QuerySet[Visit]:
    return Visit.objects.filter(closed_at__isnull=True).exclude(assignment__state__in=values(LIVE))


@invariant("The open visit belongs to the document that the worker sees.")
def visit_open_where_the_worker_is() -> QuerySet[Visit]:
    return Visit.objects.filter(closed_at__isnull=True).exclude(judgment__position=F("assignment__cursor"))


@invariant("A visit does not count for more than the study's maximum.")
def visit_capped() -> QuerySet[Visit]:
    visits = Visit.objects.exclude(_ANSWER_FROM_A_FILE)
    return visits.filter(seconds__gt=60.0 * F("assignment__participation__study__visit_minutes"))
