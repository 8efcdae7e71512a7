"""A preset in a study file and in the console: it gives the defaults, and what somebody sets wins."""

from pathlib import Path

import pytest

from judging.models import Setup, Study
from judging.protocol.presets import DEFAULT, PRESETS
from judging.protocol.settings import SETTINGS, departures, settings_with
from judging.setup.study_files.importing import import_study
from judging.setup.study_files.study_folder import write_study_folder
from tests.factories import NOW
from tests.setup.driving import Driver, at
from tests.setup.equal import described
from tests.setup.intake.folder import StudyFolder

PAPER = "turpin2015"
VALUES = PRESETS[PAPER].values


def of_the_paper(folder: StudyFolder, tables: str = "") -> Study:
    """The small study with the preset of the paper, and without the settings that it sets itself."""
    folder.replace("study.toml", "seed = 7", f'seed = 7\npreset = "{PAPER}"')
    folder.replace("study.toml", "\n[documents]", f"\n{tables}\n[documents]")
    return folder.imported().study


@pytest.mark.django_db
def test_what_the_file_does_not_set_has_the_value_of_the_preset(folder: StudyFolder) -> None:
    own = folder.read("study.toml")
    study = of_the_paper(folder)
    expected = {key: value for key, value in VALUES.items() if f"{key} =" not in own}
    assert {key: getattr(study, key) for key in expected} == expected
    assert {setting.key for setting in departures(study)} <= VALUES.keys() - expected.keys()


@pytest.mark.django_db
def test_what_the_file_sets_wins(folder: StudyFolder) -> None:
    study = of_the_paper(folder, '[checks]\ncheck_attempts = 3\nanchor_ties = "fail"')
    assert (study.preset, study.check_attempts, study.anchor_ties) == (PAPER, 3, "fail")
    assert study.practice_attempts is None
    assert {setting.key for setting in departures(study)} >= {"check_attempts", "anchor_ties"}


@pytest.mark.django_db
def test_a_written_study_file_keeps_the_preset_and_its_exceptions(
    folder: StudyFolder, tmp_path: Path
) -> None:
    study = of_the_paper(folder, "[checks]\npractice_attempts = 5")
    place = tmp_path / "written"
    place.mkdir()
    again = import_study(write_study_folder(study, place), slug="again", now=NOW).study
    assert described(again) == described(study)
    assert (again.preset, again.practice_attempts, again.comprehension_attempts) == (PAPER, 5, None)


@pytest.mark.django_db
def test_an_unknown_preset_is_named_once(folder: StudyFolder) -> None:
    folder.replace("study.toml", "seed = 7", 'seed = 7\npreset = "turpin"')
    (line,) = folder.faults()
    assert "preset" in line
    assert all(name in line for name in PRESETS)


@pytest.mark.django_db(transaction=True)
def test_choosing_a_preset_changes_what_had_its_default(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "terms/"), **{"checks.practice_attempts": "7"})
    before = Study.objects.get(setup=setup)
    driver.post(at(setup, "terms/"), preset=PAPER)
    study = Study.objects.get(setup=setup)
    own = {key for key in VALUES if getattr(before, key) != SETTINGS[key].default}
    assert "practice_attempts" in own
    assert {setting.key for setting in departures(study)} == own
    driver.post(at(setup, "terms/"), preset=DEFAULT)
    study = Study.objects.get(setup=setup)
    usual = settings_with(DEFAULT)
    assert {key for key in VALUES if getattr(study, key) != usual[key].default} == own


@pytest.mark.django_db(transaction=True)
def test_a_value_typed_beside_a_new_preset_stays(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "terms/"), preset=PAPER, **{"checks.check_attempts": "5"})
    study = Study.objects.get(setup=setup)
    assert (study.preset, study.check_attempts, study.comprehension_attempts) == (PAPER, 5, None)


@pytest.mark.django_db(transaction=True)
def test_an_emptied_setting_takes_the_value_of_the_preset(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "terms/"), preset=PAPER, **{"checks.check_attempts": "5"})
    driver.post(at(setup, "terms/"), **{"checks.check_attempts": "", "units.topic_choice": "weighted"})
    study = Study.objects.get(setup=setup)
    assert (study.check_attempts, study.topic_choice) == (None, "weighted")
