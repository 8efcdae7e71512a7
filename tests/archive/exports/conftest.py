"""A small study judged through the real services, with grades and runs."""

import pytest

from judging.models import (
    AllocationDecision,
    GradeSet,
    Judgment,
    KnownGrade,
    PoolDocument,
    Ranking,
    Run,
    Study,
    Topic,
)
from tests.factories import judge_unit, later, make_study, make_worker

VALUE_OF_LEVEL = {"N": "0", "M": "1", "R": "2", "H": "4"}
SCALES = ("0.1", "3", "70")


def scaled(scale: float):
    """A worker who gives every document its place in the alphabet times `scale`, and H ten times as much."""

    def magnitude(judgment: Judgment) -> str:
        document = judgment.pool_document
        worth = {"H": 90, "N": 1}.get(document.anchor) or 2 + document.pk % 7
        return repr(worth * scale)

    return magnitude


def judge(study: Study, *, workers: int = 3) -> None:
    """Each worker judges a unit of every topic, on a scale of their own."""
    for number in range(workers):
        worker = make_worker(study)
        for unit in range(study.topics.count()):
            judge_unit(
                worker, now=later(minutes=30 * unit), magnitude=scaled(float(SCALES[number % len(SCALES)]))
            )


def add_grades(study: Study, name: str, *, place: int, skip: int = 0) -> GradeSet:
    """The graded pool documents as a set, but for the first `skip` N documents of each topic."""
    grade_set = GradeSet.objects.create(study=study, name=name, place=place)
    for topic in study.topics.all():
        skipped = topic.pool.filter(grade="N", anchor="").values_list("pk", flat=True)[:skip]
        for pooled in topic.pool.exclude(grade="").exclude(pk__in=skipped).select_related("document"):
            KnownGrade.objects.create(
                grade_set=grade_set,
                topic=topic,
                document_id=pooled.document.document_id,
                value=VALUE_OF_LEVEL[pooled.grade],
                level=pooled.grade,
            )
    return grade_set


def add_decision(study: Study) -> AllocationDecision:
    """A decision that the ranking of the runs is settled, with the numbers that exports show."""
    evidence = {"tau": 0.95, "overlap": 0.8, "judgments": 32, "units": 4}
    return AllocationDecision.objects.create(
        study=study, number=1, at=later(), reason="settled", record={"evidence": evidence, "batch": 1}
    )


def add_run(study: Study, tag: str, *, reverse: bool = False) -> Run:
    """A run over all topics: the H anchor first and the N anchor last, or the other way round."""
    run = Run.objects.create(study=study, tag=tag)
    for topic in study.topics.all():
        ranked = sorted(_ids(topic), key=lambda name: (name.endswith("N"), not name.endswith("H"), name))
        if reverse:
            ranked.reverse()
        size = len(ranked)
        Ranking.objects.create(
            run=run,
            topic=topic,
            document_ids=ranked,
            scores=[float(size - place) for place in range(size)],
            ranks=list(range(1, size + 1)),
        )
    return run


def _ids(topic: Topic) -> list[str]:
    return list(PoolDocument.objects.filter(topic=topic).values_list("document__document_id", flat=True))


def make_judged_study() -> Study:
    """Make two topics of eight documents, three units each, all of them judged: 48 judgments."""
    study = make_study(judgments_per_document=3)
    judge(study)
    return study


@pytest.fixture(scope="module")
def judged_study(module_db: None) -> Study:
    return make_judged_study()


@pytest.fixture
def study(judged_study: Study, db: None) -> Study:
    """The judged study of the module; what a test changes in it is undone."""
    return Study.objects.get(pk=judged_study.pk)
