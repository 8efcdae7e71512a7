"""The whole way on the pages: from nothing to a study that is the same as the one of its study file."""

import tomllib
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.contrib.auth.base_user import AbstractBaseUser

from judging.core.services.studies import open_study
from judging.models import Setup, Study
from judging.setup.study_files.importing import import_study
from tests.factories import NOW
from tests.setup.conftest import SAMPLE
from tests.setup.driving import Driver, at, zipped
from tests.setup.equal import described

pytestmark = pytest.mark.django_db(transaction=True)


def fill(driver: Driver, setup: Setup) -> None:
    """All that the sample's study file says, typed and uploaded by hand."""
    file = tomllib.loads((SAMPLE / "study.toml").read_text())
    driver.post(at(setup, "study/"), **{key: file[key] for key in ("title", "slug", "requester", "contact")})
    driver.post(
        at(setup, "texts/"), **{key: file[key] for key in ("information", "consent", "consent_version")}
    )
    pay = {f"pay.{key}": str(value) for key, value in file["pay"].items()}
    driver.post(at(setup, "terms/"), seed=str(file["seed"]), **pay)
    driver.upload(setup, "documents", SAMPLE / "documents.jsonl")
    driver.upload_grades(setup, SAMPLE / "qrels.txt")
    driver.post(at(setup, "files/"), action="grades", path="qrels.txt", name="grade", unlisted="N")
    for topic in file["topic"]:
        driver.post(at(setup, "topics/"), number=topic["number"], title=topic["title"])
        options = {f"option-{place}": option for place, option in enumerate(topic["options"])}
        texts = {key: topic[key] for key in ("number", "title", "description", "narrative", "question")}
        right = str(topic["options"].index(topic["answer"]))
        address = at(setup, f"topic/?number={topic['number']}")
        driver.post(address, action="save", right=right, **options, **texts)
    driver.upload(setup, "run", *(SAMPLE / run["path"] for run in file["run"]))
    for anchor in file["anchor"]:
        driver.post(at(setup, f"anchors/?number={anchor['topic']}"), H=anchor["H"], N=anchor["N"])


def test_typed_by_hand_it_is_the_study_of_the_study_file(
    driver: Driver, researcher: AbstractBaseUser
) -> None:
    setup = driver.begin("Bread")
    fill(driver, setup)
    driver.get(at(setup))
    assert driver.check == "sound"
    result = Study.objects.get(slug="sample")
    direct = import_study(SAMPLE, slug="direct", now=NOW).study
    assert described(result) == described(direct)
    assert result.memberships.get().user == researcher
    open_study(study=result, now=NOW)


def test_a_zip_comes_in_and_goes_out_the_same(driver: Driver) -> None:
    first = driver.upload_study("sample.zip", zipped(SAMPLE, inside="sample/"))
    assert first is not None
    assert driver.check == "sound"
    taken = b"".join(driver.client.get(at(first, "study.zip")).streaming_content)
    with ZipFile(BytesIO(taken)) as archive:
        assert {"study.toml", "documents.jsonl", "runs/bm25-full.run"} <= set(archive.namelist())
        assert archive.read("runs/bm25-full.run") == (SAMPLE / "runs/bm25-full.run").read_bytes()
        assert archive.read("study.toml") == driver.client.get(at(first, "study.toml")).content
    second = driver.upload_study("again.zip", taken)
    assert second is not None
    assert driver.check == "sound"
    assert second.study.slug == "sample-2"
    assert described(second.study) == described(first.study)


def test_a_study_of_the_command_line_is_set_up_and_copied_in_the_console(driver: Driver) -> None:
    study = import_study(SAMPLE, now=NOW).study
    before = described(study)
    driver.post("/console/studies/sample/copy/")
    assert driver.check == "sound"
    assert described(Study.objects.get(slug="sample-copy")) == before
    setup = driver.change(study)
    assert setup.study == study
    assert driver.check == "sound"
    assert described(study) == before
    assert driver.change(study) == setup
    driver.post(at(setup, "study/"), title="Changed in the console")
    study.refresh_from_db()
    assert study.title == "Changed in the console"
    assert Study.objects.count() == 2
