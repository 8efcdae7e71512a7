"""A corrected file that is uploaded again: Plumbline asks, and replaces nothing that it cannot read."""

from pathlib import Path

import pytest

from judging.core.services.studies import open_study
from judging.models import Document, Judgment, Run, Setup, SetupFile, Study, Topic
from judging.setup.study_files.uploads import files_in
from tests.factories import NOW, judge_unit, make_worker
from tests.setup.driving import Driver, at, zipped
from tests.setup.equal import described
from tests.setup.intake.folder import StudyFolder, document_line, run_lines, topic_text
from tests.support.problems import problems_in

pytestmark = pytest.mark.django_db(transaction=True)


def answer(driver: Driver, choice: str) -> str:
    """Answer the question about the file that was just uploaded."""
    assert "is here already" in driver.text
    return driver.post(driver.address, action=choice)


def names(setup: Setup) -> set[str]:
    return set(dict(files_in(setup.folder)))


CORRECTIONS = {
    "good.run": ("run", "007 Q0 007-H 1", "007 Q0 unpooled 1"),
    "qrels.txt": ("grades", "007 0 007-M 1", "007 0 007-M 2"),
    "documents.jsonl": ("documents", "Text of 007-H.", "A better text."),
}


@pytest.mark.parametrize("name", CORRECTIONS)
def test_replacing_a_file_gives_the_set_up_that_starts_with_it(
    driver: Driver, setup: Setup, folder: StudyFolder, name: str
) -> None:
    """The law: to upload a file and then its correction is to upload the correction."""
    kind, old, new = CORRECTIONS[name]
    files = list(SetupFile.objects.filter(setup=setup).values())
    before = described(setup.study)
    folder.replace(name, old, new)
    driver.upload(setup, kind, folder.path / name)
    assert described(setup.study) == before, "replaced without a question"
    answer(driver, "replace")
    assert driver.status == 200
    assert f"{name} was replaced." in driver.told()
    assert names(setup) == {"documents.jsonl", "good.run", "poor.run", "qrels.txt"}
    assert list(SetupFile.objects.filter(setup=setup).values()) == files
    again = driver.upload_study("small.zip", zipped(folder.path))
    assert again is not None
    assert described(setup.study, but=("title",)) == described(again.study, but=("title",))
    assert described(setup.study) != before


def test_keeping_both_uses_the_new_file_under_another_name(
    driver: Driver, setup: Setup, folder: StudyFolder
) -> None:
    (folder.path / "good.run").write_text(run_lines("007", "HM", "other"))
    driver.upload(setup, "run", folder.path / "good.run")
    assert "good-2.run" in driver.text
    answer(driver, "both")
    assert set(Run.objects.values_list("tag", flat=True)) == {"good", "poor", "other"}
    assert {"good.run", "good-2.run"} <= names(setup)


def test_the_same_content_again_changes_nothing(driver: Driver, setup: Setup, folder: StudyFolder) -> None:
    version = Setup.objects.get(pk=setup.pk).version
    driver.upload(setup, "run", folder.path / "good.run")
    assert "is here already with the same content" in driver.told("info")[0]
    assert Setup.objects.get(pk=setup.pk).version == version
    assert "good-2.run" not in names(setup)


@pytest.mark.parametrize(
    ("name", "kind", "text", "place"),
    [
        ("good.run", "run", "007 Q0 007-H 1 9 good\n007 Q0 007-M 2\n", "good.run:2"),
        ("qrels.txt", "grades", "007 0 007-H 3\n007 0 007-M x\n", "qrels.txt:2"),
        ("documents.jsonl", "documents", '{"id": "a", "text": "b"}\n{"id": 3}\n', "documents.jsonl:2"),
        ("good.run", "run", "999 Q0 a 1 9 good\n", "good.run:1"),
    ],
)
def test_a_file_that_cannot_be_read_replaces_nothing(
    driver: Driver, setup: Setup, tmp_path: Path, name: str, kind: str, text: str, place: str
) -> None:
    before, content = described(setup.study), (setup.folder / name).read_bytes()
    (tmp_path / name).write_text(text)
    driver.upload(setup, kind, tmp_path / name)
    page = answer(driver, "replace")
    assert driver.status == 400
    assert place in page
    assert "Nothing was changed" in page
    assert (setup.folder / name).read_bytes() == content
    assert described(setup.study) == before
    assert len(names(setup)) == 5, "the new file is lost"
    answer(driver, "replace")
    driver.get(at(setup, "files/"))
    assert 'id="waiting"' in driver.text, "the question is lost"


def test_a_corrected_pool_list_replaces_the_list(driver: Driver, setup: Setup, folder: StudyFolder) -> None:
    folder.write("pool.txt", "007 007-H\n007 007-N\n1e5 1e5-H\n1e5 1e5-N\n007 nowhere\n")
    driver.upload(setup, "pool", folder.path / "pool.txt")
    folder.replace("pool.txt", "nowhere", "007-A")
    driver.upload(setup, "pool", folder.path / "pool.txt")
    answer(driver, "replace")
    driver.get(at(setup))
    assert driver.check == "sound"
    assert Document.objects.filter(study=setup.study, document_id="007-A").exists()


def test_a_corrected_file_of_topics_replaces_the_one_that_waits(
    driver: Driver, setup: Setup, folder: StudyFolder
) -> None:
    folder.write("more.txt", topic_text("7") * 2)
    driver.upload(setup, "topics", folder.path / "more.txt")
    assert "more.txt:14" in driver.text
    folder.write("more.txt", topic_text("7"))
    driver.upload(setup, "topics", folder.path / "more.txt")
    answer(driver, "replace")
    driver.import_topics()
    assert Topic.objects.filter(study=setup.study, number="7").exists()
    assert not {"more.txt", "more-2.txt"} & names(setup)


@pytest.mark.parametrize(("choice", "left"), [("replace", {"8"}), ("both", {"7", "8"})])
def test_topics_that_a_corrected_file_lacks_are_deleted_on_request(
    driver: Driver, setup: Setup, folder: StudyFolder, choice: str, left: set[str]
) -> None:
    folder.write("more.txt", topic_text("7") + topic_text("8"))
    driver.upload(setup, "topics", folder.path / "more.txt")
    folder.write("more.txt", topic_text("8").replace("title of 8", "Eight"))
    driver.post(
        at(setup, "files/"),
        action="upload",
        kind="topics",
        **{"file-topics": (folder.path / "more.txt").open("rb")},
    )
    assert "The new file does not have these topics: 7." in driver.text
    driver.import_topics(keep="all", only="", earlier=choice)
    assert (
        set(Topic.objects.filter(study=setup.study).values_list("number", flat=True)) == {"007", "1e5"} | left
    )
    assert Topic.objects.get(study=setup.study, number="8").title == "Eight"


@pytest.mark.parametrize("fields", [{"action": ""}, {"action": "other"}])
def test_another_button_replaces_nothing(
    driver: Driver, setup: Setup, folder: StudyFolder, fields: dict[str, str]
) -> None:
    folder.append("good.run", "007 Q0 unpooled 9 0 good\n")
    driver.upload(setup, "run", folder.path / "good.run")
    driver.post(driver.address, **fields)
    assert [message for _field, message in problems_in(driver.text)] != []
    assert "unpooled" not in (setup.folder / "good.run").read_text()


@pytest.fixture
def changes(driver: Driver, setup: Setup) -> Setup:
    """The set-up of changes to a study, for whose first topic a worker has judged a unit."""
    driver.post(at(setup, "terms/"), **{"pay.pay_per_unit": "0.20", "pay.paid_within": "7"})
    study = Study.objects.get()
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    judge_unit(make_worker(study))
    return driver.change(study)


def judged_topic() -> str:
    return str(Judgment.objects.values_list("assignment__topic__number", flat=True).distinct().get())


def test_judged_documents_stay_and_are_named(driver: Driver, changes: Setup, tmp_path: Path) -> None:
    topic = judged_topic()
    other = "1e5" if topic == "007" else "007"
    [name] = changes.files.filter(kind="documents").values_list("path", flat=True)
    before = (changes.folder / name).read_text()
    path = tmp_path / Path(name).name
    path.write_text(before.replace(f"Text of {topic}-H.", "Another text."))
    driver.upload(changes, "documents", path)
    page = answer(driver, "replace")
    assert driver.status == 400
    assert f"Workers have judged document {topic}-H" in page
    assert (changes.folder / name).read_text() == before
    driver.post(at(changes, "files/"), action="remove", name=path.with_stem(f"{path.stem}-2").name)
    path.write_text(before + document_line(f"{other}-new"))
    driver.upload(changes, "documents", path)
    answer(driver, "replace")
    assert driver.status == 200
    assert f"{other}-new" in (changes.folder / name).read_text()


def test_judged_topics_keep_their_texts_and_are_named(
    driver: Driver, changes: Setup, folder: StudyFolder
) -> None:
    topic = judged_topic()
    before = Topic.objects.filter(study=changes.study, number=topic).values().get()
    folder.write(
        "topics.txt", (topic_text("007") + topic_text("1e5")).replace("What is relevant", "Only what is")
    )
    driver.upload(changes, "topics", folder.path / "topics.txt")
    assert f"Topic {topic} stays as it is" in driver.told("warning")[0]
    assert Topic.objects.filter(study=changes.study, number=topic).values().get() == before
