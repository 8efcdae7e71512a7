"""Rows that join two others of the same study, which no foreign key sees to."""

from django.db.models import Exists, F, OuterRef, QuerySet

from judging.integrity.rules import Invariant
from judging.models import (
    IMPORTED,
    KnownGrade,
    Participation,
    PlatformIdentity,
    PoolDocument,
    PracticeAttempt,
    Ranking,
    WorkerLink,
)
from judging.protocol.states import ParticipationState


def _documents_of_other_studies() -> QuerySet[PoolDocument]:
    return PoolDocument.objects.exclude(document__study=F("topic__study"))


def _rankings_of_other_studies() -> QuerySet[Ranking]:
    return Ranking.objects.exclude(topic__study=F("run__study"))


def _grades_of_other_studies() -> QuerySet[KnownGrade]:
    return KnownGrade.objects.exclude(topic__study=F("grade_set__study"))


def _identities_of_other_studies() -> QuerySet[PlatformIdentity]:
    return PlatformIdentity.objects.exclude(study=F("participation__study"))


def _links_of_other_studies() -> QuerySet[WorkerLink]:
    return WorkerLink.objects.exclude(participation=None).exclude(study=F("participation__study"))


def _browsers_of_other_studies() -> QuerySet[Participation]:
    return Participation.objects.exclude(same_browser=None).exclude(study=F("same_browser__study"))


def _ready_without_practice() -> QuerySet[Participation]:
    passed = PracticeAttempt.objects.filter(participation=OuterRef("pk"), passed=True)
    ready = Participation.objects.filter(state=ParticipationState.READY.value)
    return ready.exclude(consent_version=IMPORTED).exclude(Exists(passed))


INVARIANTS = (
    Invariant("pool_of_its_study", "A pool holds documents of its own study.", _documents_of_other_studies),
    Invariant("ranking_of_its_study", "A run ranks for topics of its own study.", _rankings_of_other_studies),
    Invariant("grade_of_its_study", "A grade is of a topic of its own study.", _grades_of_other_studies),
    Invariant(
        "identity_of_its_study",
        "A platform's id stands in the study that its worker takes part in.",
        _identities_of_other_studies,
    ),
    Invariant(
        "link_of_its_study",
        "A personal link was begun with in its own study.",
        _links_of_other_studies,
    ),
    Invariant(
        "browser_of_its_study",
        "Workers who share a browser take part in one study.",
        _browsers_of_other_studies,
    ),
    Invariant(
        "ready_by_practice", "A worker who may judge has passed the practice task.", _ready_without_practice
    ),
)
