"""The report as PDF: its tags, its tables, and letters of any script."""

import re
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import polars as pl
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from pypdf import PdfReader
from pypdf.generic import ContentStream

from evaluation.errors import InputError
from evaluation.figures.letters import DEJAVU, clusters, letter_names, letters_of
from evaluation.frames import Judgments
from evaluation.report import PARTS, ReportData, build_report, write_report
from evaluation.report.building import Finished, Report
from evaluation.report.cells import printed
from evaluation.report.content import Content, Numbers
from evaluation.report.parts import Part, Section
from evaluation.report.pdf import fonts, to_pdf
from evaluation.report.pdf.blocks import blocks_of
from evaluation.text import Text
from tests.evaluation.report_study import QUICK, study_of_everything

A4 = (595, 842)
CODE = '#import "x" $a$ *b* _c_ @d <e> \\ // f /* g */ {h} `i` = j'
SCRIPTS = {
    "Thai": "ภาษาไทยที่นี่",
    "Chinese": "中文文件",
    "emoji": "👩‍👩‍👧 👍🏽 🇫🇷",
    "Devanagari": "क्षि हिन्दी",
    "controls": "a\x00b\u200bc\ufeffd\u202ee\u00ad",
    "accents": "x\u0301\u0327 e\u0e31",
    "no letter": "\ue000 \U0010fffd \u0378",
}


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """A report of a few parts, and its PDF file."""
    report = build_report(study_of_everything(), only=QUICK)
    folder = tmp_path_factory.mktemp("quick")
    write_report(report, folder)
    return report, PdfReader(folder / "report.pdf")


@pytest.fixture(autouse=True)
def no_system_fonts(monkeypatch):
    """Let the tests give the same results on every machine."""
    monkeypatch.setattr(fonts, "system_fonts", list)


def report_of(*tables: Numbers, title: str = "A title", sentence: str = "A sentence.") -> Report:
    """Return a report of one part, with these tables and this sentence."""
    part = Part("part", Text("A part"), "[X]", Text("{text}", text=sentence))
    data = ReportData("A study", Judgments.from_columns("1", "u", "a", [1.0]))
    content = Content(sentences=[Text("{text}", text=sentence)], tables=list(tables))
    return Report(
        data, ((Section("s", Text("A section"), (part,)), (Finished(part, content, part.reading),)),), title
    )


def read(report: Report, folder: Any = None) -> PdfReader:
    return PdfReader(BytesIO(to_pdf(report, {}, folder)))


def text_of(pdf: PdfReader) -> str:
    return "\n".join(page.extract_text() for page in pdf.pages)


def run_together(text: str) -> str:
    return re.sub(r"\s", "", text)


def tags(pdf: PdfReader) -> Iterator[tuple[str, Any]]:
    """Yield the type of each element of the structure with the element, in order."""
    waiting = [pdf.trailer["/Root"]["/StructTreeRoot"]]
    while waiting:
        element = waiting.pop(0).get_object()
        if isinstance(element, list):
            waiting = [*element, *waiting]
        elif isinstance(element, dict):
            if "/S" in element:
                yield element["/S"], element
            if "/K" in element:
                waiting.insert(0, element["/K"])


def codes(pdf: PdfReader) -> Iterator[int]:
    """Yield the number of each glyph that the pages show."""
    for page in pdf.pages:
        for operands, operator in ContentStream(page["/Contents"], pdf).operations:
            if operator in (b"Tj", b"TJ"):
                strings = operands[0] if operator == b"TJ" else operands
                for shown in strings:
                    raw = getattr(shown, "original_bytes", b"")
                    yield from (int.from_bytes(raw[at : at + 2]) for at in range(0, len(raw), 2))


def titles(outline: list[Any]) -> list[str]:
    return [
        title for entry in outline for title in (titles(entry) if isinstance(entry, list) else [entry.title])
    ]


def heading_of(block: dict[str, Any]) -> str:
    return block["text"] if block["kind"] == "heading" else ""


def wide(columns: int, rows: int = 3, name: str = "run") -> Numbers:
    cells = {f"column {c}": [f"cell{c}x{r}" for r in range(rows)] for c in range(columns)}
    table = pl.DataFrame({"run": [f"{name}{row}" for row in range(rows)], **cells})
    return Numbers(f"wide-{columns}", Text("A wide table"), table)


def test_the_file_declares_that_it_is_accessible(quick):
    report, pdf = quick
    root = pdf.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert pdf.metadata.title == report.title
    assert re.search(r"pdfuaid:part(>|=\")1", root["/Metadata"].get_data().decode())


def test_sections_and_parts_are_headings_in_the_outline_and_the_contents(quick):
    report, pdf = quick
    expected = [title for block in blocks_of(report, Counter()) if (title := heading_of(block))]
    assert titles(pdf.outline) == expected
    found = [(tag, element["/T"]) for tag, element in tags(pdf) if tag in ("/H1", "/H2")]
    assert [title for _, title in found if title != "Contents"] == expected
    assert {title for tag, title in found if tag == "/H2"} == {str(PARTS[key].title) for key in QUICK}
    assert sum(tag == "/TOCI" for tag, _ in tags(pdf)) >= len(expected)


def test_tables_have_column_headers_and_figures_have_descriptions(quick):
    report, pdf = quick
    contents = [part.content for part in report.finished]
    tables = [table for content in contents for table in content.tables if table.most]
    elements = list(tags(pdf))
    assert sum(tag == "/Table" for tag, _ in elements) == len(tables) + 1  # and the inputs
    assert sum(tag == "/TFoot" for tag, _ in elements) == sum(bool(printed(table).notes) for table in tables)
    headers = [element for tag, element in elements if tag == "/TH"]
    assert headers
    assert all(element["/A"].get_object()[0]["/Scope"] == "/Column" for element in headers)
    alts = [str(element["/Alt"]) for tag, element in elements if tag == "/Figure"]
    expected = [
        " ".join(map(str, (f"{f.caption}.", *f.alt))) for content in contents for f in content.figures
    ]
    assert alts == expected
    assert expected


def test_pages_are_numbered(quick):
    _, pdf = quick
    assert all(page.extract_text().rstrip().endswith(str(at)) for at, page in enumerate(pdf.pages, 1))


def test_the_same_report_gives_the_same_bytes():
    report = report_of(wide(30), sentence="Thai ไทย")
    assert to_pdf(report, {}) == to_pdf(report, {})


def test_text_is_never_read_as_code():
    numbers = Numbers(
        "k",
        Text("{text}", text=CODE),
        pl.DataFrame({"run": [CODE], "#value $x$": ["#panic()"]}),
        notes=(Text("{text}", text=CODE),),
    )
    pdf = read(report_of(numbers, title=CODE, sentence=CODE))
    text = run_together(text_of(pdf))
    assert text.count(run_together(CODE)) >= 4
    assert run_together("#value $x$") in text
    assert "#panic()" in text
    assert pdf.metadata.title == CODE


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS)
def test_a_letter_without_a_font_is_named_and_never_a_box(text):
    numbers = Numbers("k", Text("{text}", text=text), pl.DataFrame({"run": [text], text: [text]}))
    pdf = read(report_of(numbers, title=f"About {text}", sentence=text))
    assert 0 not in set(codes(pdf))
    missing = {cluster for cluster in clusters(fonts.printable(text)) if not fonts.in_dejavu(cluster)}
    found = text_of(pdf)
    for code, name in letter_names(sorted(missing)):
        assert run_together(code + name) in run_together(found)


def test_arabic_letters_are_joined_and_hebrew_has_its_letters():
    pdf = read(report_of(sentence="ببب שלום"))
    assert 0 not in set(codes(pdf))
    assert set("בبשלום") - set("ב") <= set(text_of(pdf))
    shapes = b"".join(
        font.get_object()["/ToUnicode"].get_data()
        for page in pdf.pages
        for font in page["/Resources"]["/Font"].values()
    )
    assert len(set(re.findall(rb"<(\w+)> <0628>", shapes))) == 3  # first, middle, last


@pytest.fixture
def thai(tmp_path):
    """A folder with a font that has one Thai letter."""
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    pen.lineTo((0, 500))
    pen.lineTo((500, 500))
    pen.closePath()
    drawn = pen.glyph()
    font = FontBuilder(1000)
    font.setupGlyphOrder([".notdef", "kokai"])
    font.setupCharacterMap({ord("ก"): "kokai"})
    font.setupGlyf({".notdef": drawn, "kokai": drawn})
    font.setupHorizontalMetrics({".notdef": (600, 0), "kokai": (600, 0)})
    font.setupHorizontalHeader(ascent=800, descent=-200)
    font.setupNameTable({"familyName": "One Letter", "styleName": "Regular", "psName": "OneLetter"})
    font.setupOS2()
    font.setupPost()
    font.save(tmp_path / "thai.ttf")
    return tmp_path


@pytest.mark.parametrize("of_system", [False, True])
def test_a_font_that_is_given_or_installed_is_used(thai, monkeypatch, of_system):
    report = report_of(sentence="กข")
    if of_system:
        monkeypatch.setattr(fonts, "system_fonts", lambda: fonts.fonts_in(thai))
    pdf = read(report, None if of_system else thai)
    text = text_of(pdf)
    assert "ก[U+0E02]" in run_together(text)
    assert "U+0E01" not in text
    assert 0 not in set(codes(pdf))


def test_a_folder_without_fonts_is_refused(tmp_path, shell, file):
    (tmp_path / "fonts").mkdir()
    with pytest.raises(InputError) as refused:
        to_pdf(report_of(), {}, tmp_path / "fonts")
    assert refused.value.code == "folder-without-fonts"
    file("topic_id,unit_id,document_id,relevance_score\n1,u,a,2\n", "judgments.csv")
    done = shell("report", "--judgments", "judgments.csv", "--fonts", "fonts", "-o", "out")
    assert done.returncode == 1
    assert done.stderr.startswith("fonts: ")
    assert not (tmp_path / "out").exists()


def test_a_font_of_boxes_has_no_letters():
    """LastResort, which comes with matplotlib, has a box for every letter."""
    assert letters_of(DEJAVU / "LastResortHE-Regular.ttf") == frozenset()


@pytest.mark.parametrize(("columns", "turned", "blocks"), [(5, False, 1), (20, True, 1), (30, True, 2)])
def test_a_wide_table_is_turned_or_split_and_complete(columns, turned, blocks):
    numbers = wide(columns)
    pdf = read(report_of(numbers, wide(2)))
    widths = {round(float(page.mediabox.width)) for page in pdf.pages}
    assert widths == ({*A4} if turned else {A4[0]})
    text = run_together(text_of(pdf))
    for values in numbers.table.iter_columns():
        assert run_together(values.name) in text
        assert all(text.count(value) >= 1 for value in values)
    assert text.count("run1") == blocks + 1  # and the small table
    assert text.count("(continued)") == blocks - 1
    assert sum(tag == "/Table" for tag, _ in tags(pdf)) == blocks + 1


def test_no_text_leaves_the_page():
    long = "a_run_with_a_name_of_many_letters_" * 4
    pdf = read(report_of(wide(30, name=long), sentence=f"{long} {'б' * 200} {'x-' * 90}"))
    assert run_together(text_of(pdf)).count(long) >= 3
    for page in pdf.pages:
        places: list[tuple[float, str]] = []

        def note(
            text: str, outer: list[float], inner: list[float], *_: Any, to: list[Any] = places, **__: Any
        ) -> None:
            if text.strip():
                to.append((inner[4] * outer[0] + inner[5] * outer[2] + outer[4], text.strip()))

        page.extract_text(visitor_text=note)
        assert places
        for x, text in places:
            assert 40 <= x <= float(page.mediabox.width) - 40, text


def test_a_header_is_repeated_on_every_page():
    numbers = Numbers(
        "long", Text("A long table"), pl.DataFrame({"the header": [str(n) for n in range(150)]}), most=150
    )
    pdf = read(report_of(numbers))
    pages = [page for page in pdf.pages if "the header" in page.extract_text()]
    assert len(pages) >= 2
    assert sum(tag == "/TH" for tag, _ in tags(pdf)) == 1
