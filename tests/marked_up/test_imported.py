"""What an import refuses, with file and line, and what it tells about parts that pages cannot show."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from judging.core.faults import StudyRefusedError
from judging.core.selectors.losses import lost_in_study
from judging.limits import PICTURE_MEGABYTES
from judging.models import Document, Picture, Study
from judging.setup.study_files.importing import import_study
from tests.factories import NOW, make_worker
from tests.marked_up.drawing import bulges, square

pytestmark = pytest.mark.django_db


def change(folder: Path, line: int, **values: Any) -> None:
    """Change fields of the document on a line of the file."""
    path = folder / "documents.jsonl"
    lines = path.read_text().splitlines()
    lines[line - 1] = json.dumps({**json.loads(lines[line - 1]), **values})
    path.write_text("".join(f"{line}\n" for line in lines))


def refused(folder: Path, **options: Any) -> list[str]:
    before = Study.objects.count(), Document.objects.count(), Picture.objects.count()
    with pytest.raises(StudyRefusedError) as refusal:
        import_study(folder, now=NOW, **options)
    assert (Study.objects.count(), Document.objects.count(), Picture.objects.count()) == before
    return [line.replace(f"{folder}/", "") for line in refusal.value.lines]


FAULTS: dict[str, tuple[int, str, dict[str, Any]]] = {
    "marker without a source": (1, "text", {"text": "So [1] and [7]."}),
    "marker 0": (1, "text", {"text": "So [0]."}),
    "marker in HTML": (1, "text", {"markup": "html", "text": "<p>So <b>[2, 4]</b>.</p>"}),
    "unknown markup": (3, "markup", {"markup": "rtf"}),
    "nothing to show": (3, "text", {"text": "<p> </p><script>1</script>"}),
    "too deep": (3, "text", {"text": "<div>" * 501 + "x"}),
    "too deep in Markdown": (4, "text", {"text": ">" * 200 + "x"}),
    "sources that are no list": (1, "sources", {"sources": "none"}),
    "source that is no object": (1, "sources", {"sources": ["none"]}),
    "source without a text": (1, "sources", {"sources": [{"title": "A"}]}),
    "source with an unknown key": (1, "sources", {"sources": [{"title": "A", "text": "b", "x": "c"}]}),
    "source with a number": (1, "sources", {"sources": [{"title": "A", "text": 3}]}),
    "source with NUL": (1, "sources", {"sources": [{"title": "A", "text": "\0"}]}),
    "source with unknown markup": (1, "sources", {"sources": [{"title": "A", "text": "b", "markup": "x"}]}),
    "source too deep": (
        2,
        "text",
        {"sources": [{"title": "A", "text": "<div>" * 501, "markup": "html"}]},
    ),
    "no picture": (3, "text", {"text": '<img src="documents.jsonl">KEPT'}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_with_file_and_line(tides_folder: Path, fault: str) -> None:
    line, field, values = FAULTS[fault]
    change(tides_folder, line, **values)
    [refusal] = refused(tides_folder)
    assert refusal.startswith(f"documents.jsonl:{line}: {field}: ")


def test_brackets_in_code_and_without_sources_are_no_markers(tides_folder: Path) -> None:
    change(tides_folder, 1, text="Code `x[7]` and\n\n    y[8]\n\nand [1].")
    change(tides_folder, 4, text="In [2019] and [x].")
    import_study(tides_folder, now=NOW)


def test_a_large_picture_is_refused(tides_folder: Path) -> None:
    (tides_folder / "pictures" / "bulges.png").write_bytes(bulges() + bytes(PICTURE_MEGABYTES << 20))
    [refusal] = refused(tides_folder)
    assert refusal.startswith("documents.jsonl:3: text: ")


@pytest.mark.parametrize("form", ["trec", "cranfield"])
def test_markup_does_not_fit_formats_without_it(tides_folder: Path, form: str) -> None:
    study = tides_folder / "study.toml"
    study.write_text(study.read_text().replace('format = "jsonl"', f'format = "{form}"'))
    assert any(
        line.startswith("study.toml:") and "documents.markup" in line for line in refused(tides_folder)
    )


LOST = {
    "remote": '<img src="https://evil.example/a.png">',
    "protocol-relative": '<img src="//evil.example/a.png">',
    "data": '<img src="data:image/png;base64,AA">',
    "missing": '<img src="pictures/none.png">',
    "outside": '<img src="../tides/pictures/bulges.png">',
    "absolute": '<img src="/pictures/bulges.png">',
    "drawing": "<svg><text>words</text></svg>",
    "formula": "<math><mi>x</mi></math>",
    "frame": "<iframe src=x></iframe>",
    "video": "<video src=x></video>",
}


@pytest.mark.parametrize("part", LOST)
def test_what_is_lost_is_told(tides_folder: Path, part: str, capsys: pytest.CaptureFixture[str]) -> None:
    change(tides_folder, 3, text=f"<p>KEPT {LOST[part]}</p>")
    imported = import_study(tides_folder, now=NOW)
    [notice] = [str(notice) for notice in imported.notices if "documents.jsonl:" in str(notice)]
    assert "documents.jsonl:3: " in notice
    assert "page" in notice
    [again] = lost_in_study(imported.study)
    assert str(again) in notice
    call_command("check_study", "tides")
    assert str(again) in capsys.readouterr().out


def test_many_lost_parts_are_counted(tides_folder: Path) -> None:
    change(tides_folder, 3, text="KEPT" + "".join(f'<img src="pictures/none-{n}.png">' for n in range(25)))
    notices = [str(notice) for notice in import_study(tides_folder, now=NOW).notices]
    assert sum("documents.jsonl:3" in notice for notice in notices) == 10
    assert any("15" in notice for notice in notices)


def test_two_pictures_with_one_name(tides_folder: Path) -> None:
    for name, shade in (("one", 1), ("two", 2)):
        (tides_folder / name).mkdir()
        (tides_folder / name / "p.png").write_bytes(square(shade))
    lines = (tides_folder / "documents.jsonl").read_text().splitlines(keepends=True)
    (tides_folder / "one" / "d.jsonl").write_text("".join(lines[:2]))
    (tides_folder / "two" / "d.jsonl").write_text("".join(lines[2:]))
    change_in = {"one": "![a](p.png)", "two": '<img src="p.png" alt="a">'}
    for name, text in change_in.items():
        path = tides_folder / name / "d.jsonl"
        values = [json.loads(line) for line in path.read_text().splitlines()]
        values = [{**value, "text": text, "sources": []} for value in values]
        path.write_text("".join(json.dumps(value) + "\n" for value in values))
    study = tides_folder / "study.toml"
    study.write_text(study.read_text().replace('"documents.jsonl"', '["one/d.jsonl", "two/d.jsonl"]'))
    assert all(line.startswith("two/d.jsonl:") for line in refused(tides_folder))


def test_a_link_out_of_the_folder_is_no_picture(tides_folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.png"
    outside.write_bytes(bulges())
    picture = tides_folder / "pictures" / "bulges.png"
    picture.unlink()
    picture.symlink_to(outside)
    imported = import_study(tides_folder, now=NOW)
    assert not Picture.objects.exists()
    assert len(list(lost_in_study(imported.study))) == 2


def test_the_answer_of_the_documentation(tides_folder: Path) -> None:
    answer = json.loads(Path(__file__).with_name("answer.json").read_text())
    change(tides_folder, 1, **{**answer, "id": "answer-good"})
    import_study(tides_folder, now=NOW)
    stored = Document.objects.get(document_id="answer-good")
    assert [(source["id"], source["markup"]) for source in stored.sources] == [("s1", ""), ("2", "markdown")]


def test_a_folder_of_pages(tides_folder: Path) -> None:
    lines = [json.loads(line) for line in (tides_folder / "documents.jsonl").read_text().splitlines()]
    page = f"<!DOCTYPE html><title>A &amp; B</title>\n{lines[2]['text']}"
    (tides_folder / "pages").mkdir()
    for name, text in (("page.html", page), ("notes.md", lines[3]["text"])):
        (tides_folder / "pages" / name).write_text(text)
    for name in ("answer-good", "answer-poor"):
        (tides_folder / "pages" / f"{name}.txt").write_text("Plain *words*.\n")
    (tides_folder / "pages" / "pictures").mkdir()
    (tides_folder / "pages" / "pictures" / "bulges.png").write_bytes(bulges())
    study = tides_folder / "study.toml"
    text = study.read_text().replace('"jsonl"', '"folder"').replace('"documents.jsonl"', '"pages"')
    study.write_text(text.replace('markup = "markdown"', 'markup = "text"'))
    import_study(tides_folder, now=NOW)
    rows = {row.document_id: row for row in Document.objects.all()}
    assert {name: row.markup for name, row in rows.items()} == {
        "page": "html",
        "notes": "markdown",
        "answer-good": "",
        "answer-poor": "",
    }
    assert (rows["page"].title, rows["page"].text) == ("A & B", page.rstrip("\n"))
    assert rows["answer-good"].text == "Plain *words*."
    assert Picture.objects.get().name == "pictures/bulges.png"


@pytest.mark.parametrize(
    "values",
    [{"markup": "text"}, {"sources": []}, {"text": "Other words [1]."}],
    ids=["markup", "sources", "text"],
)
def test_what_workers_saw_cannot_change(tides: Study, tides_folder: Path, values: dict[str, Any]) -> None:
    make_worker(tides, upto="judging", now=NOW)
    import_study(tides_folder, now=NOW, update=True)
    change(tides_folder, 1, **values)
    [refusal] = refused(tides_folder, update=True)
    assert refusal.startswith("documents.jsonl:1: ")


@pytest.mark.parametrize("how", ["changed", "missing"])
def test_a_picture_that_workers_saw_cannot_change(tides: Study, tides_folder: Path, how: str) -> None:
    make_worker(tides, upto="judging", now=NOW)
    picture = tides_folder / "pictures" / "bulges.png"
    if how == "changed":
        picture.write_bytes(square(9))
    else:
        picture.unlink()
    [refusal] = refused(tides_folder, update=True)
    assert "pictures/bulges.png" in refusal
