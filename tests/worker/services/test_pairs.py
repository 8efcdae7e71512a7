"""A unit of pairs through the services: its ring, its check of the anchors, its end, and its deletion."""

from collections.abc import Callable

import pytest

from judging.core.selectors.readiness import readiness
from judging.models import Assignment, Event, Judgment, PoolDocument, Study
from judging.protocol.reported import Fault
from judging.protocol.states import AssignmentState
from judging.worker.services.leaving import report_document, withdraw
from tests.factories import NOW, judge_unit, later, live_assignment, make_study, make_worker
from tests.support.integrity import broken_invariants
from tests.support.preferences import prefers, prefers_neither, prefers_wrongly

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_study(scale="preference", topics=1, documents=12, pay_per_unit="0.20")


def pages(assignment: Assignment) -> list[tuple[int, int | None]]:
    rows = assignment.judgments.order_by("position")
    return list(rows.values_list("pool_document_id", "compared_with_id"))


@pytest.mark.parametrize("anchor_pairs", [1, 2])
def test_a_unit_is_a_ring_in_which_the_anchors_meet(anchor_pairs: int) -> None:
    study = make_study(scale="preference", topics=1, documents=12, anchor_pairs=anchor_pairs)
    for _ in range(4):
        ring = pages(live_assignment(make_worker(study, upto="judging")))
        assert [second for _, second in ring] == [first for first, _ in [*ring[1:], ring[0]]]
        anchors = dict(PoolDocument.objects.exclude(anchor="").values_list("anchor", "pk"))
        met = [{first, second} for first, second in ring]
        for high, low in (("H", "N"), ("H2", "N2"))[:anchor_pairs]:
            assert met.count({anchors[high], anchors[low]}) == 1
    assert broken_invariants(study) == []


def test_the_same_units_are_planned_as_on_other_scales(study: Study) -> None:
    other = make_study(slug="other", topics=1, documents=12)
    assert planned_in(study) == planned_in(other)


def planned_in(study: Study) -> list[list[str]]:
    return [
        list(unit.unit_documents.values_list("pool_document__document__document_id", flat=True))
        for unit in study.topics.get().units.order_by("number")
    ]


@pytest.mark.parametrize(
    ("answer", "ties", "passes"),
    [
        (prefers, "fail", True),
        (prefers_wrongly, "fail", False),
        (prefers_wrongly, "pass", False),
        (prefers_neither, "fail", False),
        (prefers_neither, "pass", True),
    ],
)
def test_check_c_decides_whichever_anchor_came_first(
    answer: Callable[..., str], ties: str, passes: bool
) -> None:
    study = make_study(scale="preference", topics=1, documents=12, anchor_ties=ties)
    directions = set()
    for _ in range(6):
        worker = make_worker(study)
        unit = judge_unit(worker, magnitude=answer)
        assert unit.state == (AssignmentState.COMPLETED if passes else AssignmentState.REVISING)
        page = next(
            judgment
            for judgment in unit.judgments.select_related("pool_document", "compared_with")
            if judgment.compared_with and judgment.pool_document.anchor and judgment.compared_with.anchor
        )
        directions.add(page.pool_document.anchor)
        if not passes:
            event = Event.objects.get(assignment=unit, kind="anchors_failed")
            assert event.anchors == ("tied" if answer is prefers_neither else "inverted")
    assert directions == {"H", "N"}
    assert broken_invariants(study) == []


def test_withdrawn_judgments_are_deleted_with_both_documents(study: Study) -> None:
    worker = make_worker(study)
    judge_unit(worker, magnitude=prefers)
    assert Judgment.objects.count() == 8
    withdraw(participation=worker, delete_judgments=True, now=later(hours=1))
    assert not Judgment.objects.exists()
    assert broken_invariants(study) == []


@pytest.mark.parametrize("second", [False, True])
def test_either_document_of_a_page_can_be_reported(second: bool, study: Study) -> None:
    worker = make_worker(study, upto="judging")
    unit = live_assignment(worker)
    shown = pages(unit)[0]
    assert report_document(
        participation=worker, number=unit.number, position=0, fault=Fault.BROKEN, now=NOW, second=second
    )
    assert Event.objects.get(kind="reported").document_id == shown[second]


def test_an_adaptive_study_of_preferences_cannot_open() -> None:
    faults = [
        readiness(
            make_study(slug=scale, scale=scale, topics=1, opened=False, allocation="adaptive"), now=NOW
        ).faults
        for scale in ("preference", "magnitude")
    ]
    assert len(faults[0]) == len(faults[1]) + 1


@pytest.mark.parametrize("fault", ["scale", "ring", "unit"])
def test_integrity_finds_broken_pairs(fault: str, study: Study) -> None:
    unit = live_assignment(make_worker(study, upto="judging"))
    first, _second, third = unit.judgments.order_by("position")[:3]
    outside = PoolDocument.objects.exclude(pk__in=unit.judgments.values("pool_document")).first()
    assert outside is not None
    changes = {"scale": None, "ring": third.compared_with_id, "unit": outside.pk}
    Judgment.objects.filter(pk=first.pk).update(compared_with=changes[fault])
    assert broken_invariants(study)
