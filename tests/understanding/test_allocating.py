"""Adaptive studies: when the site decides, what it plans and stores, and how decisions are repeated."""

import json
from random import Random

import pytest
from django.core.management import CommandError, call_command

from evaluation.magnitudes import intervals
from judging.archive.bundles.bundle import bundle_chunks
from judging.archive.bundles.importing import import_bundle
from judging.core.published.decisions import decision_rows
from judging.core.selectors.magnitudes import study_gains
from judging.core.selectors.readiness import opening_faults
from judging.core.services.errors import RefusedError
from judging.core.services.studies import open_study, pause_study, retire_topic
from judging.core.study_imports import no_progress
from judging.jobs import TASKS
from judging.limits import RESAMPLES
from judging.models import (
    AllocationDecision,
    AuditEntry,
    Job,
    JobKind,
    Judgment,
    Ranking,
    Run,
    Study,
    Topic,
    Unit,
)
from judging.protocol.states import UnitState
from judging.understanding.jobs.allocating import request_due_batches
from judging.understanding.reports.document_reports import documents_table
from judging.understanding.reports.study_data import read_study
from judging.understanding.services.allocating import check_decisions, is_due, plan_next_batch
from tests.factories import NOW, judge_unit, make_study, make_worker

pytestmark = pytest.mark.django_db
SETTINGS = {
    "allocation": "adaptive",
    "judgments_per_document": 1,
    "most_judgments": 4,
    "settled_level": 1.0,
    "unit_size": 4,
}


def add_runs(study: Study, number: int = 3) -> None:
    """Add runs that rank the pool of each topic in different orders."""
    for place in range(number):
        run = Run.objects.create(study=study, tag=f"run-{place}")
        for topic in study.topics.all():
            documents = sorted(topic.pool.values_list("document__document_id", flat=True))
            Random(place).shuffle(documents)
            count = len(documents)
            Ranking.objects.create(
                run=run,
                topic=topic,
                document_ids=documents,
                scores=[float(count - rank) for rank in range(count)],
                ranks=list(range(1, count + 1)),
            )


def judge_all(study: Study) -> None:
    """Let new workers judge all open units, each of them one unit."""

    def magnitude(judgment: Judgment) -> str:
        anchor = judgment.pool_document.anchor
        noise = Random(judgment.pk).uniform(2, 9)
        return f"{noise * {'H': 9, 'N': 0.1}.get(anchor, 1):.2f}"

    while Unit.objects.filter(topic__study=study, state=UnitState.OPEN).exists():
        judge_unit(make_worker(study), magnitude=magnitude)


@pytest.fixture(scope="module")
def judged(module_db: None) -> Study:
    """An adaptive study whose first units are judged."""
    made = make_study(slug="judged", opened=False, **SETTINGS)
    add_runs(made)
    open_study(study=made, now=NOW)
    made.refresh_from_db()
    judge_all(made)
    return made


@pytest.fixture
def study(judged: Study, db: None) -> Study:
    return Study.objects.get(pk=judged.pk)


def test_a_batch_is_planned_stored_audited_and_judged(study: Study) -> None:
    before = set(Unit.objects.values_list("pk", flat=True))
    decision = plan_next_batch(study=study, now=NOW)
    assert (decision.number, decision.reason) == (1, "unsettled")
    new = Unit.objects.exclude(pk__in=before).select_related("topic")
    planned = {
        (unit.topic.number, unit.number): {
            row.pool_document.document.document_id for row in unit.unit_documents.all()
        }
        for unit in new
    }
    recorded = {
        (unit["topic_id"], number): set(unit["documents"])
        for unit, number in zip(decision.record["units"], decision.unit_numbers, strict=True)
    }
    assert planned == recorded
    assert not new.filter(unit_documents__pool_document__anchor__gt="").exists()
    entry = AuditEntry.objects.get(study=study, verb="allocated")
    assert entry.detail["units_planned"] == len(planned)
    assert not is_due(study)
    judge_all(study)
    assert is_due(study)
    pairs = list(study.participations.values_list("assignments__topic", "pk"))
    assert len(pairs) == len(set(pairs)), "a worker has had a topic twice"


def test_decisions_go_on_to_the_limit_and_can_be_repeated(study: Study) -> None:
    while is_due(study):
        plan_next_batch(study=study, now=NOW)
        judge_all(study)
    assert study.decisions.count() > 2
    last = study.decisions.order_by("-number")[0]
    # Two topics of 6 documents with 4 judgments each, 2 in a unit: 24 units.
    assert last.record["settings"]["most_units"] == 24
    assert last.reason in ("no-room", "settled")
    assert all(not names for _, names in check_decisions(study))
    Study.objects.filter(pk=study.pk).update(most_judgments=5)
    study.refresh_from_db()
    assert is_due(study) == (last.reason == "no-room")


def test_a_changed_judgment_shows(study: Study) -> None:
    plan_next_batch(study=study, now=NOW)
    judgment = Judgment.objects.filter(pool_document__anchor="").first()
    assert judgment is not None
    assert judgment.number is not None
    Judgment.objects.filter(pk=judgment.pk).update(number=judgment.number * 2)
    ((_, names),) = check_decisions(study)
    assert "judgments_sha256" in names
    with pytest.raises(CommandError):
        call_command("plan_units", study.slug, "--check")


def test_commands_decide_and_check(study: Study, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("plan_units", study.slug)
    call_command("plan_units", study.slug, "--check")
    assert study.decisions.count() == 1
    with pytest.raises(CommandError):
        call_command("plan_units", study.slug)


def test_the_job_decides_once(study: Study) -> None:
    assert request_due_batches(now=NOW) == 1
    job = Job.objects.get(kind="allocate")
    TASKS[JobKind.ALLOCATE](job.pk)
    TASKS[JobKind.ALLOCATE](job.pk)
    job.refresh_from_db()
    assert (job.state, job.result["reason"]) == ("done", "unsettled")
    assert request_due_batches(now=NOW) == 0
    assert study.decisions.count() == 1


def test_no_decision_is_due_in_other_studies(study: Study) -> None:
    pause_study(study=study, now=NOW)
    study.refresh_from_db()
    assert not is_due(study)
    with pytest.raises(RefusedError):
        plan_next_batch(study=study, now=NOW)
    fixed = make_study(slug="fixed", judgments_per_document=1, unit_size=4)
    judge_all(fixed)
    assert not is_due(fixed)


def test_retired_topics_get_no_units(study: Study) -> None:
    retired = Topic.objects.filter(study=study).first()
    assert retired is not None
    retire_topic(topic=retired, now=NOW)
    decision = plan_next_batch(study=study, now=NOW)
    assert decision.record["units"]
    assert retired.number not in {unit["topic_id"] for unit in decision.record["units"]}


def test_what_an_adaptive_study_needs_to_open() -> None:
    study = make_study(opened=False, **{**SETTINGS, "ranked_by": "ERR@10", "most_judgments": 1})
    assert len(opening_faults(study, now=NOW)) == 2
    add_runs(study)
    assert len(opening_faults(study, now=NOW)) == 1
    study.ranked_by = 'ERR(gmax="topic")@10'
    assert opening_faults(study, now=NOW) == []
    study.judgments_per_document = 2
    assert len(opening_faults(study, now=NOW)) == 1


def test_a_bundle_has_the_decisions_and_the_same_gains(study: Study, tmp_path) -> None:
    plan_next_batch(study=study, now=NOW)
    path = tmp_path / "study.zip"
    path.write_bytes(b"".join(bundle_chunks(study)))
    imported = import_bundle(
        path, slug="copy", now=NOW, progress=no_progress, written=lambda imported: None
    ).study
    copy = Study.objects.get(pk=imported.pk)
    assert list(decision_rows(copy)) == list(decision_rows(study))
    assert [names for _, names in check_decisions(copy)] == [[]]
    assert study_gains(copy).table.equals(study_gains(study).table)


def test_intervals_of_gains_come_from_the_topic(study: Study) -> None:
    data = read_study(study)
    table = documents_table(data)
    expected = intervals(data.judgments, data.normalised, data.random, resamples=RESAMPLES, spread="topic")
    assert table.select(expected.columns).equals(expected)
    single = table.filter(judgments=1)
    assert len(single)
    assert (single["low"] < single["high"]).all()


def test_the_export_has_a_record_that_can_be_read(study: Study) -> None:
    plan_next_batch(study=study, now=NOW)
    (row,) = decision_rows(study)
    assert json.loads(row.record)["settings"]["measure"] == "nDCG@10"
    assert len(json.loads(row.unit_numbers)) == row.units_planned
    assert AllocationDecision.objects.get().reason == row.reason


def test_quality_shows_the_decisions(study: Study, admin_client) -> None:
    plan_next_batch(study=study, now=NOW)
    page = admin_client.get(f"/console/studies/{study.slug}/quality/").content.decode()
    assert 'id="decisions"' in page
    make_study(slug="fixed")
    assert 'id="decisions"' not in admin_client.get("/console/studies/fixed/quality/").content.decode()
