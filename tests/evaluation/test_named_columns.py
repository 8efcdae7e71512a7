"""Files whose columns have names: every kind of file, by header, by keys of JSON, and as the user says."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluation as ev
from evaluation.files import read_gains, read_judgments, read_run, read_scores
from evaluation.files.judgment_layouts import layout_of
from evaluation.files.labels import read_labels
from evaluation.files.ratings import read_ratings
from evaluation.shapes import GAINS, LABELS, NAMES, RATINGS, RUN, SCORES
from tests.evaluation.command_results import output_of
from tests.evaluation.refusals import refused

ROWS = {
    "qrels": [("1", "a", "2.5"), ("1", "b", "0"), ("2", "a", "1")],
    "run": [("1", "a", "2.5"), ("1", "b", "0.5"), ("2", "a", "-1")],
    "ratings": [("1", "a", "2.5"), ("1", "b", "0.5"), ("2", "a", "-1")],
    "labels": [("1", "a", "3"), ("1", "b", "0.5"), ("2", "a", "-1")],
    "scores": [("1", "AP", "0.5"), ("2", "AP", "0.25")],
}
SHAPES = {"qrels": GAINS, "run": RUN, "ratings": RATINGS, "labels": LABELS, "scores": SCORES}


def content_of(kind, path, columns=None):
    """What a file of this kind says: its rows, with numbers as numbers."""
    if kind == "qrels":
        return read_gains(path, columns=columns).table.rows()
    if kind == "run":
        return [row[:3] for row in read_run(path, columns).table.rows()]
    if kind in ("ratings", "labels"):
        read = (read_ratings if kind == "ratings" else read_labels)(path, columns)
        return sorted((row["topic_id"], row["document_id"], row["score"]) for row in read.table.to_dicts())
    return [(row.topic, row.measure, row.value) for row in read_scores(path, columns).rows]


def numbers(kind):
    return sorted((first, second, float(value)) for first, second, value in ROWS[kind])


def separated(header, rows, mark):
    out = io.StringIO()
    csv.writer(out, delimiter=mark, lineterminator="\n").writerows([header, *rows] if header else rows)
    return out.getvalue()


def objects(header, rows):
    return "".join(json.dumps(dict(zip(header, row, strict=True))) + "\n" for row in rows)


FORMS = {
    "commas": lambda header, rows: separated(header, rows, ","),
    "semicolons": lambda header, rows: separated(header, rows, ";"),
    "tabs": lambda header, rows: separated(header, rows, "\t"),
    "blanks": lambda header, rows: separated(header, rows, " "),
    "white space around": lambda header, rows: separated(header, rows, ",").replace(",", " , "),
    "quotes": lambda header, rows: (
        "\n".join(",".join(f'"{cell}"' for cell in row) for row in [header, *rows]) + "\n"
    ),
    "blank lines": lambda header, rows: "\n" + separated(header, rows, ",").replace("\n", "\n\n"),
    "Windows": lambda header, rows: separated(header, rows, ",").replace("\n", "\r\n"),
    "byte-order mark": lambda header, rows: "\ufeff" + separated(header, rows, ","),
    "JSONL": objects,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ROWS)
def test_every_kind_of_file_is_read_by_every_known_name_in_every_form(kind, form, file):
    shape = SHAPES[kind]
    for place in range(max(len(NAMES[column]) for column in shape.columns)):
        header = [NAMES[column][min(place, len(NAMES[column]) - 1)] for column in shape.columns]
        if len({*header}) == len(header):
            path = file(FORMS[form](header, ROWS[kind]))
            assert sorted(content_of(kind, path)) == numbers(kind), header


@pytest.mark.parametrize("kind", ROWS)
def test_columns_can_be_named_or_numbered_in_any_order(kind, file):
    ours = SHAPES[kind].columns
    rows = [(value, "x y", first, second) for first, second, value in ROWS[kind]]
    named = dict(zip(ours, ("eins", "zwei", "drei"), strict=True))
    path = file(separated(["drei", "else", "eins", "zwei"], rows, ","))
    assert sorted(content_of(kind, path, named)) == numbers(kind)
    with refused("csv-column-to-map-missing", "vier", at=f"{path}:1"):
        content_of(kind, path, named | {ours[0]: "vier"})
    with refused("unknown-column", "other"):
        content_of(kind, path, {"other": "eins"})
    placed = dict(zip(ours, (3, 4, 1), strict=True))
    bare = file(separated(None, rows, ","), "bare")
    assert sorted(content_of(kind, bare, placed)) == numbers(kind)
    with refused("csv-column-to-map-missing", "5", at=f"{bare}:1"):
        content_of(kind, bare, placed | {ours[0]: 5})


@pytest.mark.parametrize("kind", ROWS)
def test_what_a_file_lacks_is_named_with_its_header(kind, file):
    shape = SHAPES[kind]
    header = [NAMES[column][0] for column in shape.columns[:-1]] + ["other"]
    path = file(separated(header, ROWS[kind], ","))
    with refused("file-without-column", shape.columns[-1], "other", shape.layout, at=f"{path}:1"):
        content_of(kind, path)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("qid,docid,rel\n1,a\n", "row-unlike-header", 2),
        ("qid,docid,rel\n\n1,a,high\n", "not-a-number", 3),
        ("qid,docid,rel\n1,a,\n", "empty-number", 2),
        ("qid,docid,rel\n1,,2\n", "empty-cell", 2),
        ("qid,docid,rel\n1,a,2\n1,a,1\n", "document-judged-twice", 3),
        ("qid,docid,rel\n", "file-without-rows", 1),
        ('{"qid": 1, "docid": "a", "rel": 2}\n{"qid": 1, "docid": "b"}\n', "json-key-missing", 2),
        ('{"qid": 1, "docid": "a", "rel": [2]}\n', "json-value-not-a-cell", 1),
        ('{"qid": 1, "docid": "a", "rel": true}\n', "json-value-not-a-cell", 1),
        ('{"qid": 1, "docid": "a", "rel": 2}\n{"qid": \n', "malformed-jsonl", 2),
        ('{"qid": 1, "docid": "a", "rel": 2}\n[1]\n', "jsonl-without-object", 2),
    ],
)
def test_a_broken_row_is_named_by_its_line(text, code, line, file):
    path = file(text)
    with refused(code, at=f"{path}:{line}"):
        read_gains(path)


def test_a_run_without_tags_has_the_name_of_its_file(file):
    path = file("qid,docid,score\n1,a,2\n", "dense.csv")
    assert read_run(path).tag == "dense.csv"
    with refused("several-tags", "'x'", "'y'", at=f"{path}:3"):
        read_run(file("qid,docid,score,run\n1,a,2,x\n1,b,1,y\n", "dense.csv"))


def test_white_space_around_the_cells_of_judgments_is_no_part_of_them(file):
    rows = "topic_id,unit_id,document_id,relevance_score,worker_id\n"
    padded = file(rows + " 1 , u ,\td , 10 , w \n", "padded")
    assert read_judgments(padded).table.rows() == [("1", "u", "d", 10.0, "w")]


def test_judgments_can_be_jsonl(file):
    row = {"topic_id": 1, "unit_id": "u", "document_id": "d", "relevance_score": 2.5, "comment": None}
    path = file(json.dumps(row) + "\n" + json.dumps(row | {"document_id": "e"}) + "\n")
    assert [row[2:] for row in read_judgments(path).table.rows()] == [("d", 2.5), ("e", 2.5)]
    assert len(ev.read_judgments(path, layout=layout_of(columns={"worker_id": "comment"})).table) == 2


def test_columns_are_named_for_files_alone(file):
    path = file("1,a,2\n")
    columns = {"topic_id": 1, "document_id": 2}
    assert ev.read_qrels(path, columns=columns | {"gain": 3}).table.rows() == [("1", "a", 2.0)]
    assert ev.read_run(path, "mine", columns=columns | {"score": 3}).tag == "mine"
    assert len(ev.read_runs([path], columns=columns | {"score": 3})) == 1
    for read in (ev.read_qrels, ev.read_run, ev.read_runs):
        with refused("layout-of-no-file"):
            read({"1": {"a": 2}}, columns=columns)


def test_commands_take_the_names_of_columns(shell, file):
    qrels, run = file("q;d;g\n1;a;1\n", "qrels"), file("1,a,2.5\n", "dense")
    of_qrels = ("--columns", "topic_id=q", "document_id=d", "gain=g")
    of_run = ("--run-columns", "topic_id=1", "document_id=2", "score=3")
    done = shell("score", qrels, run, "-m", "AP", "--format", "csv", *of_qrels, *of_run)
    assert output_of(done).splitlines()[1] == "dense,all,AP,1.0"
    assert output_of(shell("check", qrels, run, *of_qrels, *of_run)).count("\n") == 3
    scores = file("system,metric,t,v\nx,AP,1,.5\ny,AP,1,.25\nz,AP,1,.75\n", "scores")
    of_scores = ("--columns", "topic_id=t", "value=v")
    assert output_of(shell("correlate", scores, scores, *of_scores)).split()[-1] == "1.000000"


CELLS = st.text("abc019.,;-#\"' \t", min_size=1, max_size=5).filter(str.strip)


@given(rows=st.lists(st.tuples(CELLS, CELLS, st.integers(0, 4)), min_size=1, unique_by=lambda r: r[:2]))
def test_what_csv_writes_is_read_back(rows, tmp_path_factory):
    stripped = {(topic.strip(), document.strip()) for topic, document, _ in rows}
    if len(stripped) < len(rows):
        return
    path = tmp_path_factory.mktemp("csv") / "qrels.csv"
    path.write_text(separated(["qid", "docid", "rel"], rows, ","))
    wanted = sorted((topic.strip(), document.strip(), float(gain)) for topic, document, gain in rows)
    assert sorted(read_gains(path).table.rows()) == wanted


def test_other_columns_can_be_as_long_as_a_document(file):
    path = file(separated(["qid", "text", "docid", "rel"], [("1", "long " * 100_000, "a", 2)], ","))
    assert read_gains(path).table.rows() == [("1", "a", 2.0)]
