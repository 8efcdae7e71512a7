"""Every invariant, broken once by a raw write on each database: it is noticed, and named where it is."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, transaction
from django.db.models import QuerySet

from judging.integrity import INVARIANTS, breaches
from judging.limits import LONGEST_REASON
from judging.models import (
    COUNTS,
    Assignment,
    DisagreementVerdict,
    Document,
    Event,
    EventKind,
    GradeSet,
    Judgment,
    KnownGrade,
    LabelSet,
    MachineJudge,
    MachineUnit,
    Participation,
    PlatformIdentity,
    PoolDocument,
    Ranking,
    Run,
    SampleDraw,
    Study,
    Topic,
    TopicLabels,
    Unit,
    UnitDocument,
    Visit,
    WorkerLink,
)
from judging.protocol.checks import anchors
from judging.worker.services.leaving import return_unit, withdraw
from judging.worker.services.reservation import reserve_unit
from tests.factories import (
    NOW,
    answer_rightly,
    inverted,
    judge_unit,
    live_assignment,
    make_machine,
    make_study,
    make_worker,
    see,
)


@dataclass(frozen=True)
class Scene:
    """A worker completed a unit and holds another, a document open; others failed, gave back, left."""

    study: Study
    other: Study
    worker: Participation
    completed: Assignment
    live: Assignment
    failing: Assignment
    returned: Assignment
    left: Participation


@pytest.fixture
def scene(database: str) -> Scene:
    study = make_study(platform="generic", id_parameter="PID")
    other = make_study(slug="other")
    worker = make_worker(study, platform_id="person")
    completed = judge_unit(worker)
    reserve_unit(participation=worker, now=NOW, rng=Random(1))
    answer_rightly(worker)
    see(worker)
    failing = judge_unit(make_worker(study), magnitude=inverted, seconds=1)
    back = make_worker(study, upto="judging")
    return_unit(participation=back, now=NOW)
    left = make_worker(study)
    withdraw(participation=left, delete_judgments=False, now=NOW)
    topic = study.topics.all()[0]
    grades = GradeSet.objects.create(study=study, name="trec", place=0)
    KnownGrade.objects.create(grade_set=grades, topic=topic, document_id="D", value="2", level="H")
    labels = LabelSet.objects.create(
        study=study, name="model", file="model.qrels", sha256="0" * 64, added_at=NOW
    )
    labels.topics.create(topic=topic, document_ids=["D"], labels=[1.0])
    run = Run.objects.create(study=study, tag="bm25")
    Ranking.objects.create(run=run, topic=topic, document_ids=["D"], scores=[1.0], ranks=[1])
    return Scene(
        study, other, worker, completed, live_assignment(worker), failing, live_assignment(back), left
    )


def broken(study: Study | None = None) -> dict[str, str]:
    return {breach.invariant.name: str(breach) for breach in breaches(INVARIANTS, study)}


def is_broken(name: str, study: Study | None = None) -> bool:
    """Whether this invariant alone is broken, in a study or in any."""
    return any(breaches([item for item in INVARIANTS if item.name == name], study))


Break = Callable[[Scene], object]


def attempt(of: str, **fields: object) -> Break:
    return lambda scene: Assignment.objects.filter(pk=getattr(scene, of).pk).update(**fields)


def unit(of: str, **fields: object) -> Break:
    return lambda scene: Unit.objects.filter(pk=getattr(scene, of).unit_id).update(**fields)


def answer(of: str, position: int = 0, **fields: object) -> Break:
    return lambda scene: Judgment.objects.filter(assignment=getattr(scene, of), position=position).update(
        **fields
    )


def compare(scene: Scene, *, shift: int) -> None:
    """Let the first page show the document of a later page second."""
    later = scene.completed.judgments.get(position=shift).pool_document_id
    scene.completed.judgments.filter(position=0).update(compared_with=later)


def compare_another_topics_document(scene: Scene) -> None:
    theirs = PoolDocument.objects.filter(anchor="").exclude(topic=scene.completed.topic)[0]
    scene.completed.judgments.filter(position=0).update(compared_with=theirs)


def prefer_n(scene: Scene) -> None:
    Study.objects.filter(pk=scene.study.pk).update(scale="preference")
    low = scene.completed.judgments.get(pool_document__anchor="N").pool_document_id
    scene.completed.judgments.filter(pool_document__anchor="H").update(compared_with=low, number=0)


def make_arm(scene: Scene, *, front: str, state: str) -> None:
    Study.objects.filter(pk=scene.other.pk).update(arm=front)
    Study.objects.filter(pk=scene.study.pk).update(front=scene.other, arm="b", state=state)


def drop_unit_documents(scene: Scene) -> None:
    UnitDocument.objects.filter(unit=scene.live.unit).order_by("pk")[0].delete()


def plan_another_topics_document(scene: Scene) -> None:
    theirs = PoolDocument.objects.filter(anchor="").exclude(topic=scene.live.topic)[0]
    row = UnitDocument.objects.filter(unit=scene.live.unit).order_by("pk")[0]
    UnitDocument.objects.filter(pk=row.pk).update(pool_document=theirs)


def plan_an_anchor(scene: Scene) -> None:
    anchor = PoolDocument.objects.get(topic=scene.live.topic, anchor="H")
    row = UnitDocument.objects.filter(unit=scene.live.unit).order_by("pk")[0]
    UnitDocument.objects.filter(pk=row.pk).update(pool_document=anchor)


def forget_an_anchor(scene: Scene) -> None:
    PoolDocument.objects.filter(topic=scene.live.topic, anchor="H").update(anchor="")


def retire_units(scene: Scene) -> None:
    Unit.objects.filter(topic=scene.live.topic, state="open").update(state="retired")


def judge_another_document(scene: Scene) -> None:
    theirs = PoolDocument.objects.filter(anchor="").exclude(topic=scene.completed.topic)[0]
    mine = Judgment.objects.filter(assignment=scene.completed, pool_document__anchor="")[0]
    Judgment.objects.filter(pk=mine.pk).update(pool_document=theirs)


def swap_anchors(scene: Scene) -> None:
    low = Judgment.objects.filter(assignment=scene.completed, pool_document__anchor="N")
    low.update(raw_input="1000", number=1000)


def shorten_visits(scene: Scene) -> None:
    Visit.objects.filter(judgment__assignment=scene.completed, judgment__position=3).update(seconds=19.9)


def lend_a_visit(scene: Scene) -> None:
    Visit.objects.filter(assignment=scene.completed, judgment__position=0).update(assignment=scene.failing)


def reopen_a_visit(scene: Scene) -> None:
    one = Visit.objects.filter(assignment=scene.completed, judgment__position=7).order_by("pk")[0]
    Visit.objects.filter(pk=one.pk).update(closed_at=None)


def leave_an_answer(scene: Scene) -> None:
    pool = PoolDocument.objects.filter(topic=scene.returned.topic)[0]
    Judgment.objects.create(assignment=scene.returned, pool_document=pool, position=0)


def take_a_document(scene: Scene) -> None:
    theirs = Document.objects.filter(study=scene.other)[0]
    first = PoolDocument.objects.filter(topic=scene.live.topic, anchor="").order_by("pk")[0]
    PoolDocument.objects.filter(pk=first.pk).update(document=theirs)


def no_event(kind: str, of: str = "") -> Break:
    return lambda scene: Event.objects.filter(
        kind=kind, **({"assignment": getattr(scene, of)} if of else {})
    ).delete()


def draw_of(scene: Scene, **fields: Any) -> SampleDraw:
    """A draw that gave all documents of the live topic the chance 1, except for what is stated."""
    pool = PoolDocument.objects.filter(topic=scene.live.topic)
    values = {"number": 1, "at": NOW, "design": "systematic", "seed": 1, "measure": "DCG@10", "depth": 10}
    draw = SampleDraw.objects.create(**{"study": scene.study, "budget": pool.count(), **values, **fields})
    pool.update(draw=draw)
    return draw


def leave_out(scene: Scene, of: QuerySet[Any]) -> None:
    """Take a document out of the sample."""
    key = of.exclude(pool_document__anchor__gt="").order_by("pk").values_list("pool_document", flat=True)[0]
    Study.objects.filter(pk=scene.study.pk).update(sample_budget=10)
    PoolDocument.objects.filter(pk=key).update(sampled=False, inclusion=0.5)


def sample_one_less(scene: Scene) -> None:
    draw = draw_of(scene)
    Study.objects.filter(pk=scene.study.pk).update(sample_budget=draw.budget)
    others = draw.documents.filter(anchor="").order_by("pk").values_list("pk", flat=True)
    PoolDocument.objects.filter(pk=others[0]).update(sampled=False, inclusion=1 - 1e-12)


def machine_of(scene: Scene, *, kind: str = "machine", **fields: Any) -> MachineJudge:
    """A machine judge in the study, with a call about a document, except for what is stated."""
    worker = make_worker(scene.study)
    Participation.objects.filter(pk=worker.pk).update(kind=kind)
    return make_machine(worker, **fields)


def call_about_another_topic(scene: Scene) -> None:
    machine_of(scene).calls.create(
        key="0" * 64,
        purpose="document",
        topic=scene.live.topic,
        document=PoolDocument.objects.filter(topic__study=scene.other)[0],
        outcome="answered",
        at=NOW,
    )


BREAKS: dict[str, Break] = {
    "machine_judge_of_its_kind": lambda scene: machine_of(scene, kind="person"),
    "machine_sitting_of_its_judge": lambda scene: MachineJudge.objects.filter(
        pk=machine_of(scene, first=machine_of(scene), sitting=2).pk
    ).update(name="other"),
    "machine_unit_of_its_judge": lambda scene: MachineUnit.objects.create(
        judge=machine_of(scene), unit=scene.live.unit
    ),
    "machine_call_of_its_topic": call_about_another_topic,
    "draw_spends_its_budget": lambda scene: draw_of(scene, budget=3),
    "systematic_draw_of_its_size": sample_one_less,
    "draw_of_its_study": lambda scene: draw_of(scene, study=scene.other),
    "chance_only_in_a_sample": lambda scene: PoolDocument.objects.filter(anchor="").update(inclusion=0.5),
    "unit_of_the_sample": lambda scene: leave_out(
        scene, UnitDocument.objects.filter(unit=scene.completed.unit)
    ),
    "judgment_of_the_sample": lambda scene: leave_out(scene, scene.completed.judgments.all()),
    "pool_of_its_study": take_a_document,
    "ranking_of_its_study": lambda scene: Ranking.objects.update(topic=scene.other.topics.all()[0]),
    "labels_of_their_study": lambda scene: TopicLabels.objects.update(topic=scene.other.topics.all()[0]),
    "grade_of_its_study": lambda scene: KnownGrade.objects.update(topic=scene.other.topics.all()[0]),
    "verdict_of_its_study": lambda scene: DisagreementVerdict.objects.create(
        pool_document=scene.other.topics.all()[0].pool.all()[0],
        grade_set=GradeSet.objects.get(),
        verdict="crowd_wrong",
        decided_at=NOW,
    ),
    "platform_as_declared": lambda scene: Study.objects.filter(pk=scene.study.pk).update(platform="nowhere"),
    "scale_as_declared": lambda scene: Study.objects.filter(pk=scene.study.pk).update(scale="rating"),
    "identity_of_its_study": lambda scene: PlatformIdentity.objects.update(study=scene.other),
    "link_of_its_study": lambda scene: WorkerLink.objects.create(
        study=scene.other,
        number=1,
        token_hash="a" * 64,
        made_at=NOW,
        used_at=NOW,
        participation=scene.worker,
    ),
    "browser_of_its_study": lambda scene: Participation.objects.filter(pk=scene.worker.pk).update(
        same_browser=make_worker(scene.other)
    ),
    "ready_by_practice": lambda scene: scene.worker.practice_attempts.all().delete(),
    "unit_reserved_as_held": unit("live", state="open"),
    "unit_done_as_completed": unit("completed", state="retired"),
    "unit_of_retired_topic_closed": lambda scene: Topic.objects.filter(pk=scene.live.topic_id).update(
        retired_at=NOW
    ),
    "unit_of_its_size": drop_unit_documents,
    "unit_of_its_topic": plan_another_topics_document,
    "unit_without_anchors": plan_an_anchor,
    "unit_copied_in_its_topic": lambda scene: Unit.objects.filter(pk=scene.live.unit_id).update(
        copy_of=scene.completed.unit
    ),
    "topic_with_its_anchors": forget_an_anchor,
    "document_planned_often_enough": retire_units,
    "attempt_at_its_units_topic": lambda scene: Assignment.objects.filter(pk=scene.live.pk).update(
        topic=scene.other.topics.all()[0]
    ),
    "attempt_at_a_unit_of_its_kind": lambda scene: Unit.objects.filter(pk=scene.live.unit_id).update(
        kind="machine"
    ),
    "attempt_in_its_workers_study": lambda scene: Participation.objects.filter(pk=scene.worker.pk).update(
        study=scene.other
    ),
    "attempts_numbered_through": attempt("live", number=9),
    "attempt_of_a_worker_who_may": lambda scene: Participation.objects.filter(pk=scene.worker.pk).update(
        state="practising"
    ),
    "attempt_with_every_answer": lambda scene: scene.live.judgments.filter(position=5).delete(),
    "attempt_without_dropped_answers": leave_an_answer,
    "attempt_tells_of_kept_answers": attempt("completed", answers_kept=True),
    "attempt_forgets_failed_numbers": attempt("completed", failed_numbers=[[1.0]]),
    "attempt_forgets_its_address": attempt("completed", held_from="0" * 32),
    "attempt_at_one_of_its_documents": attempt("live", cursor=8),
    "attempt_counts_its_failures": attempt("failing", failed_finishes=3),
    "attempt_counted_where_judged_here": attempt("completed", started_at=None, **dict.fromkeys(COUNTS)),
    "attempt_counts_its_judgments": attempt("completed", judgment_count=7),
    "attempt_held_for_a_payment": attempt("returned", pay_decision="hold", pay_reason="too_fast"),
    "attempt_measured_as_visited": attempt("completed", open_seconds=199.9),
    "answer_of_its_unit": judge_another_document,
    "answer_on_the_scale": answer("completed", number=0.0),
    "compared_on_its_scale": lambda scene: compare(scene, shift=1),
    "pairs_in_a_ring": lambda scene: compare(scene, shift=2),
    "compared_document_of_its_unit": compare_another_topics_document,
    "anchors_preferred_where_they_count": prefer_n,
    "arm_of_a_front": lambda scene: make_arm(scene, front="", state="open"),
    "arms_alike": lambda scene: make_arm(scene, front="a", state="paused"),
    "answer_read_as_typed": answer("completed", raw_input="1,000"),
    "answer_within_its_length": answer("live", justification="a" * (LONGEST_REASON + 1)),
    "answer_whole_where_it_counts": answer("completed", justification=" "),
    "anchors_in_order_where_they_count": swap_anchors,
    "seen_long_enough_where_it_counts": shorten_visits,
    "visit_of_one_attempt": lend_a_visit,
    "visit_closed_at_the_end": reopen_a_visit,
    "visit_open_where_the_worker_is": attempt("live", cursor=1),
    "visit_capped": lambda scene: Visit.objects.filter(assignment=scene.completed).update(seconds=901),
    "event_of_its_study": lambda scene: Event.objects.update(study=scene.other),
    "event_of_a_declared_kind": lambda scene: Event.objects.update(kind="unheard_of"),
    "event_of_its_attempt": lambda scene: Event.objects.filter(assignment=scene.returned).update(unit=None),
    "end_with_an_event": no_event(EventKind.RETURNED, "returned"),
    "parting_with_an_event": no_event(EventKind.WITHDRAWN),
    "gate_with_an_event": lambda scene: Participation.objects.filter(pk=scene.worker.pk).update(
        gate="closed", gated_at=NOW
    ),
    "failures_with_events": no_event(anchors.CHECK.event),
}


MOVED = {"identity_of_its_study", "link_of_its_study", "attempt_in_its_workers_study", "event_of_its_study"}
"""Their rows stand in the other study once they are broken."""


def test_each_invariant_is_broken_here() -> None:
    assert {*BREAKS, "unit_held_once"} == {invariant.name for invariant in INVARIANTS}
    assert len({invariant.rule for invariant in INVARIANTS}) == len(INVARIANTS)


class _UndoneError(Exception):
    """Takes back what a break has changed."""


def test_a_broken_invariant_is_noticed(scene: Scene, subtests: pytest.Subtests) -> None:
    assert broken() == {}
    for name, break_it in BREAKS.items():
        with subtests.test(name), suppress(_UndoneError), transaction.atomic():
            break_it(scene)
            assert is_broken(name)
            assert is_broken(name, scene.other if name in MOVED else scene.study)
            raise _UndoneError
    assert broken() == {}


def test_a_unit_that_is_held_twice_is_noticed(scene: Scene) -> None:
    """The database itself refuses this, while its index is in order."""
    constraints = Assignment._meta.constraints
    (once,) = (
        constraint for constraint in constraints if constraint.name == "assignment_one_holder_per_unit"
    )
    with connection.schema_editor() as editor:
        editor.remove_constraint(Assignment, once)
    second = Assignment.objects.filter(pk=scene.returned.pk)
    unit = scene.completed.unit
    try:
        second.update(unit=unit, topic=unit.topic, state="completed", ended_at=NOW, completion_code="X" * 14)
        assert "unit_held_once" in broken(scene.study)
    finally:
        second.delete()
        with connection.schema_editor() as editor:
            editor.add_constraint(Assignment, once)


def test_the_command_names_what_is_broken_and_where(scene: Scene) -> None:
    call_command("check_integrity", stdout=StringIO())
    Unit.objects.filter(pk=scene.live.unit_id).update(state="open")
    topic, number = scene.live.unit.topic.number, scene.live.unit.number
    with pytest.raises(CommandError, match=rf"study: unit {topic}-{number:04d}"):
        call_command("check_integrity", stdout=StringIO())
    call_command("check_integrity", "other", stdout=StringIO())  # and that study is whole
    with pytest.raises(CommandError, match="nowhere"):
        call_command("check_integrity", "nowhere", stdout=StringIO())


def test_many_rows_are_counted_and_three_are_named(scene: Scene) -> None:
    Visit.objects.filter(assignment=scene.completed).update(seconds=3600)
    line = broken()["visit_capped"]
    assert " 8 times: " in line
    assert line.count("visit ") == 1 + 3  # one more in the rule
