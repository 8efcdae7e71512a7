"""Files of several kinds at once, files that replace others, and files that nothing uses."""

import json
from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import Workbook

from judging.models import Setup, SetupFile, Topic
from judging.setup.columns import preview
from judging.setup.study_files.uploads import files_in
from tests.setup.driving import Driver, at

pytestmark = pytest.mark.django_db(transaction=True)

DOCUMENTS = b"id,text\n7-a,One text.\n7-b,Another text.\n"
TOPICS = b'{"number": "7", "title": "Bread"}\n'
RUN = b"7 Q0 7-a 1 9 new\n7 Q0 7-b 2 8 new\n"
GRADES = b"7 0 7-a 1\n"


@pytest.fixture
def empty(driver: Driver) -> Setup:
    return driver.begin("Empty")


def send(driver: Driver, setup: Setup, pressed: str = "run", **contents: dict[str, bytes]) -> str:
    """Choose files of each kind, and press the button below one of the kinds."""
    files = {
        f"file-{kind}": [SimpleUploadedFile(name, content) for name, content in named.items()]
        for kind, named in contents.items()
    }
    driver.post(at(setup, "files/"), action="upload", kind=pressed, **files)
    return driver.text


def used(setup: Setup) -> set[tuple[str, str]]:
    return set(SetupFile.objects.filter(setup=setup).values_list("kind", "path"))


def stored(setup: Setup) -> set[str]:
    return {name for name, _size in files_in(setup.folder)}


def use(driver: Driver, setup: Setup, kind: str, name: str) -> str:
    return driver.post(at(setup, "files/"), action="use", kind=kind, name=name)


def test_all_chosen_files_are_uploaded_whichever_button_is_pressed(driver: Driver, empty: Setup) -> None:
    page = send(
        driver,
        empty,
        documents={"docs.csv": DOCUMENTS},
        topics={"topics.jsonl": TOPICS},
        run={"one.run": RUN, "two.run": RUN.replace(b"new", b"newer")},
        grades={"a.qrels": GRADES, "b.qrels": GRADES},
    )
    assert used(empty) == {("documents", "docs.csv"), ("run", "one.run"), ("run", "two.run")}
    assert not Topic.objects.exists()
    assert 'name="reading"' in page, "the values of the first file of grades are asked for"
    assert "name=a.qrels" in driver.address
    page = driver.post(driver.address, reading="qrels")
    assert 'name="reading"' in page
    assert "name=b.qrels" in driver.address, "the next question follows, and no file has to be looked for"
    page = driver.post(driver.address, reading="qrels")
    assert {("grades", "a.qrels"), ("grades", "b.qrels")} <= used(empty)
    assert "Bread" in page, "the topics are shown before they are imported"
    assert not Topic.objects.exists()
    driver.import_topics()
    assert Topic.objects.get().title == "Bread"
    assert stored(empty) == {"docs.csv", "one.run", "two.run", "a.qrels", "b.qrels"}


def test_a_question_that_is_left_waits_until_it_is_answered(driver: Driver, empty: Setup) -> None:
    send(driver, empty, grades={"a.qrels": GRADES, "b.qrels": GRADES})
    files = at(empty, "files/")
    assert 'id="waiting"' in driver.get(files)
    driver.post(files, action="remove", name="a.qrels")
    page = driver.get(files)
    assert [name in page.partition('id="waiting"')[2][:400] for name in ("a.qrels", "b.qrels")] == [
        False,
        True,
    ]
    driver.read_grades(empty, "b.qrels", reading="qrels")
    assert 'id="waiting"' not in driver.get(files)


@pytest.mark.parametrize(
    ("keep", "only", "left"),
    [
        ("all", "", {"7", "8", "9"}),
        ("grades", "", {"7"}),
        ("run", "", {"7", "8"}),
        ("these", "9, 8", {"8", "9"}),
    ],
)
def test_only_the_chosen_topics_are_imported(
    driver: Driver, empty: Setup, keep: str, only: str, left: set[str]
) -> None:
    topics = "".join(f"<top><num>{number}<title>Title {number}</top>\n" for number in (7, 8, 9)).encode()
    send(
        driver,
        empty,
        topics={"topics.txt": topics},
        run={"one.run": RUN + b"8 Q0 7-a 1 9 new\n"},
        grades={"a.qrels": GRADES},
    )
    driver.post(driver.address, reading="qrels")
    driver.import_topics(keep=keep, only=only)
    assert set(Topic.objects.values_list("number", flat=True)) == left


def test_a_choice_that_leaves_no_topic_keeps_what_was_typed(driver: Driver, empty: Setup) -> None:
    send(driver, empty, topics={"topics.txt": b"<top><num>7<title>Bread</top>"})
    page = driver.post(driver.address, keep="these", only="8 none")
    assert (driver.status, 'value="8 none"' in page, Topic.objects.exists()) == (400, True, False)
    assert driver.refused == ["only"]
    driver.post(driver.address, keep="grades", only="")
    assert (driver.status, Topic.objects.exists()) == (400, False)


def test_files_of_one_kind_but_several_formats_are_each_looked_at(driver: Driver, empty: Setup) -> None:
    page = send(driver, empty, topics={"own.jsonl": TOPICS, "foreign.csv": b"qid,query\n8,Tides\n"})
    driver.import_topics()
    page = driver.text
    assert list(Topic.objects.values_list("number", flat=True)) == ["7"]
    assert "<td" in page, "the rows of the file with columns of its own are shown"


@pytest.mark.parametrize("pressed", ["documents", "pool"])
def test_without_a_file_the_field_of_the_button_is_named(driver: Driver, empty: Setup, pressed: str) -> None:
    send(driver, empty, pressed)
    assert driver.refused == [f"file-{pressed}"]


def test_what_documents_replace_is_told_and_can_be_used_again(driver: Driver, empty: Setup) -> None:
    send(driver, empty, documents={"docs.csv": DOCUMENTS, "more.csv": DOCUMENTS.replace(b"7-", b"8-")})
    assert driver.told("warning") == []
    send(driver, empty, documents={"docs.jsonl": b'{"id": "7-a", "text": "One."}\n'})
    assert used(empty) == {("documents", "docs.jsonl")}
    [text] = driver.told("warning")
    assert all(name in text for name in ("docs.jsonl", "docs.csv", "more.csv"))
    page = driver.get(at(empty, "files/"))
    assert page.count('value="use"') == 2
    use(driver, empty, "documents", "docs.csv")
    assert used(empty) == {("documents", "docs.csv")}
    assert ["docs.jsonl" in text for text in driver.told("warning")] == [True]
    assert {"docs.csv", "more.csv", "docs.jsonl"} <= stored(empty)


def test_what_a_pool_and_its_depth_replace_is_told(driver: Driver, empty: Setup) -> None:
    send(driver, empty, run={"one.run": RUN})
    send(driver, empty, pool={"pool.txt": b"7 7-a\n"})
    assert ["10" in text for text in driver.told("warning")] == [True]
    driver.post(at(empty, "files/"), action="pool", depth="5")
    assert ["pool.txt" in text for text in driver.told("warning")] == [True]
    assert "pool.txt" in stored(empty)
    use(driver, empty, "pool", "pool.txt")
    empty.refresh_from_db()
    assert (empty.pool_depth, ("pool", "pool.txt") in used(empty)) == (None, True)


def test_a_list_that_comes_with_runs_is_the_pool(driver: Driver, empty: Setup) -> None:
    send(driver, empty, run={"one.run": RUN}, pool={"pool.txt": b"7 7-a\n"})
    empty.refresh_from_db()
    assert empty.pool_depth is None
    assert driver.told("warning") == []


def test_an_unused_file_can_be_used_as_any_kind(driver: Driver, empty: Setup) -> None:
    for name, content in {"a": DOCUMENTS, "b": TOPICS, "c": RUN}.items():
        (empty.folder / name).write_bytes(content)
    page = driver.get(at(empty, "files/"))
    for kind in ("documents", "topics", "run", "grades", "pool"):
        assert page.count(f'<button class="link" name="kind" value="{kind}"') == 3
    for kind, name in (("documents", "a"), ("topics", "b"), ("run", "c")):
        use(driver, empty, kind, name)
        driver.import_topics()
    assert used(empty) == {("documents", "a"), ("run", "c")}
    assert stored(empty) == {"a", "c"}
    assert Topic.objects.get().number == "7"


def test_topics_that_cannot_be_read_stay_unused(driver: Driver, empty: Setup) -> None:
    send(driver, empty, topics={"topics.jsonl": b'{"number": "7", "title": 5}\n'})
    assert [fault.item.split(" ")[0] for fault in driver.faults] == ["topics.jsonl:1:"]
    assert stored(empty) == {"topics.jsonl"}


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ("1,one\n2,two,three\n", 3),
        ("1,one,two\n", 2),
        ('1,one\n2,"two" or three\n3,four\n', 3),
        ('1,"never closed\n2,two\n', 2),
    ],
)
def test_a_broken_row_is_named_and_the_columns_can_still_be_chosen(
    driver: Driver, empty: Setup, rows: str, line: int
) -> None:
    page = send(driver, empty, documents={"docs.csv": f"docno,body\n{rows}".encode()})
    assert [fault.item.split(" ")[0] for fault in driver.faults] == [f"docs.csv:{line}:"]
    assert '<select name="text"' in page
    driver.post(at(empty, "columns/?kind=documents&format=csv&name=docs.csv"), id="docno", text="body")
    assert used(empty) == {("documents", "docs.csv")}
    assert f"<code>docs.csv:{line}</code>" in driver.text


def test_without_a_header_that_can_be_read_there_are_no_columns(tmp_path: Path) -> None:
    (tmp_path / "docs.csv").write_text('"docno" x,body\n1,one\n')
    first = preview(tmp_path, "docs.csv", "documents", "csv", encoding="", header=True)
    assert (first.names, len(first.faults)) == ([], 1)


def test_the_page_of_the_columns_says_what_would_be_replaced(driver: Driver, empty: Setup) -> None:
    send(driver, empty, documents={"docs.csv": DOCUMENTS})
    page = send(driver, empty, documents={"foreign.csv": b"docno,body\n1,one\n"})
    assert "docs.csv" in page.split("<p data-others>")[1].split("</p>")[0]
    assert used(empty) == {("documents", "docs.csv")}


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        *((kind, b"%PDF-1.7 text") for kind in ("documents", "topics", "run", "grades", "pool")),
        *((kind, b"\n \n") for kind in ("documents", "run", "grades")),
        *((kind, b"<!DOCTYPE html><html>") for kind in ("documents", "run", "grades")),
        *((kind, b'[{"id": "1"}]') for kind in ("documents", "topics", "run", "grades")),
        ("run", b'{"topic": "1"}\n'),
        ("documents", b"words of no known format\n"),
        ("documents", b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n"),
        ("topics", b"PK\x03\x04 word/document.xml"),
        ("topics", "id,text\n1,x\n".encode("utf-16")),
    ],
)
def test_a_file_of_another_kind_is_refused_at_its_field(
    driver: Driver, empty: Setup, kind: str, content: bytes
) -> None:
    send(driver, empty, pressed=kind, **{kind: {"file": content}})
    assert driver.refused == [f"file-{kind}"]
    assert (stored(empty), used(empty)) == (set(), set())


def test_the_turns_of_a_conversation_are_shown_and_imported(driver: Driver, empty: Setup) -> None:
    turns = [{"number": 1, "raw_utterance": "What is it?"}, {"number": 2, "raw_utterance": "And why?"}]
    content = json.dumps([{"number": 31, "title": "It", "turn": turns}]).encode()
    page = send(driver, empty, "topics", topics={"cast.json": content})
    assert '<th scope="row">31_1</th><td dir="auto" class="text">What is it?</td>' in page
    assert not Topic.objects.exists(), "imported without a question"
    driver.import_topics()
    assert list(Topic.objects.order_by("place").values_list("number", "title")) == [
        ("31_1", "What is it?"),
        ("31_2", "And why?"),
    ]
    send(driver, empty, "topics", topics={"other.json": b'[{"id": 1}]'})
    assert driver.refused == ["file-topics"]


def test_a_table_with_semicolons_and_a_workbook_are_shown_and_used(driver: Driver, empty: Setup) -> None:
    book = Workbook()
    assert book.active is not None
    for row in (["docno", "body"], ["007", "A text."]):
        book.active.append(row)
    book.save(content := BytesIO())
    send(driver, empty, documents={"a.csv": b"docno;body\n1e5;One, two\n"})
    assert "One, two" in driver.text
    driver.post(driver.address, id="docno", text="body")
    send(driver, empty, documents={"b.xlsx": content.getvalue()})
    assert "007" in driver.text
    driver.post(driver.address, id="docno", text="body")
    assert used(empty) == {("documents", "a.csv"), ("documents", "b.xlsx")}
    assert driver.faults == []
