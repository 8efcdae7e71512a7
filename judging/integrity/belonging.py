"""Rules about related rows, which must belong to the same study. Foreign keys cannot check this."""

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from judging.integrity.rules import invariant
from judging.models import (
    IMPORTED,
    DisagreementVerdict,
    KnownGrade,
    Participation,
    PlatformIdentity,
    PoolDocument,
    PracticeAttempt,
    Ranking,
    Study,
    TopicLabels,
    WorkerLink,
)
from judging.protocol.platforms import PLATFORMS
from judging.protocol.scales import SCALES, only_from_files, with_practice
from judging.protocol.settings import Purpose
from judging.protocol.states import ParticipationState


@invariant("A pool contains only documents of its own study.")
def pool_of_its_study() -> QuerySet[PoolDocument]:
    return PoolDocument.objects.exclude(document__study=F("topic__study"))


@invariant("A run has rankings only for topics of its own study.")
def ranking_of_its_study() -> QuerySet[Ranking]:
    return Ranking.objects.exclude(topic__study=F("run__study"))


@invariant("A known grade belongs to a topic of its own study.")
def grade_of_its_study() -> QuerySet[KnownGrade]:
    return KnownGrade.objects.exclude(topic__study=F("grade_set__study"))


@invariant("A set of labels is about topics of its own study.")
def labels_of_their_study() -> QuerySet[TopicLabels]:
    return TopicLabels.objects.exclude(topic__study=F("label_set__study"))


@invariant("A verdict is about a document and a set of known grades of the same study.")
def verdict_of_its_study() -> QuerySet[DisagreementVerdict]:
    return DisagreementVerdict.objects.exclude(pool_document__topic__study=F("grade_set__study"))


@invariant("The platform of a study is declared, and has the settings that it needs.")
def platform_as_declared() -> QuerySet[Study]:
    fitting = Q()
    for platform in PLATFORMS.values():
        complete = Q(platform=platform.name, entry__in=[entry.value for entry in platform.entries])
        for key in platform.needed:
            complete &= ~Q(**{key: ""})
        fitting |= complete
    return Study.with_hidden.exclude(fitting)


@invariant("The scale of a study is declared, and workers can judge on it unless the study is for analysis.")
def scale_as_declared() -> QuerySet[Study]:
    judged_here = Q(scale__in=only_from_files(), purpose=Purpose.JUDGING.value)
    return Study.with_hidden.filter(judged_here | ~Q(scale__in=list(SCALES)))


@invariant("A platform id belongs to the study that its worker came to: the front, in a study with arms.")
def identity_of_its_study() -> QuerySet[PlatformIdentity]:
    return PlatformIdentity.objects.exclude(study=_entrance_of("participation__study"))


@invariant("A personal link was used only in its own study.")
def link_of_its_study() -> QuerySet[WorkerLink]:
    return WorkerLink.objects.exclude(participation=None).exclude(study=_entrance_of("participation__study"))


@invariant("Workers who are linked by a shared browser belong to the same study, or to its arms.")
def browser_of_its_study() -> QuerySet[Participation]:
    shared = Participation.objects.exclude(same_browser=None).annotate(entrance=_entrance_of("study"))
    return shared.exclude(entrance=_entrance_of("same_browser__study"))


@invariant("An arm belongs to a front, which has a name and is not an arm of another study.")
def arm_of_a_front() -> QuerySet[Study]:
    return Study.with_hidden.exclude(front=None).filter(Q(front__arm="") | Q(front__front__isnull=False))


@invariant("The arms of a study are in the same state, and all or none of them are simulated.")
def arms_alike() -> QuerySet[Study]:
    arms = Study.with_hidden.exclude(front=None)
    return arms.exclude(state=F("front__state"), simulated=F("front__simulated"))


def _entrance_of(study: str) -> Coalesce:
    """Return the key of the study that workers come to. `study` is the path to a study or to an arm."""
    return Coalesce(f"{study}__front", f"{study}__pk")


@invariant("A worker in the state ready has passed the practice task, if one teaches the scale of the study.")
def ready_by_practice() -> QuerySet[Participation]:
    passed = PracticeAttempt.objects.filter(participation=OuterRef("pk"), passed=True)
    ready = Participation.objects.filter(
        state=ParticipationState.READY.value, study__scale__in=with_practice()
    )
    return ready.exclude(consent_version=IMPORTED).exclude(Exists(passed))
