"""A second kind of judge in a study: it judges units of its own, and can be taken out again."""

from judging.models import Assignment, Participation, Study, Unit, UnitDocument
from judging.protocol.judges import KINDS
from judging.worker.services.leaving import return_unit
from tests.factories import fail_practice, inverted, judge_unit, later, make_worker

MACHINE = KINDS["machine"]


def add_second_kind(study: Study, kind: str) -> None:
    """Let judges of another kind do one of everything: finish, fail, return and hold units, be screened out.

    They go through the real services as machine judges, which can judge in every study, and then get `kind`.
    They judge the same documents as the others, but in units of their own, of which one stays open.
    """
    for topic in study.topics.all():
        _add_units(topic.units.order_by("number")[0], number=5)
    finished = make_worker(study, kind=MACHINE, now=later(hours=1))
    judge_unit(finished, now=later(hours=1))
    failed = make_worker(study, kind=MACHINE, now=later(hours=2))
    judge_unit(failed, now=later(hours=2), magnitude=inverted)
    returned = make_worker(study, kind=MACHINE, upto="judging", now=later(hours=3))
    return_unit(participation=returned, now=later(hours=4))
    make_worker(study, kind=MACHINE, upto="question", now=later(hours=5))
    unable = make_worker(study, kind=MACHINE, upto="practising", now=later(hours=6))
    while unable.practice_attempts.filter(passed__isnull=True).exists():
        fail_practice(unable, now=later(hours=6))
    _exclude_a_unit(study)
    if kind != MACHINE.name:
        others = Participation.objects.filter(study=study, kind=MACHINE.name)
        others.update(kind=kind, behaviour="careful" if KINDS[kind].has_behaviour else "")
        Unit.objects.filter(topic__study=study, kind=MACHINE.name).update(kind=kind)


def take_out(study: Study, kind: str) -> None:
    """Delete all participations of a kind, their work, and the units that were planned for them."""
    Assignment.objects.filter(participation__study=study, participation__kind=kind).delete()
    Unit.objects.filter(topic__study=study, kind=kind).delete()
    Participation.objects.filter(study=study, kind=kind).delete()


def _add_units(like: Unit, *, number: int) -> None:
    last = like.topic.units.order_by("-number")[0].number
    documents = like.unit_documents.values_list("pool_document_id", flat=True)
    for place in range(number):
        unit = Unit.objects.create(topic=like.topic, number=last + 1 + place, kind=MACHINE.name)
        UnitDocument.objects.bulk_create(
            UnitDocument(unit=unit, pool_document_id=document) for document in documents
        )


def _exclude_a_unit(study: Study) -> None:
    judge_unit(make_worker(study, kind=MACHINE, now=later(hours=7)), now=later(hours=7))
    done = Unit.objects.filter(topic__study=study, kind=MACHINE.name, state="done").order_by("-pk")[:1]
    Unit.objects.filter(pk__in=list(done.values_list("pk", flat=True))).update(
        excluded_at=later(hours=8), exclusion_reason="A test."
    )
