"""Collections as they come: old encodings, many files, folders, packed ones; and ids that come twice."""

import gzip
from pathlib import Path

import pytest

from judging.models import Document, PoolDocument, Study, Topic
from judging.setup.intake import document_stream as stream
from judging.setup.intake.readers.document_files import files_of
from tests.setup.intake.error_lines import assert_error_line
from tests.setup.intake.folder import StudyFolder
from tests.setup.intake.test_collections import source

pytestmark = pytest.mark.django_db
ENCODINGS = ("latin-1", "cp1252", "mac-roman", "shift_jis", "koi8-r", "UTF8")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_old_encodings(folder: StudyFolder, encoding: str) -> None:
    word = {"shift_jis": "表ソ能", "koi8-r": "Ъ"}.get(encoding, "Müßte")
    name = {"shift_jis": "能.run", "koi8-r": "Ъ"}.get(encoding, "é")
    folder.replace("topics.txt", "title of 007", f"title {word}")
    folder.replace("documents.jsonl", "Text of 007-A.", f"Text {word}.")
    folder.write("good.run", folder.read("good.run").replace(" good\n", f" {name}\n"))
    for key in ("documents.jsonl", "topics.txt", "qrels.txt", "good.run"):
        folder.replace("study.toml", f'path = "{key}"', f'encoding = "{encoding}"\npath = "{key}"')
        folder.write(key, folder.read(key).encode(encoding))

    assert folder.faults() == []

    assert Topic.objects.get(number="007").title == f"title {word}"
    assert Document.objects.get(document_id="007-A").text == f"Text {word}."
    assert set(Study.objects.get().runs.values_list("tag", flat=True)) == {name, "poor"}


def test_a_fault_in_a_run_of_another_encoding(folder: StudyFolder) -> None:
    folder.replace("study.toml", 'path = "good.run"', 'encoding = "latin-1"\npath = "good.run"')
    line = folder.replace("good.run", "1e5-R 2 98", "1e5-R 2 high")

    (fault,) = folder.faults()

    assert_error_line(fault, f"good.run:{line}", "score", "'high'")


def test_a_run_that_is_not_in_its_encoding_is_one_fault(folder: StudyFolder) -> None:
    folder.replace("study.toml", 'path = "good.run"', 'encoding = "ascii"\npath = "good.run"')
    folder.write("good.run", folder.read("good.run").encode() + b"007 Q0 \xe9 9 1 good\n")

    (fault,) = folder.faults()

    assert_error_line(fault, "good.run:17", "ascii", "encoding", "study.toml")


def in_parts(folder: StudyFolder) -> list[str]:
    """The documents in three files of one folder, one deep in it and one packed."""
    lines = folder.read("documents.jsonl").splitlines(keepends=True)
    (folder.path / "docs" / "deep").mkdir(parents=True)
    folder.write("docs/a.jsonl", "".join(lines[:5]))
    folder.write("docs/deep/b.JSONL", "".join(lines[5:9]))
    folder.write("docs/c.jsonl.gz", gzip.compress("".join(lines[9:]).encode()))
    folder.write("docs/README", "no documents")
    folder.write("docs/.hidden.jsonl", "oops")
    return ["docs/a.jsonl", "docs/c.jsonl.gz", "docs/deep/b.JSONL"]


def test_documents_of_a_folder_and_of_several_files(folder: StudyFolder) -> None:
    names = in_parts(folder)
    folder.replace("study.toml", 'path = "documents.jsonl"', 'path = "docs"')
    assert folder.faults(slug="of-a-folder") == []
    folder.replace("study.toml", 'path = "docs"', f"path = {names}")
    assert folder.faults(slug="of-files") == []

    stored = [
        list(PoolDocument.objects.filter(topic__study=study).values_list("document__document_id", flat=True))
        for study in Study.objects.all()
    ]
    assert stored[0] == stored[1]
    assert len(stored[0]) == 16


def test_a_folder_without_a_file_of_the_format(folder: StudyFolder) -> None:
    (folder.path / "docs").mkdir()
    line = folder.replace("study.toml", 'path = "documents.jsonl"', 'path = "docs"')

    fault = folder.faults()[-1]
    assert_error_line(fault, f"study.toml:{line}: documents.path", "docs", ".jsonl", ".jsonl.gz")


def test_every_file_of_a_folder_of_trec_documents_is_read(tmp_path: Path) -> None:
    for name in ("fr94/01/fr940104.0", "ft/ft911_1", "readme"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")

    result = files_of(source(tmp_path), "trec")

    assert [str(file.path.relative_to(tmp_path)) for file in result] == [
        "fr94/01/fr940104.0",
        "ft/ft911_1",
        "readme",
    ]


def test_an_id_in_two_files_is_told_with_both_places(folder: StudyFolder) -> None:
    in_parts(folder)
    folder.append("docs/a.jsonl", '{"id": "unpooled", "text": "Again."}\n')
    folder.replace("study.toml", 'path = "documents.jsonl"', 'path = "docs"')

    (fault,) = folder.faults()

    assert_error_line(fault, "docs/c.jsonl.gz:8: id", "unpooled", "docs/a.jsonl:6")


def test_ids_of_one_hash_are_not_taken_for_one(folder: StudyFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "_hash", lambda name: len(name))

    assert folder.faults() == []
    folder.append("documents.jsonl", '{"id": "unpooled", "text": "Again."}\n')
    (fault,) = folder.faults(slug="another")
    assert_error_line(fault, "documents.jsonl:18: id", "unpooled", "documents.jsonl:17")
