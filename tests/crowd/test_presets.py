"""A simulated crowd goes through a study with a preset. Its bundle and its report keep the preset."""

from pathlib import Path

import pytest
from django.core.management import call_command

from judging.core.services.studies import close_study
from judging.crowd.simulation import start_of
from judging.models import Assignment, Study, Unit
from judging.protocol.presets import PRESETS
from judging.protocol.settings import departures
from judging.understanding.reports.study_data import read_study
from judging.understanding.reports.whole import report_data
from tests.crowd.test_simulation import judged
from tests.support.integrity import broken_invariants

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def judged_by(preset: str, **settings: object) -> Study:
    values = {**PRESETS[preset].values, "judgments_per_document": 4} | settings
    return judged("judged", workers=24, preset=preset, **values)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_crowd_judges_every_unit(preset: str) -> None:
    study = judged_by(preset)
    assert not Unit.objects.filter(topic__study=study).exclude(state="done").exists()
    assert broken_invariants(study) == []
    if study.check_attempts is None:
        assert not Assignment.objects.filter(state="checks_failed").exists()


def test_a_bundle_and_a_report_keep_the_preset_and_its_exceptions(tmp_path: Path) -> None:
    study = judged_by("turpin2015", anchor_ties="fail")
    close_study(study=study, now=start_of(study), force=True)
    bundle = tmp_path / "bundle.zip"
    call_command("export", study.slug, what="bundle", output=str(bundle))
    call_command("import_study", str(bundle), slug="again")
    again = Study.objects.get(slug="again")
    assert {key: getattr(again, key) for key in PRESETS["turpin2015"].values} == {
        key: getattr(study, key) for key in PRESETS["turpin2015"].values
    }
    told = report_data(read_study(again)).settings["Judging followed"]
    assert PRESETS["turpin2015"].rules in told
    assert all(setting.key in told for setting in departures(study))


def test_a_report_says_nothing_about_the_usual_preset() -> None:
    assert "Judging followed" not in report_data(read_study(judged_by("plumbline"))).settings
