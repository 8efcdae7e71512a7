"""Every named constraint, violated once by a raw write on each database: none of them is only on paper."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from math import inf, nan
from random import Random
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.db import IntegrityError, models, transaction
from django.db.models import F

from judging.core.services.events import record
from judging.core.services.pictures import store_picture
from judging.models import (
    AllocationDecision,
    Assignment,
    DisagreementVerdict,
    Document,
    ErasedIdentity,
    Event,
    EventKind,
    GradeSet,
    Invitation,
    Job,
    Judgment,
    KnownGrade,
    LabelSet,
    MachineCall,
    MachineJudge,
    Membership,
    Participation,
    Picture,
    PlatformIdentity,
    PlatformMessage,
    PlatformSubmission,
    PoolDocument,
    PracticeAttempt,
    Question,
    Ranking,
    Report,
    Run,
    SampleDraw,
    Setup,
    SetupFile,
    Study,
    Topic,
    TopicLabels,
    Unit,
    UnitDocument,
    Visit,
    Watch,
    WorkerFigures,
    WorkerLink,
)
from judging.models.setting_fields import setting_constraints
from judging.models.watch import BOUNDS
from judging.protocol.judges import KINDS
from judging.protocol.settings import SETTINGS, Kind
from judging.worker.services.reservation import reserve_unit
from tests.factories import (
    NOW,
    answer_rightly,
    judge_unit,
    live_assignment,
    make_machine,
    make_study,
    make_worker,
    see,
)
from tests.marked_up.drawing import square


@dataclass(frozen=True)
class Scene:
    """One worker has completed a unit and holds another, with a document open."""

    study: Study
    worker: Participation
    completed: Assignment
    live: Assignment


@pytest.fixture
def scene(database: str) -> Scene:
    study = make_study(platform="generic", id_parameter="PID")
    worker = make_worker(study, platform_id="person", submission_id="first")
    completed = judge_unit(worker)
    Participation.objects.update(arrival_key="k" * 26)
    reserve_unit(participation=worker, now=NOW, rng=Random(1))
    answer_rightly(worker)
    see(worker)
    record(EventKind.LAPSED, participation=worker, now=NOW)
    grades = GradeSet.objects.create(study=study, name="trec", place=0)
    topic = study.topics.all()[0]
    KnownGrade.objects.create(grade_set=grades, topic=topic, document_id="D", value="2", level="H")
    pooled = PoolDocument.objects.filter(topic=topic)[0]
    DisagreementVerdict.objects.create(
        pool_document=pooled, grade_set=grades, verdict="topic_unclear", decided_at=NOW
    )
    run = Run.objects.create(study=study, tag="bm25")
    Membership.objects.create(study=study, user=get_user_model().objects.create_user("ada"), role="owner")
    Job.objects.create(kind="expire", created_at=NOW, heartbeat_at=NOW)
    Ranking.objects.create(run=run, topic=topic, document_ids=["D"], scores=[1.0], ranks=[1])
    invited = {"email": "bea@example.org", "created_at": NOW, "expires_at": NOW}
    Invitation.objects.create(study=study, role="viewer", key="s" * 43, **invited)
    Invitation.objects.create(role="staff", key="t" * 43, **invited)
    seen = {"seen_judgments": 8, "seen_units": 1, "seen_sum": 1}
    Report.objects.create(study=study, kind="grades", key="0" * 64, made_at=NOW, **seen)
    AllocationDecision.objects.create(study=study, number=1, at=NOW, reason="settled", record={})
    SampleDraw.objects.create(
        study=study, number=1, at=NOW, design="systematic", budget=9, seed=0, measure="DCG@10", depth=9
    )
    Watch.objects.create(study=study)
    PlatformMessage.objects.create(platform="prolific", message_id="E1", received_at=NOW)
    WorkerLink.objects.create(study=study, number=1, token_hash="a" * 64, made_at=NOW)
    WorkerFigures.objects.create(participation=worker, computed_at=NOW, begun=1, ended=1, completed=1)
    store_picture(study, "square.png", square(1))
    machine = make_machine(make_worker(study, upto="consented", kind=KINDS["machine"]))
    machine.calls.create(
        key="0" * 64, purpose="document", topic=topic, document=pooled, outcome="answered", at=NOW
    )
    labels = LabelSet.objects.create(
        study=study, name="model", file="model.qrels", sha256="0" * 64, added_at=NOW
    )
    labels.topics.create(topic=topic, document_ids=["D"], labels=[1.0])
    setup = Setup.objects.create(study=study, changed_at=NOW)
    SetupFile.objects.create(setup=setup, kind="grades", path="a", name="grade")
    return Scene(study, worker, completed, live_assignment(worker))


Write = Callable[[Scene], Any]


def change(model: type[models.Model], /, **fields: Any) -> Write:
    """Write `fields` into one row of the model, past everything but the database."""

    def write(scene: Scene) -> None:
        first = model._base_manager.order_by("pk").values_list("pk", flat=True)[:1]
        assert model._base_manager.filter(pk__in=list(first)).update(**fields) == 1

    return write


def on(of: str, **fields: Any) -> Write:
    """Write `fields` into the scene's assignment called `of`."""
    return lambda scene: Assignment.objects.filter(pk=getattr(scene, of).pk).update(**fields)


def again(model: type[models.Model], **fields: Any) -> Write:
    """Write a copy of one row of the model, with the changes in `fields`."""

    def write(scene: Scene) -> None:
        row = model._base_manager.order_by("pk").first()
        assert row is not None
        row.pk = None
        for name, value in fields.items():
            setattr(row, name, value)
        row.save(force_insert=True)

    return write


def sit_twice(scene: Scene) -> None:
    """Two rows for the second sitting of a machine judge."""
    row = MachineJudge.objects.get()
    first, row.sitting = MachineJudge.objects.get(), 2
    row.first = first
    for _ in range(2):
        row.pk = None
        row.participation = make_worker(scene.study, upto="consented", kind=KINDS["machine"])
        row.save(force_insert=True)


def use_a_dataset_twice(scene: Scene) -> None:
    """A collection of `ir_datasets` for the same kind twice."""
    row = SetupFile.objects.order_by("pk")[0]
    SetupFile.objects.filter(pk=row.pk).update(path="irds:beir/scifact")
    SetupFile.objects.create(setup=row.setup, kind=row.kind, path="irds:beir/scifact")


def write_a_pair_twice(scene: Scene) -> None:
    """The same two documents compared twice in one unit, in the same order."""
    first, second, *_ = Judgment.objects.order_by("pk")
    Judgment.objects.filter(pk=first.pk).update(compared_with=second.pool_document)
    first.refresh_from_db()
    first.pk, first.position = None, 8
    first.save(force_insert=True)


def make_an_arm_without_a_name(scene: Scene) -> None:
    """A study whose workers come in by another study."""
    make_study(slug="front")
    Study.objects.filter(pk=scene.study.pk).update(front=Study.objects.get(slug="front"), arm="")


SETTING_CONSTRAINTS = {constraint.name for constraint in setting_constraints()}


def break_settings() -> Iterator[tuple[str, list[Write]]]:
    """Yield the name of each constraint of a setting, with values that are just out of bounds or unknown."""
    for key, setting in SETTINGS.items():
        if setting.kind == Kind.TEXTS:
            few, many = ["a"] * (setting.least - 1), list(map(str, range(setting.most + 1)))
            yield f"study_{key}_in_range", [change(Study, **{key: texts}) for texts in (few, many)]
        elif f"study_{key}_in_range" in SETTING_CONSTRAINTS:
            # The column of a whole number refuses what is negative, without a name.
            # A unit below its least size does not hold its anchors either, which is named first.
            least = setting.least - 1 if key != "unit_size" else -1
            values = [value for value in (least, setting.most + 1) if value >= 0]
            yield f"study_{key}_in_range", [change(Study, **{key: value}) for value in values]
        elif f"study_{key}_known" in SETTING_CONSTRAINTS:
            yield f"study_{key}_known", [change(Study, **{key: "?"}), change(Study, **{key: ""})]


def hold_again(scene: Scene) -> None:
    """A second worker's assignment to a unit that is held already."""
    other = make_worker(scene.study, platform_id="other")
    Assignment.objects.filter(pk=scene.live.pk).update(participation=other, unit=scene.completed.unit)


def live_again(scene: Scene) -> None:
    Assignment.objects.filter(pk=scene.completed.pk).update(
        state="judging", completion_code=None, ended_at=None
    )


def same_topic_again(scene: Scene) -> None:
    Assignment.objects.filter(pk=scene.live.pk).update(topic=scene.completed.topic)


def second_question_open(scene: Scene) -> None:
    for number in (8, 9):
        PracticeAttempt.objects.create(participation=scene.worker, number=number, lengths=[3, 1, 2])


UNKNOWN = "unknown"
VIOLATIONS: dict[str, list[Write]] = {
    "machine_sitting_once_per_judge": [sit_twice],
    "machine_sittings_counted_from_the_first": [change(MachineJudge, sitting=2)],
    "machine_judge_named": [change(MachineJudge, **{name: ""}) for name in ("name", "model", "prompt_name")],
    "machine_prompt_hashed": [change(MachineJudge, prompt_sha256=text) for text in ("", "G" * 64)],
    "machine_temperature_in_range": [change(MachineJudge, temperature=value) for value in (-0.1, 2.1, inf)],
    "machine_work_at_least_one": [
        change(MachineJudge, **{name: 0}) for name in ("judgments", "answer_tokens")
    ],
    "machine_money_not_negative": [
        change(MachineJudge, **{name: -1}) for name in ("input_price", "output_price", "most_money")
    ],
    "machine_limits_not_negative": [
        change(MachineJudge, **{name: -1}) for name in ("most_tokens", "most_seconds")
    ],
    "machine_call_once_per_judge": [again(MachineCall)],
    "machine_call_purpose_known": [change(MachineCall, purpose=UNKNOWN, document=None)],
    "machine_call_outcome_known": [change(MachineCall, outcome=UNKNOWN, fault="Why.")],
    "machine_call_hashed": [change(MachineCall, key=text) for text in ("", "G" * 64)],
    "machine_call_topic_by_purpose": [
        change(MachineCall, topic=None),
        change(MachineCall, purpose="practice", document=None),
    ],
    "machine_call_document_by_purpose": [
        change(MachineCall, document=None),
        change(MachineCall, purpose="question"),
    ],
    "machine_call_of_two_documents": [change(MachineCall, other=F("document"))],
    "machine_call_faulty_exactly_with_a_fault": [
        change(MachineCall, fault="Why."),
        change(MachineCall, outcome="failed"),
    ],
    "machine_call_cost_in_range": [
        *(change(MachineCall, seconds=value) for value in (-0.1, inf)),
        *(change(MachineCall, money=value) for value in (-1, 2 * 10**9)),
    ],
    "assignment_topic_once_per_participation": [same_topic_again],
    "assignment_numbered_once_per_participation": [on("live", number=1)],
    "assignment_one_live_per_worker": [live_again],
    "assignment_one_holder_per_unit": [hold_again],
    "assignment_state_known": [on("completed", state=UNKNOWN, completion_code=None)],
    "assignment_code_exactly_when_completed": [
        on("completed", completion_code=None),
        on("live", completion_code="ABCD-EFGH-JKLM"),
    ],
    "assignment_ended_exactly_when_not_live": [on("completed", ended_at=None), on("live", ended_at=NOW)],
    "assignment_start_and_counts_known_together": [
        on("completed", failed_checks=None),
        on("live", failed_finishes=None),
    ],
    "assignment_pay_not_negative": [on("live", pay=-1)],
    "assignment_judgments_counted_only_when_there": [
        on("completed", judgment_count=8, judgments_deleted_at=NOW),
    ],
    "assignment_judgments_deleted_only_when_completed": [on("live", judgments_deleted_at=NOW)],
    "document_id_once_per_study": [again(Document)],
    "document_id_not_empty": [change(Document, document_id="")],
    "document_layout_known": [change(Document, layout=UNKNOWN)],
    "document_markup_known": [change(Document, markup=UNKNOWN)],
    "picture_name_once_per_study": [again(Picture)],
    "picture_name_not_empty": [change(Picture, name="")],
    "picture_media_type_known": [change(Picture, media_type=UNKNOWN)],
    **dict(break_settings()),
    "study_language_set": [change(Study, language="")],
    "study_for_analysis_closed": [change(Study, purpose="analysis", state="open")],
    "decision_number_once_per_study": [again(AllocationDecision)],
    "decision_number_at_least_one": [change(AllocationDecision, number=0)],
    "decision_reason_known": [change(AllocationDecision, reason=UNKNOWN)],
    "judgment_pasted_in_range": [change(Judgment, pasted=value) for value in (-0.1, 1.1, inf)],
    "judgment_compares_two_documents": [change(Judgment, compared_with=F("pool_document"))],
    "judgment_pair_once_per_assignment": [write_a_pair_twice],
    "event_kind_not_empty": [change(Event, kind="")],
    "event_anchors_known": [change(Event, anchors=order) for order in ("ordered", "ordered ordered")],
    "event_tau_in_range": [change(Event, tau=value) for value in (1.01, -1.01, inf, -inf)],
    "event_option_is_an_option": [change(Event, option=4)],
    "event_fault_of_a_document": [change(Event, fault=value) for value in ("broken", "boring")],
    "grade_set_name_once_per_study": [again(GradeSet, place=1)],
    "grade_set_place_once_per_study": [again(GradeSet, name="sormunen")],
    "known_grade_once_per_set": [again(KnownGrade)],
    "known_grade_level_known": [change(KnownGrade, level=level) for level in ("X", "", "-1", "1.", "NM")],
    "identity_once_per_study": [
        lambda scene: PlatformIdentity.objects.filter(participation=make_worker(scene.study)).update(
            platform_id="person"
        )
    ],
    "erased_identity_once_per_study": [
        lambda scene: ErasedIdentity.objects.bulk_create(
            ErasedIdentity(study=scene.study, id_hash="a" * 64) for _ in range(2)
        )
    ],
    "link_number_once_per_study": [again(WorkerLink, token_hash="b" * 64)],
    "link_bound_only_when_used": [
        lambda scene: WorkerLink.objects.update(participation=scene.worker, used_at=None)
    ],
    "link_used_or_taken_back": [change(WorkerLink, used_at=NOW, taken_back_at=NOW)],
    "identity_not_empty": [change(PlatformIdentity, platform_id="")],
    "submission_once_per_identity": [again(PlatformSubmission)],
    "platform_message_once": [again(PlatformMessage)],
    "invitation_role_by_study": [
        change(Invitation, role="staff"),
        change(Invitation, study=None, email="cyd@example.org"),
        lambda scene: Invitation.objects.filter(study=None).update(role="viewer"),
    ],
    "invitation_accepted_or_revoked": [change(Invitation, accepted_at=NOW, revoked_at=NOW)],
    "invitation_open_once_per_study": [again(Invitation, key="u" * 43)],
    "invitation_open_once_to_the_site": [again(Invitation, key="u" * 43, study=None, role="admin")],
    "judgment_position_once_per_assignment": [change(Judgment, position=1)],
    "judgment_document_once_per_assignment": [again(Judgment, position=8)],
    "judgment_number_bounded": [change(Judgment, number=value) for value in (-1, inf, -inf, 9e-101, 1.1e100)],
    "judgment_visible_seconds_in_range": [
        change(Judgment, visible_seconds=value) for value in (-0.1, inf, -inf)
    ],
    "participation_pseudonym_once_per_study": [again(Participation, token="a" * 26)],
    "participation_token_once_per_study": [again(Participation, pseudonym="another")],
    "participation_arrival_key_once_per_study": [again(Participation, pseudonym="another", token="b" * 26)],
    "participation_state_known": [change(Participation, state=UNKNOWN)],
    "participation_simulated_exactly_with_a_behaviour": [
        change(Participation, kind="simulated"),
        change(Participation, behaviour="careful"),
    ],
    "participation_kind_set": [change(Participation, kind="")],
    "pool_document_once_per_topic": [again(PoolDocument, anchor="")],
    "pool_one_anchor_of_a_kind_per_topic": [
        lambda scene: PoolDocument.objects.filter(topic=scene.live.topic).update(anchor="H")
    ],
    "pool_grade_known": [change(PoolDocument, grade=grade) for grade in ("X", "-1", "NM")],
    "pool_anchor_known": [change(PoolDocument, anchor=anchor) for anchor in ("M", "H3", "N1")],
    "pool_inclusion_is_a_chance": [change(PoolDocument, inclusion=chance) for chance in (0, -0.1, 1.1, inf)],
    "pool_sampled_if_certain_or_an_anchor": [
        change(PoolDocument, sampled=False),
        change(PoolDocument, sampled=False, inclusion=0.5, anchor="H"),
    ],
    "draw_number_once_per_study": [again(SampleDraw)],
    "draw_design_known": [change(SampleDraw, design=UNKNOWN)],
    "draw_numbers_in_range": [
        change(SampleDraw, **{name: least - 1})
        for name, least in (("number", 1), ("budget", 1), ("depth", 1), ("seed", 0))
    ],
    "practice_attempt_numbered_once": [again(PracticeAttempt)],
    "practice_one_attempt_at_a_time": [second_question_open],
    "question_right_option_is_an_option": [change(Question, right_option=4)],
    "ranking_once_per_run_and_topic": [again(Ranking)],
    "report_once_per_kind_and_parameters": [again(Report)],
    "report_kind_known": [change(Report, kind=UNKNOWN)],
    "verdict_once_per_document_and_set": [again(DisagreementVerdict)],
    "verdict_known": [change(DisagreementVerdict, verdict=UNKNOWN)],
    "report_files_exactly_of_kinds_with_files": [
        change(Report, folder="folder"),
        change(Report, kind="plan", folder="folder"),
        change(Report, kind="figure"),
        change(Report, kind="whole"),
    ],
    "run_tag_once_per_study": [again(Run)],
    "label_set_name_once_per_study": [again(LabelSet)],
    "label_set_named": [change(LabelSet, name="")],
    "label_set_hashed": [change(LabelSet, sha256=text) for text in ("", "G" * 64)],
    "topic_labels_once_per_set": [again(TopicLabels)],
    "study_state_known": [change(Study, state=UNKNOWN)],
    "study_unit_holds_more_than_anchors": [change(Study, unit_size=4, anchor_pairs=2)],
    "assignment_compensation_only_when_ended_unpaid": [
        change(Assignment, compensation=amount) for amount in (1, -1)
    ],
    "assignment_paid_only_when_something_is_due": [
        lambda scene: Assignment.objects.filter(pk=scene.live.pk).update(paid_at=NOW)
    ],
    "participation_paid_only_when_something_is_due": [
        change(Participation, paid_at=NOW),
        change(Participation, compensation=-1),
    ],
    "assignment_pay_decision_known": [on("completed", pay_decision="some", pay_reason="limit")],
    "assignment_pay_reason_known": [on("completed", pay_decision="hold", pay_reason="because")],
    "assignment_unpaid_for_a_reason": [
        on("completed", pay_decision="hold"),
        on("completed", pay_reason="too_fast"),
    ],
    "assignment_paid_only_when_due": [
        on("completed", pay_decision="hold", pay_reason="too_fast", paid_at=NOW)
    ],
    "assignment_open_seconds_in_range": [on("completed", open_seconds=value) for value in (-0.1, inf)],
    "assignment_lowest_tau_in_range": [on("completed", lowest_tau=value) for value in (-1.1, 1.1, inf)],
    "participation_pay_decision_known": [change(Participation, pay_decision="some", pay_reason="limit")],
    "participation_pay_reason_known": [change(Participation, pay_decision="hold", pay_reason="because")],
    "participation_unpaid_for_a_reason": [
        change(Participation, pay_decision="refuse"),
        change(Participation, pay_reason="limit"),
    ],
    "participation_paid_only_when_due": [
        change(Participation, compensation=1, pay_decision="hold", pay_reason="limit", paid_at=NOW)
    ],
    "participation_gate_known": [change(Participation, gate="ajar", gated_at=NOW)],
    "participation_gated_with_a_time": [
        change(Participation, gate="closed"),
        change(Participation, gated_at=NOW),
    ],
    "membership_once_per_study_and_user": [again(Membership)],
    "membership_role_known": [change(Membership, role=UNKNOWN[:6])],
    "setup_file_once": [again(SetupFile, name="other")],
    "setup_dataset_once_per_kind": [use_a_dataset_twice],
    "setup_grades_name_once": [
        lambda scene: SetupFile.objects.create(setup=scene.study.setup, kind="grades", path="b", name="grade")
    ],
    "setup_file_kind_known": [change(SetupFile, kind=UNKNOWN[:10])],
    "setup_unlisted_grade_known": [change(SetupFile, unlisted="X")],
    "study_arm_has_a_name": [make_an_arm_without_a_name],
    "study_previewer_only_of_a_preview": [
        lambda scene: Study.objects.update(previewer=scene.study.memberships.get().user)
    ],
    "study_platform_set": [change(Study, platform="")],
    "study_scale_set": [change(Study, scale="")],
    "topic_number_once_per_study": [again(Topic)],
    "topic_number_not_empty": [change(Topic, number="")],
    "unit_number_once_per_topic": [again(Unit)],
    "unit_kind_set": [change(Unit, kind="")],
    "unit_state_known": [change(Unit, state=UNKNOWN)],
    "unit_excluded_only_when_done": [
        lambda scene: Unit.objects.filter(pk=scene.live.unit_id).update(
            excluded_at=NOW, exclusion_reason="Not careful."
        )
    ],
    "unit_excluded_exactly_with_a_reason": [
        lambda scene: Unit.objects.filter(pk=scene.completed.unit_id).update(excluded_at=NOW),
        change(Unit, exclusion_reason="Not careful."),
    ],
    "job_kind_known": [lambda scene: Job.objects.update(kind=UNKNOWN, study=scene.study)],
    "job_state_known": [change(Job, state=UNKNOWN, finished_at=NOW)],
    "job_study_by_kind": [
        lambda scene: Job.objects.update(study=scene.study),
        change(Job, kind="export"),
    ],
    "job_finished_has_its_time": [change(Job, finished_at=NOW), change(Job, state="done")],
    "job_running_has_begun": [change(Job, state="running")],
    "job_failed_says_why": [change(Job, error="Why."), change(Job, state="failed", finished_at=NOW)],
    "job_progress_within_total": [change(Job, progress_done=2, progress_total=1)],
    "job_attempts_bounded": [change(Job, attempts=4)],
    "job_one_expire_at_a_time": [again(Job)],
    "unit_document_once_per_unit": [again(UnitDocument)],
    "visit_one_open_per_assignment": [
        lambda scene: Visit.objects.create(
            assignment=scene.live, judgment=scene.live.judgments.get(position=1), opened_at=NOW
        )
    ],
    "visit_seconds_in_range": [change(Visit, seconds=value) for value in (-0.1, inf, -inf)],
    "watch_spent_is_positive": [change(Watch, spent=amount) for amount in (0, -1)],
    **{
        f"figures_{field}_in_range": [
            change(WorkerFigures, **{field: value}) for value in (least - 0.1, most * 1.1, inf, -inf)
        ]
        for field, (least, most) in BOUNDS.items()
    },
}


def constraints() -> dict[str, models.BaseConstraint]:
    """All named constraints of the site's own models."""
    tables = apps.get_app_config("judging").get_models()
    return {constraint.name: constraint for table in tables for constraint in table._meta.constraints}


def test_every_constraint_is_tried() -> None:
    assert set(VIOLATIONS) == set(constraints())


def test_each_named_constraint_refuses_its_violation(
    database: str, scene: Scene, subtests: pytest.Subtests
) -> None:
    known = constraints()
    for name, writes in VIOLATIONS.items():
        for place, write in enumerate(writes):
            with subtests.test(name, place=place):
                with pytest.raises(IntegrityError) as refusal, transaction.atomic():
                    write(scene)
                # SQLite names the columns of a violated unique constraint, not the constraint.
                unique = isinstance(known[name], models.UniqueConstraint)
                expected = "UNIQUE" if database == "sqlite" and unique else name
                assert expected in str(refusal.value)


NUMBERS = [
    (Judgment, "number"),
    (Judgment, "visible_seconds"),
    (Visit, "seconds"),
    (Study, "seconds_per_document"),
    (Study, "settled_level"),
    (Event, "tau"),
    *((WorkerFigures, field) for field in BOUNDS),
]


def test_nan_is_stored_nowhere(scene: Scene, subtests: pytest.Subtests) -> None:
    """PostgreSQL refuses it; SQLite makes NULL of it, which a column that must hold a number refuses."""
    for model, field in NUMBERS:
        with subtests.test(f"{model.__name__}.{field}"):
            before = set(model._base_manager.values_list(field, flat=True))
            with suppress(IntegrityError), transaction.atomic():
                change(model, **{field: nan})(scene)
            assert set(model._base_manager.values_list(field, flat=True)) <= before | {None}
