"""Uploads to a set-up: understood with file and line, named anew, bounded, and never trusted."""

import gzip
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django import Settings

from judging.exports.catalogue import export_chunks
from judging.intake.drafting import folder_of
from judging.intake.uploads import files_in
from judging.models import Draft, Study
from tests.intake.folder import StudyFolder
from tests.setup.driving import Driver, at
from tests.support.problems import problems_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_files_are_understood_and_their_faults_have_file_and_line(
    driver: Driver, draft: Draft, folder: StudyFolder, tmp_path: Path
) -> None:
    page = driver.get(at(draft, "files/"))
    draft.refresh_from_db()
    documents = draft.job.result["documents"]
    assert (documents["read"], documents["pooled"]) == (17, 16)
    assert f"<p>{documents['read']} " in page
    assert "<b>007</b> title of 007" in page
    assert '<th scope="row">3</th><td class="text">H</td><td>2</td>' in page
    assert "good.run" in page
    broken = tmp_path / "broken.run"
    broken.write_text("007 Q0 007-H 1 9 new\n007 Q0 007-M 2\n")
    page = driver.upload(draft, "run", broken) or driver.text
    assert "<code>broken.run:2</code>" in page
    assert str(folder_of(draft)) not in page
    driver.post(at(draft, "files/"), action="remove", name="broken.run")
    assert not (folder_of(draft) / "broken.run").exists()
    driver.get(at(draft))
    assert driver.check == "sound"


def test_uploads_get_names_of_their_own(driver: Driver, draft: Draft) -> None:
    for name in ("..%2F..", "study.toml", "good.run", "ünï cödé.run", ".hidden"):
        line = f"007 Q0 007-H 1 9 {len(files_in(folder_of(draft)))}\n".encode()
        file = SimpleUploadedFile("x", line)
        file._name = name
        driver.post(at(draft, "files/"), action="upload", kind="run", file=file)
    names = {name for name, _ in files_in(folder_of(draft))}
    assert {"2F", "file-study.toml", "good-2.run", "n-c-d-.run", "hidden"} <= names
    assert all(name.replace(".", "").replace("-", "").replace("_", "").isalnum() for name in names)
    assert "title" in (folder_of(draft) / "study.toml").read_text()


def test_what_is_too_large_is_refused_and_the_limit_is_told(
    driver: Driver, draft: Draft, settings: Settings, tmp_path: Path
) -> None:
    settings.UPLOAD_MEGABYTES = 1
    before = files_in(folder_of(draft))
    large = tmp_path / "large.run"
    large.write_bytes(b"x" * (1024 * 1024 + 1))
    driver.upload(draft, "run", large)
    assert_too_large(driver, "")
    half = tmp_path / "half.run"
    half.write_bytes(b"x" * (600 * 1024))
    driver.upload(draft, "grades", half)
    driver.upload(draft, "grades", half)
    assert_too_large(driver, "file-grades")
    assert len(files_in(folder_of(draft))) == len(before) + 1
    bomb = tmp_path / "bomb.zip"
    with ZipFile(bomb, "w", compression=8) as archive:
        archive.writestr("study.toml", "title = 'x'")
        archive.writestr("documents.jsonl", b"0" * 3_000_000)
    assert driver.upload_study("bomb.zip", bomb.read_bytes()) is None
    assert_too_large(driver, "file")
    driver.post(at(draft, "files/"), action="upload", kind="run", file=SimpleUploadedFile("e.run", b""))
    assert driver.refused == ["file-run"]
    assert len(files_in(folder_of(draft))) == len(before) + 1


def assert_too_large(driver: Driver, field: str) -> None:
    assert [(name, "1 MB" in message) for name, message in problems_in(driver.text)] == [(field, True)]


@pytest.mark.parametrize(
    ("entries", "named"),
    [
        ({"other.txt": "x"}, "study.toml"),
        ({"a/study.toml": "x=1", "b/study.toml": "x=1"}, "study.toml"),
        ({"study.toml": "x=1", "../up.txt": "x"}, "../up.txt"),
        ({"study.toml": "x=1", "/etc/x": "x"}, "/etc/x"),
        ({"study.toml": "x ="}, "study.toml:1"),
    ],
)
def test_archives_that_are_none_of_a_study_are_refused(
    driver: Driver, drafts_folder: Path, tmp_path: Path, entries: dict[str, str], named: str
) -> None:
    with ZipFile(tmp_path / "a.zip", "w") as archive:
        for name, text in entries.items():
            archive.writestr(ZipInfo(name), text)
    assert driver.upload_study("a.zip", (tmp_path / "a.zip").read_bytes()) is None
    assert [(field, named in message) for field, message in problems_in(driver.text)] == [("file", True)]
    assert driver.status == 400
    assert list(drafts_folder.iterdir()) == []


def test_what_is_no_archive_is_refused(driver: Driver) -> None:
    assert driver.upload_study("a.zip", b"PK not at all") is None
    assert driver.refused == ["file"]
    assert driver.upload_study("study.toml", b"\xff\xfe") is None
    assert driver.status == 400
    assert ["UTF-16" in message for _, message in problems_in(driver.text)] == [True]


def test_a_study_file_alone_comes_in_and_says_which_files_it_lacks(
    driver: Driver, folder: StudyFolder
) -> None:
    draft = driver.upload_study("study.toml", folder.read("study.toml").encode())
    assert draft is not None
    driver.get(at(draft))
    assert any(fault.field == "documents.path" and "documents.jsonl" in fault.item for fault in driver.faults)
    assert '<b>documents.jsonl</b> <span class="fault">' in driver.get(at(draft, "files/"))


def test_a_study_file_packed_by_gzip_comes_in_as_its_text(driver: Driver, folder: StudyFolder) -> None:
    draft = driver.upload_study("study.toml", gzip.compress(folder.read("study.toml").encode()))
    assert draft is not None
    assert "\nslug" in f"\n{draft.text}"


def test_a_bundle_becomes_its_study(driver: Driver, folder: StudyFolder, settings: Settings) -> None:
    study = folder.imported().study
    content = b"".join(export_chunks(study, "bundle", "zip"))
    assert driver.upload_study("bundle.zip", content) is None
    again = Study.objects.get(slug="small-2")
    assert 'href="/console/studies/small-2/"' in driver.text
    assert again.title == study.title
    assert (again.state, again.topics.count()) == ("closed", 2)
    assert [one.name for one in settings.DRAFTS_FOLDER.iterdir()] == []


def test_a_damaged_bundle_is_refused_by_its_member(
    driver: Driver, folder: StudyFolder, settings: Settings, tmp_path: Path
) -> None:
    whole = tmp_path / "bundle.zip"
    whole.write_bytes(b"".join(export_chunks(folder.imported().study, "bundle", "zip")))
    made = BytesIO()
    with ZipFile(whole) as source, ZipFile(made, "w") as target:
        for name in source.namelist():
            target.writestr(name, source.read(name).replace(b"A small study", b"Another study"))
    driver.upload_study("bundle.zip", made.getvalue())
    assert "bundle.zip/study.json" in driver.text
    assert str(settings.DRAFTS_FOLDER) not in driver.text
    assert Study.objects.count() == 1
    assert [one.name for one in settings.DRAFTS_FOLDER.iterdir()] == []
