"""The scale of a study in set-up: its settings and texts follow it, and a study file keeps them."""

import tomllib
from pathlib import Path

import pytest

from judging.models import Setup, Study
from judging.setup.intake.study_file import shipped_text
from judging.setup.study_files.importing import import_study
from judging.setup.study_files.study_folder import write_study_folder
from tests.crowd.conftest import SAMPLE
from tests.factories import NOW
from tests.setup.driving import Driver, at

pytestmark = pytest.mark.django_db(transaction=True)
LABELS = ("useless", "useful", "perfect")
OWN = {"0-100": "instructions_0_100", "grades": "instructions_grades", "magnitude": "instructions_magnitude"}


def fields_of(driver: Driver, address: str) -> set[str]:
    page = driver.get(address)
    return {key for key in (*OWN.values(), "scale", "labels", "units.numbers") if f'name="{key}"' in page}


def test_the_form_shows_the_settings_and_texts_of_the_scale(driver: Driver, setup: Setup) -> None:
    assert fields_of(driver, at(setup, "terms/")) == {"scale", "units.numbers"}
    assert fields_of(driver, at(setup, "texts/")) == {"instructions_magnitude"}
    driver.post(at(setup, "terms/"), scale="grades")
    assert fields_of(driver, at(setup, "terms/")) == {"scale", "labels"}
    assert fields_of(driver, at(setup, "texts/")) == {"instructions_grades"}
    driver.post(at(setup, "terms/"), labels="\r\n".join(LABELS))
    assert Study.objects.get().labels == LABELS


def test_default_texts_follow_the_scale_and_edited_texts_stay(driver: Driver, setup: Setup) -> None:
    for scale, own in OWN.items():
        driver.post(at(setup, "terms/"), scale=scale)
        study = Study.objects.get()
        assert study.instructions_task == shipped_text("instructions_task", "en", scale)
        assert getattr(study, own) == shipped_text(own)
    driver.post(at(setup, "texts/"), instructions_task="My own words.")
    driver.post(at(setup, "terms/"), scale="0-100")
    assert Study.objects.get().instructions_task == "My own words."


@pytest.mark.parametrize("labels", ["only one", "a\nA", "\n".join("abcdefgh"), "a\n" + "b" * 61])
def test_labels_that_do_not_fit_are_named_and_kept(driver: Driver, setup: Setup, labels: str) -> None:
    driver.post(at(setup, "terms/"), scale="grades")
    driver.post(at(setup, "terms/"), labels=labels)
    assert driver.status == 400
    assert 'aria-invalid="true"' in driver.text
    assert labels.split("\n")[-1] in driver.text
    assert len(Study.objects.get().labels) == 4


def graded(folder: Path, lines: str) -> Study:
    folder.mkdir()
    for path in SAMPLE.iterdir():
        (folder / path.name).symlink_to(path)
    (folder / "study.toml").unlink()
    (folder / "study.toml").write_text(lines + (SAMPLE / "study.toml").read_text())
    return import_study(folder, slug=folder.name, now=NOW).study


def test_a_study_file_keeps_the_labels(tmp_path: Path) -> None:
    study = graded(tmp_path / "graded", f'scale = "grades"\nlabels = {list(LABELS)}\n'.replace("'", '"'))
    study.refresh_from_db()
    assert study.labels == LABELS
    assert study.instructions_task == shipped_text("instructions_task", "en", "grades")
    assert study.instructions_magnitude == ""
    (tmp_path / "written").mkdir()
    write_study_folder(study, tmp_path / "written", slug="again")
    values = tomllib.loads((tmp_path / "written" / "study.toml").read_text())
    assert (values["scale"], values["labels"]) == ("grades", list(LABELS))
    assert "instructions_0_100" not in values
    again = import_study(tmp_path / "written", now=NOW).study
    again.refresh_from_db()
    assert again.labels == LABELS
