"""Sources and pictures come back byte for byte: from the database, a study folder and a bundle."""

import json
from datetime import timedelta
from pathlib import Path
from zipfile import ZipFile

from judging.archive.bundles.bundle import bundle_chunks
from judging.core.selectors.losses import lost_in_study
from judging.core.services.studies import close_study
from judging.models import Document, Picture, Study
from judging.setup.study_files.importing import import_study
from judging.setup.study_files.study_folder import write_study_folder
from tests.factories import NOW
from tests.marked_up.conftest import TIDES
from tests.marked_up.drawing import bulges

LINES = [json.loads(line) for line in (TIDES / "documents.jsonl").read_text().splitlines()]


def contents(study: Study) -> list[tuple[object, ...]]:
    fields = ("document_id", "title", "text", "layout", "markup", "sources")
    return sorted(Document.objects.filter(study=study).values_list(*fields), key=lambda row: row[0])


def pictures(study: Study) -> dict[str, tuple[str, bytes]]:
    rows = Picture.objects.filter(study=study)
    return {row.name: (row.media_type, bytes(row.content)) for row in rows}


PICTURES = {"pictures/bulges.png": ("image/png", bulges())}


def test_the_sources_are_stored_as_given(tides: Study) -> None:
    texts = dict(Document.objects.values_list("document_id", "text"))
    assert texts == {line["id"]: line["text"] for line in LINES}
    answer = Document.objects.get(document_id="answer-good")
    assert [source["id"] for source in answer.sources] == ["s1", "s2", "s3"]
    assert pictures(tides) == PICTURES
    assert list(lost_in_study(tides)) == []


def test_a_study_folder_brings_them_back(tides: Study, tmp_path: Path) -> None:
    folder = tmp_path / "written"
    folder.mkdir()
    write_study_folder(tides, folder, slug="copy")
    copy = import_study(folder, now=NOW).study
    assert contents(copy) == contents(tides)
    assert pictures(copy) == PICTURES


def test_a_bundle_brings_them_back(tides: Study, tmp_path: Path) -> None:
    close_study(study=tides, now=NOW + timedelta(hours=1), force=True)
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    first.write_bytes(b"".join(bundle_chunks(tides)))
    copy = import_study(first, slug="copy", now=NOW).study
    assert contents(copy) == contents(tides)
    assert pictures(copy) == PICTURES
    Study.objects.filter(pk=tides.pk).update(slug="moved")
    Study.objects.filter(pk=copy.pk).update(slug="tides")
    copy.refresh_from_db()
    second.write_bytes(b"".join(bundle_chunks(copy)))
    members = ["documents.jsonl", "pictures.jsonl"]
    with ZipFile(first) as one, ZipFile(second) as other:
        assert [one.read(name) for name in members] == [other.read(name) for name in members]


def test_a_bundle_without_pictures_has_no_file_for_them(tides: Study, tmp_path: Path) -> None:
    Picture.objects.all().delete()
    path = tmp_path / "bundle.zip"
    path.write_bytes(b"".join(bundle_chunks(tides)))
    with ZipFile(path) as bundle:
        assert "pictures.jsonl" not in bundle.namelist()
    assert pictures(import_study(path, slug="copy", now=NOW).study) == {}
