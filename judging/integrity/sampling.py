"""Rules about samples: chances that add up to the budget, and judgments of sampled documents alone."""

from typing import Final

from django.db.models import Count, F, Q, QuerySet, Sum

from judging.core.selectors.kinds import counting
from judging.integrity.rules import invariant
from judging.models import Judgment, PoolDocument, SampleDraw, UnitDocument
from judging.protocol.settings.sampling import DESIGNS
from judging.protocol.states import StudyState

_ROUNDING: Final = 1e-6
"""How far sums of chances can be from the budget, as a share of it. Each chance has a rounding error."""


@invariant("The chances of a draw add up to its budget.")
def draw_spends_its_budget() -> QuerySet[SampleDraw]:
    drawn = SampleDraw.objects.annotate(chances=Sum("documents__inclusion", default=0.0))
    near = Q(chances__gte=F("budget") * (1 - _ROUNDING), chances__lte=F("budget") * (1 + _ROUNDING))
    return drawn.exclude(near)


@invariant("A systematic draw samples exactly as many documents as its budget.")
def systematic_draw_of_its_size() -> QuerySet[SampleDraw]:
    systematic = SampleDraw.objects.filter(design=DESIGNS[0])
    sampled = systematic.annotate(sampled=Count("documents", filter=Q(documents__sampled=True)))
    return sampled.exclude(sampled=F("budget"))


@invariant("A draw is of the study of its documents.")
def draw_of_its_study() -> QuerySet[PoolDocument]:
    return PoolDocument.objects.filter(draw__isnull=False).exclude(draw__study=F("topic__study"))


@invariant("Only documents of studies with a sample have a chance below 1.")
def chance_only_in_a_sample() -> QuerySet[PoolDocument]:
    """Return documents with a chance in studies without a sample.

    A draft may have such documents until its set-up is checked again.
    """
    unsampled = PoolDocument.objects.filter(inclusion__lt=1, topic__study__sample_budget__isnull=True)
    return unsampled.exclude(topic__study__state=StudyState.DRAFT.value)


@invariant("No unit that counts is planned with a document that is not in the sample.")
def unit_of_the_sample() -> QuerySet[UnitDocument]:
    """Return documents outside the sample in units of people, or of the simulated crowd in a rehearsal.

    Machine judges judge whole pools, to predict what people do not judge.
    """
    return UnitDocument.objects.filter(counting("unit__", "topic__study__"), pool_document__sampled=False)


@invariant("Every judged document that counts is in the sample.")
def judgment_of_the_sample() -> QuerySet[Judgment]:
    return Judgment.objects.filter(counting("assignment__participation__"), pool_document__sampled=False)
