"""Uploads to a set-up: understood with file and line, named anew, bounded, and never trusted."""

import gzip
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django import Settings

from judging.archive.catalogue import export_chunks
from judging.models import Setup, Study, Topic
from judging.setup.study_files.uploads import files_in
from tests.setup.driving import Driver, at
from tests.setup.intake.folder import StudyFolder, topic_text
from tests.support.problems import problems_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_files_are_understood_and_their_faults_have_file_and_line(
    driver: Driver, setup: Setup, folder: StudyFolder, tmp_path: Path
) -> None:
    page = driver.get(at(setup, "files/"))
    setup.refresh_from_db()
    assert setup.job is not None
    documents = setup.job.result["documents"]
    assert (documents["read"], documents["pooled"]) == (17, 16)
    assert f"Plumbline read {documents['read']} " in page
    assert "<b>007</b> title of 007" in page
    assert '<th scope="row">3</th><td class="text">H</td><td>2</td>' in page
    assert "good.run" in page
    broken = tmp_path / "broken.run"
    broken.write_text("007 Q0 007-H 1 9 new\n007 Q0 007-M 2\n")
    page = driver.upload(setup, "run", broken) or driver.text
    assert "<code>broken.run:2</code>" in page
    assert str(setup.folder) not in page
    driver.post(at(setup, "files/"), action="remove", name="broken.run")
    assert not (setup.folder / "broken.run").exists()
    driver.get(at(setup))
    assert driver.check == "sound"


def test_uploads_get_names_of_their_own(driver: Driver, setup: Setup) -> None:
    for name in ("..%2F..", "study.toml", "good.run", "ünï cödé.run", ".hidden"):
        line = f"007 Q0 007-H 1 9 {len(files_in(setup.folder))}\n".encode()
        file = SimpleUploadedFile("x", line)
        file._name = name
        driver.post(at(setup, "files/"), action="upload", kind="run", **{"file-run": file})
    names = {name for name, _ in files_in(setup.folder)}
    assert {"2F", "file-study.toml", "good-2.run", "n-c-d-.run", "hidden"} <= names
    assert all(name.replace(".", "").replace("-", "").replace("_", "").isalnum() for name in names)


def test_what_is_too_large_is_refused_and_the_limit_is_told(
    driver: Driver, setup: Setup, settings: Settings, tmp_path: Path
) -> None:
    settings.UPLOAD_MEGABYTES = 1
    before = files_in(setup.folder)
    large = tmp_path / "large.run"
    large.write_bytes(b"x" * (1024 * 1024 + 1))
    driver.upload(setup, "run", large)
    assert_too_large(driver, "")
    half = tmp_path / "half.run"
    half.write_bytes(b"x" * (600 * 1024))
    driver.upload(setup, "grades", half)
    driver.upload(setup, "grades", half)
    assert_too_large(driver, "file-grades")
    assert len(files_in(setup.folder)) == len(before) + 1
    bomb = tmp_path / "bomb.zip"
    with ZipFile(bomb, "w", compression=8) as archive:
        archive.writestr("study.toml", "title = 'x'")
        archive.writestr("documents.jsonl", b"0" * 3_000_000)
    assert driver.upload_study("bomb.zip", bomb.read_bytes()) is None
    assert_too_large(driver, "file")
    driver.post(
        at(setup, "files/"), action="upload", kind="run", **{"file-run": SimpleUploadedFile("e.run", b"")}
    )
    assert driver.refused == ["file-run"]
    assert len(files_in(setup.folder)) == len(before) + 1


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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x =", "mine.toml:1: "),
        ('title = "T"\nseed = "1e400"', "mine.toml:2: seed: "),
        ("title = 7", "mine.toml:1: title: "),
    ],
)
def test_faults_name_the_file_that_was_uploaded(driver: Driver, text: str, told: str) -> None:
    assert driver.upload_study("mine.toml", text.encode()) is None
    assert any(told in message for _, message in problems_in(driver.text))
    assert "study.toml:" not in driver.text


def test_a_study_file_alone_comes_in_and_says_which_files_it_lacks(
    driver: Driver, folder: StudyFolder
) -> None:
    setup = driver.upload_study("study.toml", folder.read("study.toml").encode())
    assert setup is not None
    assert ["topics.txt" in text for text in driver.told("warning")] == [True]
    driver.get(at(setup))
    assert any("documents.jsonl" in fault.item for fault in driver.faults)
    assert '<b>documents.jsonl</b> <span class="fault">' in driver.get(at(setup, "files/"))
    driver.upload(setup, "topics", folder.path / "topics.txt")
    topic = Topic.objects.get(number="007")
    assert (topic.title, topic.question.right_option) == ("title of 007", 2)
    paths = [folder.path / name for name in ("documents.jsonl", "good.run", "poor.run")]
    for kind, path in zip(("documents", "run", "run"), paths, strict=True):
        driver.upload(setup, kind, path)
    driver.upload_grades(setup, folder.path / "qrels.txt")
    driver.get(at(setup))
    assert driver.check == "sound"


def test_topics_of_a_file_are_added_chosen_and_replaced(
    driver: Driver, setup: Setup, folder: StudyFolder
) -> None:
    folder.write("more.txt", topic_text("7") + topic_text("8").replace("title of 8", "Eight"))
    driver.upload(setup, "topics", folder.path / "more.txt", only="8")
    assert list(Topic.objects.order_by("place").values_list("number", "title")) == [
        ("007", "title of 007"),
        ("1e5", "title of 1e5"),
        ("8", "Eight"),
    ]
    question = Topic.objects.get(number="007").question
    folder.replace("topics.txt", "title of 007", "A better title")
    driver.upload(setup, "topics", folder.path / "topics.txt")
    assert Topic.objects.get(number="007").title == "A better title"
    assert Topic.objects.get(number="007").question == question
    assert "more.txt" not in dict(files_in(setup.folder))


@pytest.mark.parametrize(
    ("text", "only", "fields", "places"),
    [
        ("no topics\n", "", ["file-topics"], []),
        (topic_text("7"), "9", ["only"], []),
        (topic_text("7") * 2, "", [], ["more.txt:14:"]),
    ],
)
def test_a_file_of_topics_with_a_fault_changes_nothing(
    driver: Driver,
    setup: Setup,
    folder: StudyFolder,
    text: str,
    only: str,
    fields: list[str],
    places: list[str],
) -> None:
    before = list(Topic.objects.values())
    folder.write("more.txt", text)
    driver.upload(setup, "topics", folder.path / "more.txt", only=only)
    assert [field for field, _message in problems_in(driver.text)] == fields
    assert [fault.item.split(" ")[0] for fault in driver.faults] == places
    assert list(Topic.objects.values()) == before


def test_an_uploaded_file_is_downloaded_as_it_was(driver: Driver, setup: Setup, folder: StudyFolder) -> None:
    address = at(setup, "files/download/?name={}")
    answer = driver.client.get(address.format("good.run"))
    assert b"".join(answer.streaming_content) == (folder.path / "good.run").read_bytes()
    for name in ("absent", "../setup-1/good.run", "study.toml", ""):
        assert driver.client.get(address.format(name)).status_code == 404


def test_a_study_file_packed_by_gzip_comes_in_as_its_text(driver: Driver, folder: StudyFolder) -> None:
    setup = driver.upload_study("study.toml", gzip.compress(folder.read("study.toml").encode()))
    assert setup is not None
    assert setup.study.slug == "small"


def test_a_bundle_becomes_its_study(driver: Driver, folder: StudyFolder, settings: Settings) -> None:
    study = folder.imported().study
    content = b"".join(export_chunks(study, "bundle", "zip"))
    assert driver.upload_study("bundle.zip", content) is None
    again = Study.objects.get(slug="small-2")
    assert 'href="/console/studies/small-2/"' in driver.text
    assert again.title == study.title
    assert (again.state, again.topics.count()) == ("closed", 2)
    assert [item.name for item in settings.DRAFTS_FOLDER.iterdir()] == []


def test_a_damaged_bundle_is_refused_by_its_member(
    driver: Driver, folder: StudyFolder, settings: Settings, tmp_path: Path
) -> None:
    whole = tmp_path / "bundle.zip"
    whole.write_bytes(b"".join(export_chunks(folder.imported().study, "bundle", "zip")))
    buffer = BytesIO()
    with ZipFile(whole) as source, ZipFile(buffer, "w") as target:
        for name in source.namelist():
            target.writestr(name, source.read(name).replace(b"A small study", b"Another study"))
    driver.upload_study("bundle.zip", buffer.getvalue())
    assert "bundle.zip/study.json" in driver.text
    assert str(settings.DRAFTS_FOLDER) not in driver.text
    assert Study.objects.count() == 1
    assert [item.name for item in settings.DRAFTS_FOLDER.iterdir()] == []
