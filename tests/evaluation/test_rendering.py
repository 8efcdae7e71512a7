"""Tables of text: what any name looks like in a terminal, in Markdown, in HTML and in LaTeX."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from evaluation.rendering import (
    Cell,
    Table,
    escape_latex,
    format_p,
    formatter,
    to_html,
    to_latex,
    to_markdown,
    to_text,
)
from tests.evaluation.refusals import refused

AWKWARD = [
    "a_b%c&d#e$f", r"back\slash", "{braces}", "~tilde^caret", "<b>bold</b>", "a|b", '"quoted"', "it's",
    "[x]", "*star*", "--dash--", "`code`", "<!-- x -->", "&amp;", "$x^2$", "!x", "''", ",,", "1. one", "# x",
    "+ a", "日本",
]  # fmt: skip
NAMES = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1).map(str.strip).filter(bool)
UNESCAPED = {
    r"\textbackslash{}": "\\", r"\{": "{", r"\}": "}", r"\$": "$", r"\&": "&", r"\#": "#", r"\%": "%",
    r"\_": "_", r"\textasciicircum{}": "^", r"\textasciitilde{}": "~", r"\textless{}": "<",
    r"\textgreater{}": ">", r"\textbar{}": "|", r"\char34{}": '"', r"\char96{}": "`", "{}": "",
}  # fmt: skip
TOKEN = re.compile("|".join(map(re.escape, sorted(UNESCAPED, key=len, reverse=True))))


def table(*names: str, **more) -> Table:
    return Table("Caption", ("run", "AP"), tuple((Cell(name), Cell("0.5")) for name in names), **more)


def squeezed(text: str) -> str:
    return " ".join(text.split())


class Cells(HTMLParser):
    """The elements of a table with their attributes, and the text in each."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict, str]] = []
        self._open: list[int] = []
        self.feed(html)
        assert not self._open, "an element is not closed"

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), ""))
        if tag != "br":
            self._open.append(len(self.elements) - 1)

    def handle_endtag(self, tag):
        assert self.elements[self._open.pop()][0] == tag

    def handle_data(self, data):
        for place in self._open:
            tag, attrs, text = self.elements[place]
            self.elements[place] = (tag, attrs, text + data)

    def texts(self, *tags: str) -> list[str]:
        return [text for tag, _, text in self.elements if tag in tags]


# --- LaTeX -------------------------------------------------------------------------------------------------


@given(NAMES)
def test_latex_reads_every_printable_name_back(name):
    escaped = escape_latex(name)
    assert TOKEN.sub(lambda token: UNESCAPED[token[0]], escaped) == squeezed(name)
    rest = TOKEN.sub("", escaped)
    assert not set(rest) & set('\\{}$&#%_^~<>|"`'), "a special letter stands alone"
    assert not re.search("--|''|,,", escaped), "LaTeX would join these"


def test_a_latex_table_has_the_rules_of_booktabs_and_a_row_for_each_row():
    lines = to_latex(table("a_1", "b")).splitlines()
    assert lines == [
        r"\begin{tabular}{lr}", r"\toprule", r"run & AP \\", r"\midrule", r"a\_1 & 0.5 \\", r"b & 0.5 \\",
        r"\bottomrule", r"\end{tabular}",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["[2pt]", "*", "*[x]"])
def test_no_name_is_an_argument_of_the_line_break_above_it(name):
    assert not re.search(r"\\\\\n[\[*]", to_latex(table("a", name)))


def test_a_caption_or_a_label_puts_the_table_into_a_float():
    floating = to_latex(table("a", notes=("50%",)), caption="5% & more", label="tab:a_b")
    assert floating.startswith("\\begin{table}\n")
    assert r"\caption{5\% \& more}" in floating
    assert r"\label{tab:a_b}" in floating
    assert floating.index(r"\end{tabular}") < floating.index(r"50\%") < floating.index(r"\end{table}")
    assert r"\caption" not in to_latex(table("a"), label="x")
    assert to_latex(table("a", notes=("50%",))).startswith("% 50%\n\\begin{tabular}")


def test_a_minus_is_one_in_numbers_and_a_hyphen_in_names():
    latex = to_latex(Table("", ("run", "d"), ((Cell("a-1"), Cell("-0.5", "*", "[-0.7, -.3]")),)))
    assert r"a-1 & $-$0.5\textsuperscript{*} {\small [$-$0.7, $-$.3]} \\" in latex


# --- HTML --------------------------------------------------------------------------------------------------


@given(st.lists(NAMES, min_size=1, max_size=3))
def test_html_reads_every_printable_name_back(names):
    parsed = Cells(to_html(table(*names, notes=tuple(names))))
    heads = [text for tag, attrs, text in parsed.elements if attrs.get("scope") == "row"]
    assert heads == [*map(squeezed, names)]
    assert {tag for tag, _, _ in parsed.elements} <= {
        "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "br",
    }  # fmt: skip


def test_every_header_cell_of_html_says_what_it_is_the_header_of():
    two = Table(
        "Cap & tion", ("run", "topic", "AP"), ((Cell("a"), Cell("1"), Cell("0.5", "b", "[0, 1]")),), 2
    )
    parsed = Cells(to_html(two))
    assert [(attrs, text) for tag, attrs, text in parsed.elements if tag == "th"] == [
        *(({"scope": "col"}, name) for name in two.header),
        ({"scope": "row"}, "a"),
        ({"scope": "row"}, "1"),
    ]
    assert parsed.texts("caption") == ["Cap & tion"]
    assert parsed.texts("sup") == ["b"]
    assert parsed.texts("small") == ["[0, 1]"]


# --- Markdown ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", AWKWARD)
def test_markdown_shows_awkward_names_unchanged(name):
    html = MarkdownIt("gfm-like", {"linkify": False}).render(to_markdown(table(name, notes=("note",))))
    parsed = Cells(html)
    assert [text.strip() for text in parsed.texts("th", "td")] == ["run", "AP", name, "0.5"]
    assert parsed.texts("p") == ["note"]
    assert not {"em", "strong", "code", "a", "s", "b"} & {tag for tag, _, _ in parsed.elements}


@given(NAMES)
def test_markdown_has_one_line_and_as_many_cells_as_columns_for_every_name(name):
    header, _, row, *rest = to_markdown(table(name)).splitlines()
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", header)) == len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == 3
    assert rest == []


# --- the terminal ------------------------------------------------------------------------------------------


@given(st.lists(NAMES | st.sampled_from(AWKWARD), min_size=1, max_size=4))
def test_lines_of_a_terminal_end_at_the_same_place(names):
    _, header, rule, *rows = to_text(table(*names)).splitlines()
    wide = sum(2 * ("日" in name) for name in names)
    assert {len(header), len(rule)} == {len(rule)}
    assert all(len(rule) - wide <= len(row) <= len(rule) for row in rows)
    assert all(row.endswith("  0.5") for row in rows)


def test_numbers_end_before_their_marks():
    rows = (
        (Cell("a"), Cell("0.50", "bc")),
        (Cell("b"), Cell("10.25")),
        (Cell("c"), Cell("-1.00", "b", "[0]")),
    )
    assert to_text(Table("T", ("run", "AP"), rows)).splitlines()[3:] == [
        "a     0.50 bc",
        "b    10.25",
        "c    -1.00 b  [0]",
    ]


def test_a_wide_table_is_continued_below_itself():
    columns = tuple(f"measure {place:02}" for place in range(20))
    text = to_text(Table("T", ("run", *columns), tuple((Cell(r), *[Cell("1")] * 20) for r in "ab")), width=50)
    assert all(len(line) <= 50 for line in text.splitlines())
    assert tuple(re.findall(r"measure \d\d", text)) == columns
    assert text.count("\na  ") == text.count("\nrun  ") == 7


@pytest.mark.parametrize("write", [to_text, to_markdown, to_html, to_latex])
def test_a_name_with_line_breaks_and_control_letters_stays_on_one_line(write):
    assert write(table("a\n\nb\x00\x1b[0m\tc")).count("\n") == write(table("abc")).count("\n")
    assert not re.search(r"[\x00\x1b\t]", write(table("a\x00\x1b\tb")))


@pytest.mark.parametrize("write", [to_text, to_markdown, to_html, to_latex])
def test_a_table_without_rows_is_a_header(write):
    assert "AP" in write(table())


def test_a_long_table_is_shortened_in_the_middle():
    names = [str(place) for place in range(100)]
    assert table(*names).shortened(100) == table(*names)
    assert [row[0].text for row in table(*names).shortened(5).rows] == ["0", "1", "2", "…", "98", "99"]


# --- numbers -----------------------------------------------------------------------------------------------


def test_numbers_have_their_decimals_and_no_value_is_a_hyphen():
    write = formatter(2)
    assert [*map(write, [0.125, 1 / 3, -1e-9, None, float("nan"), float("inf"), -float("inf"), 1e6])] == [
        "0.12", "0.33", "0.00", "-", "-", "∞", "-∞", "1000000.00",
    ]  # fmt: skip
    assert formatter(0)(2.6) == "3"
    for digits in (-1, 18):
        with refused("decimals-out-of-bounds", str(digits)):
            formatter(digits)


def test_a_small_p_is_not_written_as_zero():
    assert [format_p(p, 3) for p in (0.04, 0.0006, 0.0004, 1e-300, 1.0, None)] == [
        "0.040", "0.001", "<0.001", "<0.001", "1.000", "-",
    ]  # fmt: skip
