"""Files of the real world, whole and broken."""

import gzip

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.errors import InputError
from evaluation.files import read_gains, read_judgments, read_run, read_runs, read_scores
from evaluation.parsing.detect import NO_TEXT, OTHER_FORMS
from tests.evaluation.refusals import refused

RUN = "t Q0 007 1 2.5 tag\nt Q0 1e5 2 1e-3 tag\nu Q0 a 1 -inf tag\n"
GAINS = "t 0 007 2.7182818284590451\nt 0 1e5 0\nu 0 a 1e-30\n"
JUDGMENTS = "topic_id,unit_id,document_id,relevance_score\n01,1,007,1\n01,1,1e5,10\n"

SHAPES = {
    "as it is": lambda text: text.encode(),
    "gzip": lambda text: gzip.compress(text.encode()),
    "byte-order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "Windows line ends": lambda text: text.replace("\n", "\r\n").encode(),
    "no final newline": lambda text: text.rstrip("\n").encode(),
    "no final newline on Windows": lambda text: text.replace("\n", "\r\n").rstrip("\n").encode(),
    "a blank line above": lambda text: ("\n" + text).encode(),
    "a blank line below": lambda text: (text + "\n").encode(),
    "a blank line between": lambda text: text.replace("\n", "\n\n", 1).encode(),
    "blank lines": lambda text: ("\n" + text.replace("\n", "\n\n") + "\n").encode(),
}
BLANKS = {
    "tabs": lambda text: text.replace(" ", "\t").encode(),
    "a tab for a blank": lambda text: text.replace(" ", "\t", 1).encode(),
    "one run of blanks": lambda text: text.replace(" ", "  ", 1).encode(),
    "runs of blanks": lambda text: text.replace(" ", " \t  ").encode(),
    "blanks at the ends": lambda text: ("  " + text.replace("\n", " \t\n  ")).encode(),
}


READERS = {"gains": read_gains, "judgments": read_judgments, "run": read_run, "scores": read_scores}
OTHER_KINDS = {
    "pdf": b"%PDF-1.7\n",
    "xlsx": b"PK\x03\x04" + bytes(30) + b"xl/workbook.xml",
    "database": b"SQLite format 3\0" + bytes(99),
    "html": b"<!DOCTYPE html>\n<html>\n",
    "json": b'{\n  "topic": 1\n}\n',
    "json-array": b'[{"topic": 1}]\n',
    "pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n",
}


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize("kind", OTHER_KINDS)
@pytest.mark.parametrize("reader", READERS)
def test_a_file_of_another_kind_is_named_as_what_it_is(file, reader, kind, pack):
    if (reader, kind) == ("scores", "json-array"):
        return  # scores can be a JSON array
    path = file(pack(OTHER_KINDS[kind]))
    with pytest.raises(InputError) as error:
        READERS[reader](path)
    assert error.value.code == "file-of-another-kind"
    assert error.value.where == f"{path}:1"
    assert error.value.what == (NO_TEXT.get(kind) or OTHER_FORMS[kind])


@pytest.mark.parametrize("mark", [";", "\t"])
def test_judgments_can_have_other_characters_between_their_cells(file, mark):
    table = read_judgments(file(JUDGMENTS.replace(",", mark).encode())).table
    assert table.equals(read_judgments(file(JUDGMENTS.encode())).table)


@pytest.mark.parametrize("shape", [*SHAPES, *BLANKS])
def test_runs_and_gains_of_every_shape(file, shape):
    shaped = (SHAPES | BLANKS)[shape]
    run = read_run(file(shaped(RUN)))
    assert run.tag == "tag"
    rows = [("t", "007", 2.5, 1.0), ("t", "1e5", 1e-3, 2.0), ("u", "a", float("-inf"), 1.0)]
    assert run.table.rows() == rows
    gains = read_gains(file(shaped(GAINS)))
    assert gains.table.rows() == [("t", "007", 2.718281828459045), ("t", "1e5", 0.0), ("u", "a", 1e-30)]


@pytest.mark.parametrize("shape", [name for name in SHAPES if "blank line" not in name])
def test_judgments_of_every_shape(file, shape):
    result = read_judgments(file(SHAPES[shape](JUDGMENTS)))
    assert result.table.rows() == [("01", "1", "007", 1.0), ("01", "1", "1e5", 10.0)]


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("t Q0 b 2 1", ["5", "6"]),
        ("t Q0 b 2 1 other", ["'other'", "'tag'"]),
        ("t Q0 b 2 nan tag", ["score", "NaN"]),
        ("t Q0 b 2 high tag", ["score", "'high'"]),
        ("t Q0 b 2 1_0 tag", ["score", "'1_0'"]),
        ("t Q0 b second 1 tag", ["rank", "'second'"]),
        ("t Q0 b 1.5 1 tag", ["rank", "1.5"]),
        ("t Q0 b inf 1 tag", ["rank", "inf"]),
        ("t Q0 007 2 1 tag", ["'007'", "'t'"]),
    ],
)
@pytest.mark.parametrize("above", ["", "\n\n"])
def test_a_broken_line_of_a_run(file, line, named, above):
    path = file(above + RUN + line + "\nv Q0 a 1 1 tag\n")
    with refused(
        (
            "document-retrieved-twice",
            "not-a-number",
            "rank-not-whole",
            "score-is-nan",
            "several-tags",
            "wrong-number-of-columns",
        ),
        *named,
        at=f"{path}:{4 + len(above)}",
    ):
        read_run(path)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("t 0 b", ["3", "4"]),
        ("t 0 b 1 1", ["5", "4"]),
        ("t 0 b one", ["gain", "'one'"]),
        ("t 0 b nan", ["gain", "nan"]),
        ("t 0 b inf", ["gain", "inf"]),
        ("t 0 b 1e999", ["gain", "inf"]),
        ("t 0 b -2", ["gain", "-2"]),
        ("t 0 1e5 1", ["'1e5'", "'t'"]),
    ],
)
def test_a_broken_line_of_gains(file, line, named):
    path = file(GAINS + "\n" + line + "\n")
    with refused(
        (
            "document-judged-twice",
            "gain-not-finite",
            "negative-gain",
            "not-a-number",
            "wrong-number-of-columns",
        ),
        *named,
        at=f"{path}:5",
    ):
        read_gains(path)


ODD_NUMBERS = [
    "1e999",
    "-inf",
    "nan",
    "Infinity",
    "1_0",
    "0x10",
    "１",
    "1,5",
    "",
    " ",
    "12345678901234567890",
]
CELLS = st.sampled_from(["t", "u", "007", '"', "é", "0", "1", "-0", "+2", ".5", "3.", "1e-3", *ODD_NUMBERS])
LINES = st.lists(st.lists(CELLS, min_size=5, max_size=7), min_size=1, max_size=4)


@pytest.mark.parametrize(("read", "columns"), [(read_run, 6), (read_gains, 4)])
@pytest.mark.parametrize("separator", [" ", "\t"])
@given(lines=LINES)
def test_a_plain_file_is_read_as_any_other(tmp_path_factory, read, columns, separator, lines):
    """Windows line ends keep a file from being read as it stands; nothing else may come of them."""
    folder = tmp_path_factory.getbasetemp()
    results = []
    for end in ("\n", "\r\n"):
        path = folder / "file"
        rows = [line if len(line) == columns + 1 else (line * 2)[:columns] for line in lines]
        path.write_bytes("".join(separator.join(row) + end for row in rows).encode())
        try:
            table = read(path).table
            results.append(table.with_columns(table.select(pl.selectors.float().cast(pl.String))).rows())
        except InputError as refused:
            results.append(str(refused))
    assert results[0] == results[1]


def test_the_first_line_may_be_the_broken_one(file):
    for content, columns in (("t 0 b\n", "3"), ("t 0 b 1 1\nt 0 c 1\n", "5")):
        path = file(content)
        with refused("wrong-number-of-columns", columns, "4", at=f"{path}:1"):
            read_gains(path)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_ids_stay_text_whatever_they_look_like(file, end):
    ids = ["007", "1e5", "null", "NaN", "true", "-0", "inf", "2020-01-01", "a#", "N/A", "t,u", "'"]
    gains = read_gains(file("".join(f"{name} 0 {name} 1{end}" for name in ids)))
    assert gains.table["topic_id"].to_list() == gains.table["document_id"].to_list() == ids
    run = read_run(file("".join(f"{name} Q0 {name} 1 1 null{end}" for name in ids)))
    assert run.tag == "null"
    assert run.table["topic_id"].to_list() == run.table["document_id"].to_list() == ids


def test_quotation_marks_are_no_special_sign(file):
    rows = read_gains(file('t 0 "a 1\nt 0 b" 2\n')).table.rows()
    assert rows == [("t", '"a', 1.0), ("t", 'b"', 2.0)]


@pytest.mark.parametrize("cell", ["0", "-1", "nan", "inf", "-inf", "text", "", " ", "1e-101", "1e101", "1,5"])
def test_what_is_no_magnitude(file, cell):
    path = file(f'{JUDGMENTS}01,1,"two\nlines",2\n01,2,b,"{cell}"\n')
    with refused(
        (
            "empty-number",
            "magnitude-not-finite",
            "magnitude-not-positive",
            "magnitude-out-of-bounds",
            "not-a-number",
        ),
        "relevance_score",
        at=f"{path}:6",
    ):
        read_judgments(path)


@pytest.mark.parametrize(
    ("content", "line", "named"),
    [
        ("", 1, []),
        ("topic_id,unit_id,document_id,relevance_score\n", 1, []),
        ("topic_id,unit_id,document_id\nt,1,a\n", 1, ["relevance_score"]),
        (JUDGMENTS.replace("unit_id", "topic_id"), 1, ["'topic_id'"]),
        (JUDGMENTS + "01,1,b\n", 4, ["3", "4"]),
        (JUDGMENTS + "01,1,b,2,3\n", 4, ["5", "4"]),
        (JUDGMENTS + ",1,b,2\n", 4, ["topic_id"]),
        (JUDGMENTS + "01,,b,2\n", 4, ["unit_id"]),
        (JUDGMENTS + '01,1,"b,2\n', 4, ["CSV"]),
        (JUDGMENTS.encode() + b"01,1,\xff,2\n", 4, ["UTF-8"]),
    ],
)
def test_broken_judgments(file, content, line, named):
    path = file(content)
    with refused(
        (
            "columns-named-alike",
            "csv-column-missing",
            "empty-cell",
            "empty-file",
            "file-without-judgments",
            "malformed-csv",
            "not-utf-8",
            "row-unlike-header",
        ),
        *named,
        at=f"{path}:{line}",
    ):
        read_judgments(path)


@pytest.mark.parametrize("read", [read_run, read_gains, read_scores])
@pytest.mark.parametrize("content", ["", "\n\n", "\r\n", "\ufeff"])
def test_empty_files(file, read, content):
    path = file(content)
    with refused(("empty-file", "file-without-scores"), at=f"{path}:1"):
        read(path)


@pytest.mark.parametrize("read", [read_run, read_gains, read_judgments, read_scores])
def test_files_that_cannot_be_read(file, tmp_path, read):
    for absent in (tmp_path / "absent", tmp_path):
        with refused(("file-unreadable", "no-such-file"), at=str(absent)):
            read(absent)
    path = file(gzip.compress(RUN.encode() * 99)[:-20])
    with refused("compressed-file-broken", at=f"{path}:1"):
        read(path)
    path = file(b"t 0 a 1\nt 0 \xe9 1\n")
    with refused("not-utf-8", "UTF-8", at=f"{path}:2"):
        read(path)


def test_a_packed_file_that_grows_beyond_all_text_is_refused(file, monkeypatch):
    text = RUN.encode() + b"\n" * 100_000
    assert read_run(file(gzip.compress(text))).tag == "tag"
    monkeypatch.setattr("evaluation.parsing.packing.UNPACKED_FREELY", 50_000)
    path = file(gzip.compress(text))
    with refused("compressed-file-too-large", "50", at=f"{path}:1"):
        read_run(path)
    assert read_run(file(text)).tag == "tag"


def test_of_several_broken_runs_the_first_is_named(file):
    good = file(RUN, "good")
    broken = [
        file(RUN.replace("2.5", "nan").replace("tag", name), name) for name in ("second", "third", "fourth")
    ]
    with refused("score-is-nan", "score", "NaN", at=f"{broken[0]}:1"):
        read_runs([good, *broken])


def test_runs_need_tags_of_their_own(file):
    first, second = file(RUN, "first"), file(RUN, "second")
    with refused("tag-of-another-file", "'tag'", first, at=f"{second}:1"):
        read_runs([first, second])


@pytest.mark.parametrize("read", [read_run, read_gains, read_judgments, read_scores])
@given(
    content=st.one_of(
        st.binary(max_size=60),
        st.text('019 .-+e\t\r\n,"[]{}:tnaif\x00\ufeff', max_size=60).map(str.encode),
    ),
    top=st.sampled_from(
        [b"", RUN.encode(), GAINS.encode(), JUDGMENTS.encode(), b"a\t1\tAP\t.5\n", b"\x1f\x8b"]
    ),
)
def test_whatever_a_file_holds_it_is_read_or_refused(tmp_path_factory, read, content, top):
    path = tmp_path_factory.getbasetemp() / "fuzzed"
    path.write_bytes(top + content)
    where = str(path)
    try:
        read(path)
    except InputError as refused:
        where = refused.where
    assert where.startswith(str(path)), "a refusal names the file"


def test_scores_that_trec_eval_printed_are_read(file):
    path = file("runid                 \tall\tbm25\nmap                   \t301\t0.25\nmap  \tall\t0.25\n")
    assert read_scores(path).rows == [("bm25", "301", "map", 0.25)]


def test_scores_that_ir_measures_printed_are_read(file):
    path = file("301\tnDCG@10\t0.5000\n302\tnDCG@10\t0.2500\n", "dense.txt")
    assert [row[:3] for row in read_scores(path).rows] == [
        ("dense.txt", "301", "nDCG@10"),
        ("dense.txt", "302", "nDCG@10"),
    ]
