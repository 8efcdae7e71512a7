"""Files of others on the pages of a set-up: their first rows are shown, and a map of columns is confirmed."""

import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django import Settings

from judging.models import Setup, SetupFile, Study, Topic
from judging.setup.files import attach
from judging.setup.study_files.uploads import files_in
from tests.setup.driving import Driver, at, zipped
from tests.setup.intake.published import (
    QUERIES,
    TEXTS,
    json_lines,
    pool_text,
    register_dataset,
    study_text,
    tab_lines,
    write,
    write_beir,
)
from tests.support.problems import problems_in

pytestmark = pytest.mark.django_db(transaction=True)

OWN_GRADES = {"grade-0": "N", "grade-1": "R", "grade-2": "H"}
BEIR_COLUMNS: dict[str, Any] = {"topic": "query-id", "document": "corpus-id", "grade": "score"}


def stored(setup: Setup, kind: str) -> list[tuple[str, str, dict[str, Any]]]:
    rows = setup.files.filter(kind=kind).order_by("pk").values_list("path", "format", "columns")
    return [(path, form, columns) for path, form, columns in rows]


def columns_page(setup: Setup, **query: Any) -> str:
    return at(setup, f"columns/?{urlencode(query, doseq=True)}")


def choices(driver: Driver) -> dict[str, str]:
    """The column of each field that the form proposes."""
    found = {}
    for part in driver.text.split("<select ")[1:]:
        name, options = part.split('name="')[1].split('"')[0], part.split("</select>")[0]
        chosen = [option for option in options.split("<option ")[1:] if "selected" in option.split(">")[0]]
        found[name] = chosen[0].split('value="')[1].split('"')[0] if chosen else ""
    return found


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    write_beir(tmp_path / "beir")
    return tmp_path / "beir"


@pytest.fixture
def empty(driver: Driver) -> Setup:
    return driver.begin("Published")


def test_beir_from_its_files_to_a_set_up(driver: Driver, empty: Setup, beir: Path) -> None:
    driver.upload(empty, "documents", beir / "corpus.jsonl")
    assert choices(driver) == {
        "id": "_id",
        "title": "title",
        "text": "text",
        "layout": "",
        "markup": "",
        "sources": "",
    }
    assert stored(empty, "documents") == []
    address = columns_page(empty, kind="documents", format="jsonl", name="corpus.jsonl")
    driver.post(address, **choices(driver))
    documents = {"id": "_id", "title": "title", "text": "text"}
    assert stored(empty, "documents") == [("corpus.jsonl", "jsonl", documents)]

    driver.upload(empty, "topics", beir / "queries.jsonl", only="1, 3")
    assert choices(driver) == {"number": "_id", "title": "text", "description": "", "narrative": ""}
    assert not Topic.objects.exists()
    query = {"kind": "topics", "format": "jsonl", "name": "queries.jsonl", "only": "1, 3"}
    driver.post(columns_page(empty, **query), **choices(driver))
    driver.import_topics()
    assert dict(Topic.objects.values_list("number", "title")) == QUERIES
    assert "queries.jsonl" not in dict(files_in(empty.folder))

    driver.upload(empty, "grades", beir / "qrels" / "test.tsv")
    assert choices(driver) == BEIR_COLUMNS
    driver.post(columns_page(empty, kind="grades", format="tsv", name="test.tsv"), **choices(driver))
    assert stored(empty, "grades") == []
    values = [row.split("</th>")[0] for row in driver.text.split('<th scope="row">')[1:]]
    assert values == ["0", "1", "2"]
    columns = '{"topic":"query-id","document":"corpus-id","grade":"score"}'
    address = at(empty, f"grades/?{urlencode({'name': 'test.tsv', 'format': 'tsv', 'columns': columns})}")
    driver.post(address, reading="own", **OWN_GRADES)
    assert stored(empty, "grades") == [("test.tsv", "tsv", BEIR_COLUMNS)]
    assert empty.files.get(kind="grades").levels == {"0": "N", "1": "R", "2": "H"}

    write(beir / "pool.txt", pool_text(list(TEXTS)))
    driver.upload(empty, "pool", beir / "pool.txt")
    empty.refresh_from_db()
    assert empty.job is not None
    assert (empty.job.result["documents"]["read"], empty.job.result["documents"]["pooled"]) == (4, 3)
    assert empty.job.result["grades"][0]["values"] == [["0", "N", 2], ["1", "R", 2], ["2", "H", 2]]


def test_the_map_is_kept_in_the_study_file_in_copies_and_in_archives(
    driver: Driver, tmp_path: Path, beir: Path
) -> None:
    documents = '{ id = "_id", title = "" }'
    tables = f"""
[documents]
format = "jsonl"
path = "corpus.jsonl"
columns = {documents}
[topics]
format = "beir"
path = "queries.jsonl"
only = ["1", "3"]
[[grades]]
name = "scifact"
format = "beir"
path = "qrels/test.tsv"
levels = {{ 0 = "N", 1 = "R", 2 = "H" }}
unlisted = "N"
"""
    write(beir / "study.toml", study_text(tables))
    write(beir / "pool.txt", pool_text(list(TEXTS)))
    setup = driver.upload_study("study.zip", zipped(beir))
    assert setup is not None
    expected = {"id": "_id", "title": ""}
    assert stored(setup, "documents") == [("corpus.jsonl", "jsonl", expected)]
    assert stored(setup, "grades") == [("qrels/test.tsv", "beir", {})]
    answer = driver.client.get(at(setup, "study.toml"))
    written = tomllib.loads(
        b"".join(answer.streaming_content if answer.streaming else [answer.content]).decode()
    )
    assert written["documents"]["columns"] == expected
    assert written["grades"][0]["format"] == "beir"
    driver.post(f"/console/studies/{setup.study.slug}/copy/")
    copy = Setup.objects.latest("pk")
    assert copy.pk != setup.pk
    assert stored(copy, "documents") == stored(setup, "documents")


def test_a_file_without_a_header_is_read_by_position(driver: Driver, empty: Setup, tmp_path: Path) -> None:
    write(
        tmp_path / "docs.tsv",
        tab_lines([("1", "https://x", "A title", "One."), ("2", "https://y", "", "Two.")]),
    )
    driver.upload(empty, "documents", tmp_path / "docs.tsv")
    assert choices(driver) == {
        "id": "1",
        "title": "3",
        "text": "4",
        "layout": "",
        "markup": "",
        "sources": "",
    }
    query = {"kind": "documents", "format": "tsv", "name": "docs.tsv"}
    driver.get(columns_page(empty, **query, header="yes"))
    assert choices(driver) == {"id": "", "title": "", "text": "", "layout": "", "markup": "", "sources": ""}
    driver.post(columns_page(empty, **query), id="1", title="3", text="4", layout="")
    assert stored(empty, "documents") == [("docs.tsv", "tsv", {"id": 1, "title": 3, "text": 4})]


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"id": "", "title": "", "text": "text", "layout": "", "markup": "", "sources": ""}, "id"),
        ({"id": "_id", "title": "", "text": "absent", "layout": "", "markup": "", "sources": ""}, "text"),
        ({}, "id"),
    ],
)
def test_a_map_without_a_needed_column_is_refused(
    driver: Driver, empty: Setup, beir: Path, sent: dict[str, str], field: str
) -> None:
    driver.upload(empty, "documents", beir / "corpus.jsonl")
    driver.post(columns_page(empty, kind="documents", format="jsonl", name="corpus.jsonl"), **sent)
    assert driver.status == 400
    assert field in driver.refused
    assert stored(empty, "documents") == []


def test_files_with_our_columns_are_used_at_once(driver: Driver, empty: Setup, tmp_path: Path) -> None:
    write(tmp_path / "d.csv", "id,text,other\n1,One.,x\n")
    driver.upload(empty, "documents", tmp_path / "d.csv")
    assert stored(empty, "documents") == [("d.csv", "csv", {})]
    write(tmp_path / "t.csv", "number,title\n1,A topic\n")
    driver.upload(empty, "topics", tmp_path / "t.csv")
    assert Topic.objects.get().title == "A topic"


def test_several_files_get_the_same_columns(driver: Driver, empty: Setup, tmp_path: Path) -> None:
    for number in "12":
        write(tmp_path / f"part-{number}.jsonl", json_lines([{"key": number, "body": "x"}]))
    paths = [tmp_path / f"part-{number}.jsonl" for number in "12"]
    driver.upload(empty, "documents", *paths)
    query = {"kind": "documents", "format": "jsonl", "name": ["part-1.jsonl", "part-2.jsonl"]}
    driver.post(columns_page(empty, **query), id="key", title="", text="body", layout="")
    columns = {"id": "key", "text": "body"}
    assert stored(empty, "documents") == [
        ("part-1.jsonl", "jsonl", columns),
        ("part-2.jsonl", "jsonl", columns),
    ]


def test_columns_can_be_changed_but_not_over_somebody_elses(driver: Driver, empty: Setup, beir: Path) -> None:
    driver.upload(empty, "documents", beir / "corpus.jsonl")
    query = {"kind": "documents", "format": "jsonl", "name": "corpus.jsonl"}
    address = columns_page(empty, **query)
    version = driver.text.split('name="version" value="')[1].split('"')[0]
    driver.post(address, id="_id", title="title", text="text", layout="")
    assert address.split("/setup/")[1].split("?")[0] in driver.get(at(empty, "files/"))
    driver.post(address, id="_id", title="", text="title", layout="", version=version)
    assert driver.status == 409
    driver.post(address, id="_id", title="", text="title", layout="")
    (file,) = SetupFile.objects.filter(setup=empty)
    assert file.columns == {"id": "_id", "title": "", "text": "title"}


def test_a_file_that_cannot_be_read_says_why(driver: Driver, empty: Setup, tmp_path: Path) -> None:
    write(tmp_path / "d.jsonl", '{"key": 1}\n{oops\n')
    driver.upload(empty, "documents", tmp_path / "d.jsonl")
    driver.get(columns_page(empty, kind="documents", format="jsonl", name="d.jsonl"))
    assert [fault.item for fault in driver.faults if "d.jsonl:2" in fault.item]
    assert str(empty.folder) not in driver.text


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"kind": "documents", "format": "jsonl", "name": "../study.toml"},
        {"kind": "documents", "format": "jsonl", "name": "absent"},
        {"kind": "documents", "format": "pdf", "name": "good.run"},
        {"kind": "run", "format": "csv", "name": "good.run"},
        {"kind": "documents", "format": "irds", "name": "irds:" + "x" * 300},
    ],
)
def test_only_files_of_the_set_up_are_shown(driver: Driver, setup: Setup, query: dict[str, str]) -> None:
    driver.get(columns_page(setup, **query))
    assert driver.client.get(columns_page(setup, **query)).status_code == 302


@pytest.mark.parametrize("columns", ["[", "[1]", '{"topic": []}', '{"x": "y"}', "1" * 5000])
def test_an_odd_map_in_an_address_is_ignored(driver: Driver, empty: Setup, beir: Path, columns: str) -> None:
    driver.upload(empty, "grades", beir / "qrels" / "test.tsv")
    query = urlencode({"name": "test.tsv", "format": "tsv", "columns": columns})
    assert driver.client.get(at(empty, f"grades/?{query}")).status_code == 302
    assert stored(empty, "grades") == []


# --- collections of ir_datasets ----------------------------------------------------------------------------


@pytest.fixture
def dataset(tmp_path: Path) -> str:
    register_dataset(tmp_path / "dataset", name := f"plumbline-{tmp_path.name}")
    return name


def test_a_collection_is_shown_and_confirmed(
    driver: Driver, empty: Setup, tmp_path: Path, dataset: str
) -> None:
    path = f"irds:{dataset}"
    driver.post(at(empty, "files/"), action="dataset", kind="documents", dataset=dataset)
    assert choices(driver) == {
        "id": "doc_id",
        "title": "",
        "text": "text",
        "layout": "",
        "markup": "",
        "sources": "",
    }
    assert "One." in driver.text
    assert stored(empty, "documents") == []
    driver.post(columns_page(empty, kind="documents", format="irds", name=path), **choices(driver))
    assert stored(empty, "documents") == [(path, "irds", {"id": "doc_id", "text": "text"})]

    driver.post(at(empty, "files/"), action="dataset", kind="topics", dataset=path, only="3")
    query = {"kind": "topics", "format": "irds", "name": path, "only": "3"}
    driver.post(columns_page(empty, **query), **choices(driver))
    driver.import_topics()
    assert dict(Topic.objects.values_list("number", "title")) == {"3": QUERIES["3"]}

    driver.post(at(empty, "files/"), action="dataset", kind="grades", dataset=path)
    columns = choices(driver)
    assert columns == {"topic": "query_id", "document": "doc_id", "grade": "relevance"}
    driver.post(columns_page(empty, kind="grades", format="irds", name=path), **columns)
    address = urlencode({"name": path, "format": "irds", "columns": str(columns).replace("'", '"')})
    driver.post(at(empty, f"grades/?{address}"), reading="own", **OWN_GRADES)
    assert stored(empty, "grades") == [(path, "irds", columns)]

    write(tmp_path / "pool.txt", "".join(f"3 {name}\n" for name in TEXTS))
    driver.upload(empty, "pool", tmp_path / "pool.txt")
    empty.refresh_from_db()
    assert empty.job is not None
    assert empty.job.result["documents"]["pooled"] == len(TEXTS)
    driver.post(at(empty, "files/"), action="remove", name=path, kind="documents")
    assert stored(empty, "documents") == []
    assert len(stored(empty, "grades")) == 1


def test_a_collection_for_documents_and_grades_comes_with_a_study_file(
    driver: Driver, tmp_path: Path, dataset: str
) -> None:
    path = f"irds:{dataset}"
    tables = f"""
[documents]
path = "{path}"
[topics]
path = "{path}"
[[grades]]
name = "known"
path = "{path}"
levels = {{ 0 = "N", 1 = "R", 2 = "H" }}
"""
    write(tmp_path / "study" / "study.toml", study_text(tables))
    write(tmp_path / "study" / "pool.txt", pool_text(list(TEXTS)))
    setup = driver.upload_study("study.zip", zipped(tmp_path / "study"))
    assert setup is not None
    assert stored(setup, "documents") == [(path, "irds", {})]
    assert stored(setup, "grades") == [(path, "irds", {})]
    assert dict(Topic.objects.values_list("number", "title")) == QUERIES
    driver.get(at(setup))
    assert not [fault for fault in driver.faults if path in fault.item]


@pytest.mark.parametrize(("allowed", "is_shown"), [([], False), (["plumbline"], False), (["*"], True)])
def test_operators_say_which_collections_the_server_reads(
    driver: Driver, empty: Setup, dataset: str, settings: Settings, allowed: list[str], is_shown: bool
) -> None:
    settings.IR_DATASETS = allowed
    driver.post(at(empty, "files/"), action="dataset", kind="documents", dataset=dataset)
    assert ("One." in driver.text) == is_shown
    fields = [field for field, _message in problems_in(driver.text)]
    assert fields == ([] if is_shown else ["dataset-documents" if allowed else ""])
    assert ('name="dataset"' in driver.get(at(empty, "files/"))) == bool(allowed)
    toml = study_text(f'[documents]\npath = "irds:{dataset}"\n', slug="other").encode()
    assert (driver.upload_study("study.toml", toml) is not None) == is_shown


@pytest.mark.parametrize("name", ["", "plumbline-unknown"])
def test_a_collection_that_nobody_knows(driver: Driver, empty: Setup, name: str) -> None:
    driver.post(at(empty, "files/"), action="dataset", kind="documents", dataset=name)
    if name:
        assert [fault for fault in driver.faults if name in fault.item]
    else:
        assert driver.refused == ["dataset-documents"]
    assert stored(empty, "documents") == []


@pytest.mark.parametrize("kind", ["documents", "topics", "grades"])
def test_an_encoding_that_nobody_knows(driver: Driver, empty: Setup, beir: Path, kind: str) -> None:
    driver.upload(empty, kind, beir / "corpus.jsonl", encoding="latin-77")
    assert driver.status == 200
    assert "latin-77" in driver.text
    query = {"kind": "documents", "format": "jsonl", "name": "corpus.jsonl", "encoding": "latin-77"}
    assert driver.client.get(columns_page(empty, **query)).status_code in (200, 302)


def test_uploading_a_file_again_changes_its_kind(driver: Driver, setup: Setup) -> None:
    attach(setup, "pool", "good.run")
    assert [file.kind for file in setup.files.filter(path="good.run")] == ["pool"]


def test_topics_of_a_preset_are_read_at_once(driver: Driver, empty: Setup, beir: Path) -> None:
    driver.upload(empty, "topics", beir / "queries.jsonl", format="beir")
    assert Topic.objects.count() == 3
    file = SimpleUploadedFile("marco.tsv", b"7\tA passage.\n")
    sent = {"file-documents": file, "format-documents": "msmarco"}
    driver.post(at(empty, "files/"), action="upload", kind="documents", **sent)
    assert stored(empty, "documents") == [("marco.tsv", "msmarco", {})]
    assert Study.objects.get(pk=empty.study_id).topics.count() == 3
