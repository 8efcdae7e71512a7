"""A study that uses all that the package declares, over real HTTP. The package must be installed.

`test_package.py` installs it, and runs the tests of this file. Pytest does not find them by itself.
"""

import csv
import io
import subprocess
import sys
from decimal import Decimal
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django.live_server_helper import LiveServer

import evaluation as ev
from judging.core.services.errors import RefusedError
from judging.core.services.studies import mark_simulated, open_study
from judging.models import Assignment, Judgment, Participation, Study
from judging.protocol import settings
from judging.setup.intake.study_values import setting_values
from judging.setup.study_files.importing import import_study
from judging.setup.study_files.study_folder import write_study_folder
from judging.worker.services.links import make_links
from tests.archive.bundles.conftest import exported as bundle_of
from tests.factories import NOW, fail_practice, honest, live_assignment, make_study, make_worker
from tests.setup.published import write_published
from tests.support.exports import export_lines
from tests.support.integrity import broken_invariants
from tests.support.second_kind import take_out
from tests.support.visitor import Visitor, through_http
from tests.worker.pages.actions import consent, judge_all, practise, take_topic


def three_numbers(judgment: Judgment) -> str:
    return {"H": "100", "N": "1"}.get(judgment.pool_document.anchor, "5")


def exported(study: Study, what: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(export_lines(study, what, "csv")))))


@pytest.fixture
def study(transactional_db: None, live_server: LiveServer) -> Study:
    """A unit of the study is judged: at the first attempt with three numbers, which the check refuses."""
    study = make_study(
        topics=1,
        seconds_per_document=0,
        platform="panel",
        no_work_url="https://panel.example.org/none",
        bonus=Decimal("1.50"),
        pay_per_unit=Decimal("0.20"),
    )
    visitor = Visitor(through_http(live_server.url))
    consent(visitor, "/s/study/?panelist=p-1&visit=v-1")
    worker = Participation.objects.get()
    practise(visitor)
    take_topic(visitor, worker)
    judge_all(visitor, worker, magnitude=three_numbers)
    unit = live_assignment(worker)
    assert (unit.state, unit.failed_checks) == ("revising", {"e": 1})
    while live_assignment(worker).cursor:
        visitor.send("back")
    page = judge_all(visitor, worker, magnitude=honest)
    unit = live_assignment(worker)
    assert unit.state == "completed"
    assert f"https://panel.example.org/done/{unit.completion_code}" in page.links()
    return study


@pytest.mark.django_db(transaction=True)
def test_the_kind_of_judge_judges_beside_people(live_server: LiveServer) -> None:
    """An assessor comes by a personal link, and judges a unit that was planned for assessors."""
    study = make_study(topics=1, seconds_per_document=0, entry="invite", opened=False)
    invite = "invite_workers", "study", "--kind", "assessor", "--judgments"
    with pytest.raises(CommandError, match="study"):  # not open yet
        call_command(*invite, "1")
    open_study(study=study, now=NOW)
    with pytest.raises(CommandError, match="1000"):
        call_command(*invite, "1001")
    (own,) = make_links(study=study, count=1, now=NOW, rng=Random(1))
    printed = StringIO()
    call_command(*invite, "1", stdout=printed)
    for link in (f"/s/study/?invite={own.token}", printed.getvalue().strip()):
        visitor = Visitor(through_http(live_server.url))
        consent(visitor, link)
        worker = Participation.objects.latest("pk")
        practise(visitor)
        take_topic(visitor, worker)
        judge_all(visitor, worker, magnitude=honest)
    person, assessor = Participation.objects.order_by("pk")
    assert (person.kind, assessor.kind) == ("person", "assessor")
    units = Assignment.objects.order_by("pk").values_list("unit__kind", "state", "pay")
    assert [*units] == [("person", "completed", study.pay_per_unit), ("assessor", "completed", 0)]
    assert {row["worker_id"] for row in exported(study, "judgments")} == {person.pseudonym}
    printed = StringIO()
    call_command("export", "study", "--what", "judgments", "--kinds", "assessor", "person", stdout=printed)
    rows = list(csv.DictReader(io.StringIO(printed.getvalue())))
    judges = {(row["worker_id"], row["judge"]) for row in rows}
    assert judges == {(person.pseudonym, "person"), (assessor.pseudonym, "assessor")}
    assert broken_invariants(study) == []
    take_out(study, "person")
    with pytest.raises(RefusedError):  # assessors cannot judge in a rehearsal
        mark_simulated(study=study, now=NOW)


def test_the_platform_knows_its_worker(study: Study) -> None:
    assert Participation.objects.get().identity.platform_id == "p-1"


def test_the_platforms_operations_pay_its_worker(study: Study, tmp_path: Path) -> None:
    Study.objects.update(pay_screened_out=Decimal("0.10"), practice_attempts=1)
    study.refresh_from_db()
    fail_practice(make_worker(study, platform_id="p-2", submission_id="v-2", upto="practising"))
    (tmp_path / "visits.csv").write_text("v-1,p-1,done\nv-2,p-2,done\nv-3,p-1,done\n")
    output = StringIO()
    for action in ("approve", "approve", "bonuses"):
        words = ("platform", "panel", "study", action, "--yes", "--folder", str(tmp_path))
        call_command(*words, stdout=output)
    assert output.getvalue().splitlines() == [
        "1 submissions are approved and marked as paid: 0.20 USD.",
        "0 submissions are approved and marked as paid: 0 USD.",
        "v-2,0.10",
        "1 bonuses are ordered.",
    ]
    assert (tmp_path / "orders.csv").read_text().split() == ["v-1,accept", "v-2,0.10"]


def test_the_check_is_told_wherever_checks_are(study: Study) -> None:
    (event,) = exported(study, "events")
    assert (event["kind"], event["check"], event["attempt"]) == ("variety_failed", "e", "1")
    assert event["different"] == "3"
    for row in exported(study, "table1"):
        assert [row[f"failed_e_{times}"] for times in ("0", "1", "2_or_more")] == ["0", "1", "0"]
    assert [row["failed_e"] for what in ("units", "workers") for row in exported(study, what)] == ["1", "1"]
    assert broken_invariants(study) == []


def test_api_and_console_show_it(study: Study) -> None:
    admin = Client()
    admin.force_login(get_user_model().objects.create_superuser("ada"))
    (event,) = admin.get("/api/v1/studies/study/events/").json()["results"]
    assert (event["kind"], event["check"], event["different"]) == ("variety_failed", "e", 3)
    (unit,) = admin.get("/api/v1/studies/study/units/").json()["results"]
    assert (unit["failed_c"], unit["failed_d"], unit["failed_e"]) == (0, 0, 1)
    for page in ("", "quality/", "events/", "workers/", "table1/", "thresholds/", "way-in/"):
        assert admin.get(f"/console/studies/study/{page}").status_code in (200, 302), page
    assert "failed_e" in admin.get("/console/studies/study/thresholds/").content.decode()
    assert "3 different numbers" in admin.get("/console/studies/study/events/").content.decode()
    schema = admin.get("/api/v1/schema/").content.decode()
    assert "variety_failed" in schema


def test_the_column_and_the_export_can_be_downloaded(study: Study) -> None:
    rows = exported(study, "judgments")
    assert {row["reason_words"] for row in rows} == {str(len(row["comment"].split())) for row in rows}
    assert list(rows[0])[-1] == "reason_words"
    (question,) = exported(study, "questions")
    assert question["right_option"].isdigit()


def test_the_setting_goes_wherever_settings_go(study: Study) -> None:
    study.refresh_from_db()
    assert study.bonus == Decimal("1.50")
    assert setting_values(study, "study")["pay"]["bonus"] == "1.50"
    lines = "".join(settings.markdown("pay"))
    assert "`bonus`" in lines
    assert "`bonus`" not in "".join(settings.markdown("units"))


def test_a_bundle_keeps_all_of_it(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "study.zip"
    path.write_bytes(bundle_of(study, "bundle", "zip"))
    again = import_study(path, slug="again", now=NOW).study
    again.refresh_from_db()
    assert again.bonus == Decimal("1.50")
    assert [row["different"] for row in exported(again, "events")] == ["3"]


def test_a_changed_setting_is_stored(study: Study, tmp_path: Path) -> None:
    file = write_study_folder(study, tmp_path)
    text = file.read_text()
    assert 'bonus = "1.50"' in text
    file.write_text(text.replace('bonus = "1.50"', 'bonus = "2.00"'))
    call_command("import_study", str(file), "--update", stdout=StringIO())
    assert Study.objects.get().bonus == Decimal(2)


def test_the_commands_know_the_export(study: Study) -> None:
    output = StringIO()
    call_command("export", "study", "--what", "questions", stdout=output)
    assert "right_option" in output.getvalue()


def test_the_library_reads_judgments_on_the_scale() -> None:
    rows = [("1", "u", "a", 0), ("1", "u", "b", 7), ("1", "v", "a", 2), ("1", "v", "b", 10)]
    judgments = ev.read_judgments(rows, scale="points")
    assert "points" in repr(judgments)
    assert ev.gains(judgments).table["gain"].to_list() == [1, 8.5]
    with pytest.raises(ev.InputError, match="give 0 to 10 points"):
        ev.read_judgments([("1", "u", "a", 11)], scale="points")
    words = [sys.executable, "-m", "evaluation", "normalise", "--help"]
    help_text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert "points" in help_text


@pytest.mark.django_db
def test_a_study_has_judgments_on_the_scale(tmp_path: Path) -> None:
    folder = write_published(tmp_path / "published", scale="points")
    study = import_study(folder, now=NOW).study
    assert (study.scale, study.purpose) == ("points", "analysis")
    assert {row["relevance_scale"] for row in exported(study, "judgments")} == {"points"}
    path = tmp_path / "study.zip"
    path.write_bytes(bundle_of(study, "bundle", "zip"))
    again = import_study(path, slug="again", now=NOW).study
    assert again.scale == "points"
    assert exported(again, "gains") == exported(study, "gains")
    assert broken_invariants(study) == []


def test_the_measure_scores_runs() -> None:
    qrels = {"1": {"a": 1, "b": 1, "c": 0}}
    run = {"1": {"a": 2.0, "c": 1.0}}
    missed, found = ev.score(qrels, run, ["Miss@1", "R@1"]).means()
    assert (missed.measure, missed.value, found.value) == ("Miss@1", 0.5, 0.5)
