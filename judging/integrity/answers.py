"""Rules about answers, which must belong to the unit, match the typed text, and be complete if they count."""

from collections.abc import Iterator

from django.db.models import Exists, F, FloatField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, Length, Trim

from judging.core.selectors.judgments import ACCEPTED, judgments_of_any_kind
from judging.integrity.attempts import FROM_A_FILE, HAIR
from judging.integrity.rules import invariant
from judging.limits import LONGEST_NUMBER, LONGEST_PASSAGE, LONGEST_REASON
from judging.models import IMPORTED, Assignment, Judgment, Study, UnitDocument, Visit
from judging.models.fields import values
from judging.protocol.anchor_pairs import PAIRS, Anchor
from judging.protocol.scales import scale_of
from judging.protocol.states import LIVE

_ANSWER_FROM_A_FILE = Q(assignment__participation__consent_version=IMPORTED)


@invariant("An answer belongs to a document of its unit or to an anchor of its topic.")
def answer_of_its_unit() -> QuerySet[Judgment]:
    planned = UnitDocument.objects.filter(
        unit=OuterRef("assignment__unit"), pool_document=OuterRef("pool_document")
    )
    anchor = Q(pool_document__topic=F("assignment__topic")) & ~Q(pool_document__anchor="")
    return Judgment.objects.exclude(anchor).exclude(Exists(planned))


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
        scale, largest = scale_of(study), scale_of(study).largest_in(study)
        possible = Q(number__isnull=True) | Q(number__gte=scale.smallest, number__lte=largest)
        if scale.choices is not None:
            possible = Q(number__isnull=True) | Q(number__in=range(int(largest) + 1))
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


@invariant(
    "In a unit that counts, H has a larger number than N in each pair, or the same if ties pass in the study."
)
def anchors_in_order_where_they_count() -> QuerySet[Assignment]:
    counting = Assignment.objects.filter(ACCEPTED).exclude(FROM_A_FILE)
    all_passed = Q()
    for number, (high, low) in enumerate(PAIRS, start=1):
        counting = counting.annotate(**{high.value: _anchor(high), low.value: _anchor(low)})
        passed = Q(**{f"{high}__gt": F(low.value)})
        tied = Q(participation__study__anchor_ties="pass", **{high.value: F(low.value)})
        all_passed &= passed | tied | Q(participation__study__anchor_pairs__lt=number)
    return counting.exclude(all_passed)


@invariant("The document of a judgment that counts was open for the study's minimum time.")
def seen_long_enough_where_it_counts() -> QuerySet[Judgment]:
    visits = Visit.objects.filter(judgment=OuterRef("pk")).order_by().values("judgment")
    seconds = Subquery(visits.annotate(all=Sum("seconds")).values("all"), output_field=FloatField())
    counting = judgments_of_any_kind(with_excluded=True).exclude(_ANSWER_FROM_A_FILE)
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
