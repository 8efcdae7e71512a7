"""Files of the real world, whole and broken."""

import gzip
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.errors import InputError
from evaluation.files import read_gains, read_judgments, read_run, read_runs, read_scores

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
    "blank lines": lambda text: ("\n" + text.replace("\n", "\n\n") + "\n").encode(),
}
BLANKS = {
    "tabs": lambda text: text.replace(" ", "\t").encode(),
    "runs of blanks": lambda text: text.replace(" ", " \t  ").encode(),
    "blanks at the ends": lambda text: ("  " + text.replace("\n", " \t\n  ")).encode(),
}


@pytest.fixture
def file(tmp_path):
    """`file(content)` writes a file and gives its path as text."""

    def written(content, name="file"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return written


@pytest.mark.parametrize("shape", [*SHAPES, *BLANKS])
def test_runs_and_gains_of_every_shape(file, shape):
    shaped = (SHAPES | BLANKS)[shape]
    run = read_run(file(shaped(RUN)))
    assert run.tag == "tag"
    rows = [("t", "007", 2.5, 1.0), ("t", "1e5", 1e-3, 2.0), ("u", "a", float("-inf"), 1.0)]
    assert run.table.rows() == rows
    gains = read_gains(file(shaped(GAINS)))
    assert gains.table.rows() == [("t", "007", 2.718281828459045), ("t", "1e5", 0.0), ("u", "a", 1e-30)]


@pytest.mark.parametrize("shape", [name for name in SHAPES if name != "blank lines"])
def test_judgments_of_every_shape(file, shape):
    found = read_judgments(file(SHAPES[shape](JUDGMENTS)))
    assert found.table.rows() == [("01", "1", "007", 1.0), ("01", "1", "1e5", 10.0)]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("t Q0 b 2 1", "5 columns, 6 are needed"),
        ("t Q0 b 2 1 tag more", "7 columns, 6 are needed"),
        ("t Q0 b 2 1 other", "tag 'other' after 'tag'"),
        ("t Q0 b 2 nan tag", "score is NaN"),
        ("t Q0 b 2 high tag", "score 'high' is not a number"),
        ("t Q0 b 2 1_0 tag", "score '1_0' is not a number"),
        ("t Q0 b second 1 tag", "rank 'second' is not a number"),
        ("t Q0 b 1.5 1 tag", "rank 1.5 is not a whole number"),
        ("t Q0 b inf 1 tag", "rank inf is not a whole number"),
        ("t Q0 007 2 1 tag", "document '007' is retrieved a second time in topic 't'"),
    ],
)
@pytest.mark.parametrize("above", ["", "\n\n"])
def test_a_broken_line_of_a_run(file, line, complaint, above):
    path = file(above + RUN + line + "\nv Q0 a 1 1 tag\n")
    with pytest.raises(InputError, match=complaint) as caught:
        read_run(path)
    assert caught.value.where == f"{path}:{4 + len(above)}"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("t 0 b", "3 columns, 4 are needed"),
        ("t 0 b 1 1", "5 columns"),
        ("t 0 b one", "gain 'one' is not a number"),
        ("t 0 b nan", "gain nan is not finite"),
        ("t 0 b inf", "gain inf is not finite"),
        ("t 0 b 1e999", "gain inf is not finite"),
        ("t 0 b -2", "gain -2 is negative"),
        ("t 0 1e5 1", "document '1e5' is judged a second time in topic 't'"),
    ],
)
def test_a_broken_line_of_gains(file, line, complaint):
    path = file(GAINS + "\n" + line + "\n")
    with pytest.raises(InputError, match=complaint) as caught:
        read_gains(path)
    assert caught.value.where == f"{path}:5"


def test_the_first_line_may_be_the_broken_one(file):
    with pytest.raises(InputError, match=":1: 3 columns"):
        read_gains(file("t 0 b\n"))
    with pytest.raises(InputError, match=":1: 5 columns"):
        read_gains(file("t 0 b 1 1\nt 0 c 1\n"))


def test_quotation_marks_are_no_special_sign(file):
    rows = read_gains(file('t 0 "a 1\nt 0 b" 2\n')).table.rows()
    assert rows == [("t", '"a', 1.0), ("t", 'b"', 2.0)]


@pytest.mark.parametrize("cell", ["0", "-1", "nan", "inf", "-inf", "text", "", " ", "1e-101", "1e101", "1,5"])
def test_what_is_no_magnitude(file, cell):
    path = file(f'{JUDGMENTS}01,1,"two\nlines",2\n01,2,b,"{cell}"\n')
    with pytest.raises(InputError, match="relevance_score") as caught:
        read_judgments(path)
    assert caught.value.where == f"{path}:6"


@pytest.mark.parametrize(
    ("content", "line", "complaint"),
    [
        ("", 1, "empty"),
        ("topic_id,unit_id,document_id,relevance_score\n", 1, "no judgment"),
        ("topic_id,unit_id,document_id\nt,1,a\n", 1, "no column relevance_score"),
        (JUDGMENTS.replace("unit_id", "topic_id"), 1, "two columns are named 'topic_id'"),
        (JUDGMENTS + "01,1,b\n", 4, "3 cells, the header has 4"),
        (JUDGMENTS + "01,1,b,2,3\n", 4, "5 cells"),
        (JUDGMENTS + ",1,b,2\n", 4, "topic_id is empty"),
        (JUDGMENTS + "01,,b,2\n", 4, "unit_id is empty"),
        (JUDGMENTS + '01,1,"b,2\n', 4, "not well-formed CSV"),
        (JUDGMENTS.encode() + b"01,1,\xff,2\n", 4, "not UTF-8"),
    ],
)
def test_broken_judgments(file, content, line, complaint):
    path = file(content)
    with pytest.raises(InputError, match=complaint) as caught:
        read_judgments(path)
    assert caught.value.where == f"{path}:{line}"


@pytest.mark.parametrize("read", [read_run, read_gains, read_scores])
@pytest.mark.parametrize("content", ["", "\n\n", "\r\n", "\ufeff"])
def test_empty_files(file, read, content):
    path = file(content)
    with pytest.raises(InputError, match=f"^{path}:1: "):
        read(path)


@pytest.mark.parametrize("read", [read_run, read_gains, read_judgments, read_scores])
def test_files_that_cannot_be_read(file, tmp_path, read):
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "absent")
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path)
    with pytest.raises(InputError, match="broken or cut short"):
        read(file(gzip.compress(RUN.encode() * 99)[:-20]))
    with pytest.raises(InputError, match=":2: is not UTF-8"):
        read(file(b"t 0 a 1\nt 0 \xe9 1\n"))


def test_runs_need_tags_of_their_own(file):
    first, second = file(RUN, "first"), file(RUN, "second")
    with pytest.raises(InputError, match=f"^{second}:1: tag 'tag' is also that of {first}"):
        read_runs([first, second])


SCORES = [("a", "1", "AP", 0.5), ("a", "2", "AP", None), ("b", "1", "AP", 0.25), ("b", "2", "AP", -3.0)]
LAYOUTS = {
    "tsv": "a\t1\tAP\t.5\na\t2\tAP\t-\nb\t1\tAP\t2.5e-1\nb\t2\tAP\t-3\nb\tall\tAP\t7\n",
    "tsv with a header": "run\ttopic\tmeasure\tvalue\na\t1\tAP\t.5\nb\t1\tAP\t.25\nb\t2\tAP\t-3\n",
    "csv": "run,topic,measure,value\na,1,AP,.5\na,2,AP,\nb,1,AP,.25\nb,2,AP,-3\n",
    "blanks": "a 1 AP .5\na  2  AP  null\nb 1 AP .25\nb 2 AP -3\n",
    "json": '[{"run": "a", "topic": "1", "measure": "AP", "value": 0.5},\n'
    ' {"run": "a", "topic": "2", "measure": "AP", "value": null},\n'
    '{"run": "b", "topic": "1", "measure": "AP", "value": 0.25}, '
    '{"value": -3, "run": "b", "topic": "2", "measure": "AP"}]',
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_scores_of_every_layout(file, layout):
    found = read_scores(file(LAYOUTS[layout]))
    assert found.rows == SCORES
    assert found.means() == [("a", "all", "AP", 0.5), ("b", "all", "AP", -1.375)]


@pytest.mark.parametrize(
    ("content", "line", "complaint"),
    [
        ("a 1 AP .5\na 2 AP\n", 2, "3 columns, 4 are needed"),
        ("a 1 AP .5\na 1 AP .6\n", 2, "a second value of AP"),
        ("a 1 AP .5\na 2 AP high\n", 2, "not a number"),
        ("a 1 AP .5\na 2 AP inf\n", 2, "not finite"),
        ("run topic measure value\na all AP .5\n", 2, "--per-topic"),
        ('[{"run": "a", "topic": "1", "measure": "AP", "value": 1},\n{"run": "a"}]', 2, "keys run, topic"),
        ('[{"run": "a", "topic": 1, "measure": "AP", "value": 1}]', 1, "text in quotes"),
        ('[{"run": "a"\n', 2, "not well-formed JSON"),
        ("[" * 100_000, 1, "nested"),
        ('run,topic,measure,value\na,1,"AP,3\n', 2, "not well-formed CSV"),
    ],
)
def test_broken_scores(file, content, line, complaint):
    path = file(content)
    with pytest.raises(InputError, match=complaint) as caught:
        read_scores(path)
    assert caught.value.where == f"{path}:{line}"


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
    with suppress(InputError):  # any other error fails the test
        read(path)
