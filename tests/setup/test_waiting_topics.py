"""Topics that are uploaded but not imported: the other files are not blamed for lines about them."""

from pathlib import Path

import pytest

from judging.models import Setup, Topic
from tests.setup.driving import Driver, at
from tests.setup.intake.folder import StudyFolder, document_line, grade_lines, run_lines, topic_text

pytestmark = pytest.mark.django_db(transaction=True)
NOT_IMPORTED = "The topics of this file are not imported yet"


@pytest.fixture
def files(driver: Driver, setup: Setup, folder: StudyFolder) -> StudyFolder:
    """The files of a topic 9 that the study does not have, of which the topic file is faulty."""
    folder.write("nine.jsonl", "".join(document_line(f"9-{letter}") for letter in "HRMN"))
    folder.write("nine.run", run_lines("9", "HRMN", "nine"))
    folder.write("nine.qrels", grade_lines("9"))
    folder.write("pool.txt", "9 9-H\n9 9-N\n007 007-H\n007 007-N\n1e5 1e5-H\n1e5 1e5-N\n")
    folder.write("nine.txt", topic_text("9") + topic_text("9").replace("title of 9", "Nine"))
    return folder


def upload_all(driver: Driver, setup: Setup, folder: StudyFolder) -> None:
    names = {"documents": "nine.jsonl", "run": "nine.run", "pool": "pool.txt", "topics": "nine.txt"}
    opened = {f"file-{kind}": (folder.path / name).open("rb") for kind, name in names.items()}
    driver.post(at(setup, "files/"), action="upload", kind="run", **opened)


def faults(driver: Driver, setup: Setup) -> list[tuple[str, str]]:
    driver.get(at(setup))
    return [(fault.where, fault.field) for fault in driver.faults]


def test_only_the_faulty_topic_file_is_told_of(driver: Driver, setup: Setup, files: StudyFolder) -> None:
    upload_all(driver, setup, files)
    assert faults(driver, setup) == [("nine.txt", "")]
    assert NOT_IMPORTED in driver.text
    assert "The study has no topic" not in driver.text


def test_the_corrected_topics_mend_it(driver: Driver, setup: Setup, files: StudyFolder) -> None:
    upload_all(driver, setup, files)
    files.write("nine.txt", topic_text("9"))
    driver.upload(setup, "topics", files.path / "nine.txt")
    driver.post(driver.address, action="replace")
    driver.import_topics()
    assert Topic.objects.filter(study=setup.study, number="9").exists()
    driver.get(at(setup))
    assert NOT_IMPORTED not in driver.text
    assert not any("pool.txt" in where for where, _field in faults(driver, setup))


def test_without_the_topic_file_the_pool_is_wrong(driver: Driver, setup: Setup, files: StudyFolder) -> None:
    upload_all(driver, setup, files)
    driver.post(at(setup, "files/"), action="remove", name="nine.txt")
    assert ("pool.txt:1", "topic") in faults(driver, setup)
    assert "The study has no topic 9." in driver.text


def test_a_waiting_file_that_nothing_needs_is_no_fault(driver: Driver, setup: Setup, tmp_path: Path) -> None:
    (tmp_path / "eight.txt").write_text(topic_text("8") * 2)
    driver.upload(setup, "topics", tmp_path / "eight.txt")
    assert faults(driver, setup) == []
