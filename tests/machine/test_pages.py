"""Machine judges on their pages and in the report, also those that fail everything."""

from random import Random
from typing import Any

import pytest
from django.test import Client

from evaluation.report import build_report
from judging.core.faults import StudyRefusedError
from judging.core.selectors.labels import families_of, labels_of_judges
from judging.core.selectors.machine import cost_per_document
from judging.machine.judge_file import read_judge_file
from judging.machine.sittings import begin_judge, judge_all
from judging.models import ReportKind, Run, Study
from judging.understanding.reports.study_data import read_study
from judging.understanding.reports.whole import report_data
from tests.factories import NOW, judge_unit, make_worker
from tests.machine.conftest import Written, begun, client_of, study_on, teach
from tests.machine.stand_in import StandIn
from tests.understanding.reading import make, text_of

pytestmark = pytest.mark.django_db


def test_a_judge_that_fails_everything_is_reported(stand_in: StandIn, written: Written) -> None:
    study = study_on("magnitude")
    judge_unit(make_worker(study))
    teach(stand_in, study)
    stand_in.worth = lambda text: 5.0
    judge, file = begun(study, written())
    judge_all(judge, file, client_of(stand_in), rng=Random(2))
    assert labels_of_judges(study) == {}
    (machine,) = report_data(read_study(study, ReportKind.WHOLE)).machines
    assert (machine.units, machine.units_planned) == (0, 2)
    assert machine.failed() == ["anchors"]
    assert cost_per_document(study) is None


def test_a_machine_judge_on_its_pages(admin_client: Client, stand_in: StandIn, written: Written) -> None:
    study = study_on("magnitude")
    for _ in range(2):
        judge_unit(make_worker(study))
    teach(stand_in, study)
    judge, file = begun(study, written())
    judge_all(judge, file, client_of(stand_in), rng=Random(2))
    make(study, ReportKind.JUDGES)
    judges = f"/console/studies/{study.slug}/understanding/judges/"
    machine = f"{judges}machine/"
    assert f'href="{machine}?name=gauge"' in text_of(admin_client, judges)
    assert admin_client.get(f"{judges}?sort_machines=-cost").status_code == 200
    assert admin_client.get(f"{judges}?sort_machines=luck").status_code == 400
    assert 'data-part="judges-beside-people"' in text_of(admin_client, judges)
    page = text_of(admin_client, f"{machine}?name=gauge")
    assert judge.prompt_sha256 in page
    for check in ("practice", "question", "anchors"):
        assert f'data-check="{check}"' in page
    assert file.prompt.text.splitlines()[0] in page
    for name in ("nobody", "", "a%00b"):
        assert admin_client.get(f"{machine}?name={name}").status_code == 404
    parts = {part.part.key: part for part in _finished(study)}
    assert parts["machine-judges"].content.tables
    assert parts["judges-beside-people"].content.tables


def _finished(study: Study) -> Any:
    keys = ("machine-judges", "judges-beside-people")
    return build_report(report_data(read_study(study, ReportKind.WHOLE)), only=keys).finished


def test_the_family_of_a_machine_judge_is_that_of_its_file(written: Written) -> None:

    study = study_on("magnitude")
    Run.objects.create(study=study, tag="dense")
    path = written()
    path.write_text(path.read_text() + 'family = ["dense"]\n')
    judge = begin_judge(study=study, file=read_judge_file(path, study), now=NOW, rng=Random(1), asked_at=NOW)
    assert judge.family == ["dense"]
    assert families_of(study) == {"dense": "gauge"}
    path.write_text(path.read_text().replace("dense", "nowhere"))
    with pytest.raises(StudyRefusedError):
        read_judge_file(path, study)
    path.write_text(path.read_text().replace("nowhere", "dense").replace("gauge", "people"))
    with pytest.raises(StudyRefusedError):
        read_judge_file(path, study)
