"""The whole way on the pages: from nothing to a study that is the same as the one of its study file."""

import tomllib
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client

from judging.intake import import_study
from judging.models import Draft, Study
from tests.factories import NOW
from tests.setup.conftest import SAMPLE
from tests.setup.driving import SETUPS, Driver, zipped
from tests.setup.equal import described

pytestmark = pytest.mark.django_db(transaction=True)


def fill(driver: Driver, draft: Draft) -> None:
    """All that the sample's study file says, typed and uploaded by hand."""
    file = tomllib.loads((SAMPLE / "study.toml").read_text())
    home = f"{SETUPS}{draft.pk}/"
    driver.post(f"{home}study/", **{key: file[key] for key in ("title", "slug", "requester", "contact")})
    driver.post(f"{home}texts/", **{key: file[key] for key in ("information", "consent", "consent_version")})
    pay = {f"pay.{key}": str(value) for key, value in file["pay"].items()}
    driver.post(f"{home}terms/", seed=str(file["seed"]), **pay)
    driver.upload(draft, "documents", SAMPLE / "documents.jsonl")
    driver.upload_grades(draft, SAMPLE / "qrels.txt")
    driver.post(
        f"{home}files/",
        action="grades",
        path="qrels.txt",
        name="grade",
        unlisted="N",
    )
    for topic in file["topic"]:
        driver.post(f"{home}topics/", number=topic["number"], title=topic["title"])
        options = {f"option-{place}": option for place, option in enumerate(topic["options"])}
        texts = {key: topic[key] for key in ("number", "title", "description", "narrative", "question")}
        right = str(topic["options"].index(topic["answer"]))
        driver.post(f"{home}topic/?number={topic['number']}", action="save", right=right, **options, **texts)
    driver.upload(draft, "run", *(SAMPLE / run["path"] for run in file["run"]))
    for anchor in file["anchor"]:
        driver.post(f"{home}anchors/?number={anchor['topic']}", H=anchor["H"], N=anchor["N"])


def test_typed_by_hand_it_is_the_study_of_the_study_file(
    driver: Driver, researcher: AbstractBaseUser
) -> None:
    draft = driver.begin("Bread")
    fill(driver, draft)
    page = driver.get(f"{SETUPS}{draft.pk}/")
    assert driver.check == "sound"
    assert 'value="make"' in page
    driver.post(f"{SETUPS}{draft.pk}/", action="make")
    assert "sample</a>: 4 " in driver.text
    made = Study.objects.get(slug="sample")
    direct = import_study(SAMPLE, slug="direct", now=NOW).study
    assert described(made) == described(direct)
    assert made.memberships.get().user == researcher


def test_a_zip_comes_in_and_goes_out_the_same(driver: Driver, client: Client) -> None:
    draft = driver.upload_study("sample.zip", zipped(SAMPLE, inside="sample/"))
    assert draft is not None
    assert driver.check == "sound"
    taken = b"".join(driver.client.get(f"{SETUPS}{draft.pk}/study.zip").streaming_content)
    with ZipFile(BytesIO(taken)) as archive:
        assert {"study.toml", "documents.jsonl", "runs/bm25-full.run"} <= set(archive.namelist())
        assert archive.read("runs/bm25-full.run") == (SAMPLE / "runs/bm25-full.run").read_bytes()
        file = driver.client.get(f"{SETUPS}{draft.pk}/study.toml").content
        assert archive.read("study.toml") == file
    driver.post(f"{SETUPS}{draft.pk}/", action="make")
    first = Study.objects.get()
    second = driver.upload_study("again.zip", taken)
    assert second is not None
    driver.post(f"{SETUPS}{second.pk}/study/", slug="second")
    driver.post(f"{SETUPS}{second.pk}/", action="make")
    assert described(Study.objects.get(slug="second")) == described(first)


def test_a_study_of_the_command_line_is_set_up_and_copied_in_the_console(driver: Driver) -> None:
    study = import_study(SAMPLE, now=NOW).study
    driver.post("/console/studies/sample/copy/")
    copied = Draft.objects.latest("pk")
    assert driver.check == "sound"
    driver.post(f"{SETUPS}{copied.pk}/", action="make")
    assert described(Study.objects.get(slug="sample-copy")) == described(study)
    driver.post("/console/studies/sample/setup/")
    draft = Draft.objects.latest("pk")
    assert draft.study == study
    driver.post("/console/studies/sample/setup/")
    assert Draft.objects.latest("pk") == draft
    driver.post(f"{SETUPS}{draft.pk}/study/", title="Changed in the console")
    driver.post(f"{SETUPS}{draft.pk}/", action="make")
    study.refresh_from_db()
    assert study.title == "Changed in the console"
    assert Study.objects.count() == 2
